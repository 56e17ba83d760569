//! Writes down the commit that the program is built from: results of a corpus run name it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=ISOTHERM_COMMIT");
    let given = std::env::var("ISOTHERM_COMMIT").ok();
    // Who names the commit vouches for it; what git says may have been edited since.
    println!("cargo::rustc-check-cfg=cfg(commit_given)");
    if given.is_some() {
        println!("cargo::rustc-cfg=commit_given");
    }
    let commit = given.or_else(commit).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=ISOTHERM_COMMIT={commit}");
}

/// The commit that is checked out; `None` outside of a repository.
fn commit() -> Option<String> {
    let head = git(&["rev-parse", "HEAD"])?;
    // HEAD names a branch; the log of HEAD grows with each commit and each checkout.
    for file in ["HEAD", "logs/HEAD"] {
        println!(
            "cargo::rerun-if-changed={}",
            git(&["rev-parse", "--git-path", file])?
        );
    }
    Some(head)
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
