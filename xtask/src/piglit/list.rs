//! Which tests there are, from piglit itself.

use anyhow::{Context, ensure};
use std::path::Path;
use std::process::Command;

/// Where the commands that piglit prints are relative to.
pub const FOLDER: &str = "/usr/bin";

/// Where tests find shaders in files of their own.
pub const SOURCES: &str = "/usr/lib/x86_64-linux-gnu/piglit";

/// A test: its name, and its program with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    pub command: Vec<String>,
}

/// Groups of the shader suite that a driver without GLSL 1.30 can run.
const SHADERS: [&str; 4] = [
    "spec@glsl-1.10@",
    "spec@glsl-1.20@",
    "shaders@",
    "spec@arb_fragment_program@",
];

/// Has piglit there; installs it where that is possible.
pub fn install() -> anyhow::Result<()> {
    let there = || Command::new("piglit").arg("--help").output().is_ok();
    if there() {
        return Ok(());
    }
    println!("installing piglit");
    let done = Command::new("apt-get")
        .args(["install", "-y", "-qq", "--no-install-recommends", "piglit"])
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status();
    ensure!(
        done.is_ok_and(|status| status.success()) && there(),
        "there is no piglit, and apt-get could not install it: do `apt-get install piglit`"
    );
    Ok(())
}

/// All tests that are of use here: OpenGL's, and shaders of the old languages.
pub fn all() -> anyhow::Result<Vec<Test>> {
    let mut tests = suite("quick_gl")?;
    // Tests of GLX want an X server; the board was run without one.
    tests.retain(|test| !test.name.starts_with("glx@"));
    let of_shaders = suite("quick_shader")?.into_iter();
    tests.extend(of_shaders.filter(|test| SHADERS.iter().any(|part| test.name.starts_with(part))));
    // Debian's package lists tests whose programs it leaves out.
    tests.retain(|test| {
        let program = test.command.first();
        program.is_some_and(|program| Path::new(FOLDER).join(program).is_file())
    });
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    tests.dedup_by(|a, b| a.name == b.name);
    Ok(tests)
}

fn suite(name: &str) -> anyhow::Result<Vec<Test>> {
    let output = Command::new("piglit")
        .args(["print-cmd", name])
        .output()
        .context("cannot start piglit")?;
    ensure!(
        output.status.success(),
        "piglit print-cmd {name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(parse).collect())
}

/// `name ::: program argument …`
fn parse(line: &str) -> Option<Test> {
    let (name, command) = line.split_once(" ::: ")?;
    Some(Test {
        name: name.to_owned(),
        command: command.split_whitespace().map(str::to_owned).collect(),
    })
}

/// `spec@!opengl 1.1@x` is of `spec@!opengl 1.1`.
pub fn group(test: &str) -> String {
    let parts: Vec<&str> = test.split('@').take(2).collect();
    if parts[0] == "spec" {
        parts.join("@")
    } else {
        parts[0].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let test = parse("spec@!opengl 1.1@draw ::: ../bin/draw -auto -fbo").unwrap();
        assert_eq!(test.name, "spec@!opengl 1.1@draw");
        assert_eq!(test.command, ["../bin/draw", "-auto", "-fbo"]);
        assert_eq!(group(&test.name), "spec@!opengl 1.1");
        assert_eq!(group("shaders@glsl-x@y"), "shaders");
    }
}
