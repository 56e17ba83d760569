//! `cargo xtask dist`: what a release has, made by one command: programs, libraries, the page,
//! licences, and a list of checksums. Built the same way twice, it is the same bytes.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is built: packages, and the files that come of them with their places.
const PACKAGES: [&str; 3] = ["isotherm-cli", "isotherm-capi", "isotherm-drm"];
const FILES: [(&str, &str); 4] = [
    ("isotherm", "bin"),
    ("libisotherm.so", "lib"),
    ("libisotherm.a", "lib"),
    ("libisotherm_drm.so", "lib"),
];
/// What lies in the repository.
const KEPT: [(&str, &str); 6] = [
    ("crates/capi/include/isotherm.h", "include"),
    ("README.md", "."),
    ("CHANGELOG.md", "."),
    ("SECURITY.md", "."),
    ("LICENSE-MIT", "."),
    ("LICENSE-APACHE", "."),
];
/// The inspector's page.
const PAGE: &str = "web/dist";
const TARGET: &str = "x86_64-unknown-linux-gnu";
const STATIC: &str = "x86_64-unknown-linux-musl";

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Where it goes; what is there is replaced.
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
    /// Build everything again elsewhere, and compare.
    #[arg(long)]
    twice: bool,
    /// Only the notices of third parties, to standard output.
    #[arg(long)]
    notices: bool,
}

/// Builds a release.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.notices {
        print!("{}", notices()?);
        return Ok(());
    }
    let first = release(&args.out, Path::new("target/dist-build"))?;
    println!("{}: {} files", args.out.display(), first.len());
    if args.twice {
        let beside = args.out.with_extension("again");
        let second = release(&beside, Path::new("target/dist-build-again"))?;
        let differ: Vec<&String> = first
            .iter()
            .filter(|(name, sum)| second.get(*name) != Some(sum))
            .map(|(name, _)| name)
            .collect();
        ensure!(differ.is_empty(), "not the same bytes again: {differ:?}");
        println!("built twice: the same bytes");
    }
    Ok(())
}

/// Builds into a folder; the checksums by name.
fn release(out: &Path, build: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    if out.exists() {
        std::fs::remove_dir_all(out)?;
    }
    let made = compile(build, TARGET, &PACKAGES)?;
    for (file, place) in FILES {
        copy(&made.join(file), &out.join(place).join(file))?;
    }
    if has_target(STATIC) {
        let made = compile(build, STATIC, &PACKAGES[..1])?;
        copy(&made.join("isotherm"), &out.join("bin/isotherm-static"))?;
    } else {
        println!("no static program: rustup target add {STATIC}");
    }
    for (file, place) in KEPT {
        let name = Path::new(file).file_name().context("a name")?;
        copy(Path::new(file), &out.join(place).join(name))?;
    }
    page(out)?;
    wheel(out)?;
    std::fs::write(out.join("THIRD-PARTY.txt"), notices()?)?;
    checksums(out)
}

/// Builds packages for a target; the folder with what came of it.
fn compile(build: &Path, target: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    let home = std::env::var("CARGO_HOME").or_else(|_| {
        let home = std::env::var("HOME").context("no HOME")?;
        anyhow::Ok(format!("{home}/.cargo"))
    })?;
    // Where it was built does not show.
    // The last that fits counts: what build scripts wrote lies in the build's own folder.
    let flags = format!(
        "--remap-path-prefix={}=isotherm --remap-path-prefix={home}=cargo --remap-path-prefix={}=build",
        here.display(),
        here.join(build).display()
    );
    let mut command = Command::new("cargo");
    command
        .args(["build", "--release", "--locked", "--target", target])
        .arg("--target-dir")
        .arg(build)
        .env("RUSTFLAGS", flags)
        .env("ISOTHERM_LEVELS", "all")
        .env("SOURCE_DATE_EPOCH", "0");
    for package in packages {
        command.args(["-p", package]);
    }
    let built = command.status().context("cannot start cargo")?;
    ensure!(built.success(), "{packages:?} do not build for {target}");
    Ok(build.join(target).join("release"))
}

/// Is the standard library of a target there?
fn has_target(target: &str) -> bool {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    let folder = asked.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    folder.is_ok_and(|folder| !folder.is_empty() && Path::new(&folder).exists())
}

