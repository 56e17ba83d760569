//! `isotherm completions` and `isotherm man`: what shells and manuals want of a program.

use crate::output;
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;

/// Options of `isotherm completions`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isotherm completions bash > ~/.local/share/bash-completion/completions/isotherm
  isotherm completions zsh > ~/.zfunc/_isotherm
  isotherm completions fish > ~/.config/fish/completions/isotherm.fish")]
pub struct CompletionArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Options of `isotherm man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Write a page for the program and one for each command into this folder, instead of the
    /// program's page to standard output.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a completion script.
pub fn completions(args: &CompletionArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "isotherm", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}

/// Prints or writes manual pages.
pub fn man(args: &ManArgs) -> anyhow::Result<()> {
    let command = crate::command();
    let Some(folder) = &args.out else {
        std::io::stdout().write_all(&page(command)?)?;
        return Ok(());
    };
    output::check_folder(folder)?;
    clap_mangen::generate_to(command, folder).with_context(|| folder.display().to_string())?;
    output::wrote(
        folder,
        format_args!("a page for the program and one for each command"),
    )?;
    Ok(())
}

fn page(command: clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
