//! `isotherm --help`: the commands by what they are for.

use std::fmt::Write;

/// What follows the options.
pub const AFTER: &str = "\
Examples:
  isotherm demo                                   pictures and words to begin with
  isotherm replay game.cap -o game.png            draw a capture
  isotherm inspect game.cap                       every event of a capture in the browser
  isotherm why game.cap --draw 12                 why does draw 12 show nothing?
  isotherm compare game.cap emulator.png          where an emulator differs, and which draw it was
  isotherm pixel game.cap 320 240                 everything that happened to one pixel
  isotherm explain xbox NV_PGRAPH_BLEND 0x55a     a state word, field by field
  isotherm disasm game.cap --draw 3               the programs of a draw

Exit codes: 0 done, or equal; 1 different, or a check failed; 2 it could not be done.
Files: `-` is standard input or standard output. Words are hexadecimal, with or without 0x.
Every command explains itself: isotherm COMMAND --help";

/// The commands by what they are for.
const GROUPS: &[(&str, &[&str])] = &[
    ("Draw", &["replay", "demo", "bench"]),
    #[cfg(target_os = "linux")]
    ("Live drivers", &["run"]),
    (
        "Find out",
        &["inspect", "why", "pixel", "trace", "dump", "vsh"],
    ),
    ("Check", &["compare", "conform", "report", "lint"]),
    (
        "Words",
        &["explain", "encode", "decode", "diff", "regs", "convert"],
    ),
    ("Programs", &["disasm", "asm"]),
    ("Captures", &["import", "edit", "state"]),
    ("Shell", &["completions", "man", "schema"]),
];

/// Puts the groups into the help.
pub fn grouped(command: clap::Command) -> clap::Command {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{title}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(|c| c.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<12} {about}");
        }
    }
    text += "\nOptions:\n{options}\n\n{after-help}";
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::command();
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.sort_unstable();
        let mut known: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
        known.sort_unstable();
        assert_eq!(listed, known);
    }
}