/// The page as it was built in `web/`.
fn page(out: &Path) -> anyhow::Result<()> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(PAGE)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    let whole = files.iter().any(|path| path.ends_with("isotherm.wasm"));
    if !whole {
        println!("the page has no core: bash .ci/web builds it");
    }
    for file in files {
        let place = file.strip_prefix(PAGE)?;
        copy(&file, &out.join("page").join(place))?;
    }
    Ok(())
}

/// The Python package, where maturin is.
fn wheel(out: &Path) -> anyhow::Result<()> {
    let found = Command::new("maturin").arg("--version").output().is_ok();
    if !found {
        println!("no wheel: no maturin");
        return Ok(());
    }
    let folder = std::env::current_dir()?.join(out).join("wheel");
    let built = Command::new("maturin")
        .args(["build", "--release", "--locked", "--quiet", "--out"])
        .arg(&folder)
        .current_dir("crates/python")
        .env("SOURCE_DATE_EPOCH", "315532800")
        .status()?;
    ensure!(built.success(), "the wheel does not build");
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to.parent().context("a folder")?)?;
    std::fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

/// Writes SHA256SUMS beside the files.
fn checksums(out: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut names = BTreeSet::new();
    let mut folders = vec![out.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                names.insert(path.strip_prefix(out)?.to_path_buf());
            }
        }
    }
    let sums = Command::new("sha256sum")
        .args(&names)
        .current_dir(out)
        .output()
        .context("cannot start sha256sum")?;
    ensure!(sums.status.success(), "sha256sum fails");
    let text = String::from_utf8(sums.stdout)?;
    std::fs::write(out.join("SHA256SUMS"), &text)?;
    let pair = |line: &str| {
        let (sum, name) = line.split_once("  ")?;
        Some((name.to_string(), sum.to_string()))
    };
    Ok(text.lines().filter_map(pair).collect())
}

/// Every package that is linked in, with its licence and the texts that come with it.
fn notices() -> anyhow::Result<String> {
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", TARGET])
        .output()
        .context("cannot start cargo")?;
    ensure!(asked.status.success(), "cargo metadata fails");
    let metadata: Value = serde_json::from_slice(&asked.stdout)?;
    let mut text = String::from(
        "Isotherm is under the MIT licence or the Apache licence 2.0, as you like. Its programs and\n\
         libraries have these packages in them:\n",
    );
    for package in linked(&metadata)? {
        let field = |name: &str| package[name].as_str().unwrap_or("unknown");
        let (name, version, licence) = (field("name"), field("version"), field("license"));
        ensure!(licence != "unknown", "{name} {version} says no licence");
        write!(text, "\n== {name} {version}: {licence}\n")?;
        let folder = Path::new(field("manifest_path")).parent();
        for file in licence_files(folder.context("a folder")?) {
            let kept = std::fs::read(&file)?;
            write!(text, "\n{}\n", String::from_utf8_lossy(&kept).trim())?;
        }
    }
    Ok(text)
}

/// Packages from elsewhere that the released ones need, sorted by name.
fn linked(metadata: &Value) -> anyhow::Result<Vec<&Value>> {
    let list = |value: &'static str| {
        let found = metadata.pointer(value).and_then(Value::as_array);
        found.context(value)
    };
    let (packages, nodes) = (list("/packages")?, list("/resolve/nodes")?);
    let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_string();
    let released = |package: &&Value| PACKAGES.iter().any(|name| package["name"] == *name);
    let mut todo: Vec<String> = packages.iter().filter(released).map(id).collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = todo.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| id(node) == at).context(at)?;
        for dep in node["deps"].as_array().into_iter().flatten() {
            let kinds = dep["dep_kinds"].as_array().into_iter().flatten();
            if kinds.into_iter().any(|kind| kind["kind"].is_null()) {
                todo.push(dep["pkg"].as_str().unwrap_or_default().into());
            }
        }
    }
    let foreign = |package: &&Value| !package["source"].is_null() && seen.contains(&id(package));
    let mut found: Vec<&Value> = packages.iter().filter(foreign).collect();
    found.sort_by_key(|package| package["name"].as_str().unwrap_or_default().to_string());
    Ok(found)
}

/// Texts of licences and notices in a package's folder.
fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = list
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.unwrap_or_default().to_ascii_uppercase();
            let begins = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"];
            path.is_file() && begins.iter().any(|begin| name.starts_with(begin))
        })
        .collect();
    files.sort();
    files
}
