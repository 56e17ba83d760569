//! `cargo xtask dist`: what a release has, made by one command: programs, libraries, the page,
//! licences, and a list of checksums. Built the same way twice, it is the same bytes.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything that is linked into a release, the page's core and the wheel too.
const PACKAGES: [&str; 5] = [
    PROGRAM,
    "isotherm-capi",
    "isotherm-drm",
    "isotherm-wasm",
    "isotherm-python",
];
const MANIFESTS: [&str; 2] = ["Cargo.toml", "crates/python/Cargo.toml"];
const PROGRAM: &str = "isotherm-cli";
/// Libraries, and the files that come of them.
const LIBRARIES: [&str; 2] = ["isotherm-capi", "isotherm-drm"];
const FILES: [&str; 3] = ["libisotherm.so", "libisotherm.a", "libisotherm_drm.so"];
const SONAME: &str = "libisotherm.so.0";
const HEADER: &str = "crates/capi/include/isotherm.h";
/// What lies in the repository.
const KEPT: [&str; 5] = [
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
/// The inspector's page.
const PAGE: &str = "web/dist";
/// Where the wheel's tool takes notices from.
const WHEEL_NOTICES: &str = "crates/python/NOTICE-THIRD-PARTY.txt";
const TARGET: &str = "x86_64-unknown-linux-gnu";
const MUSL: &str = "x86_64-unknown-linux-musl";

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Where it goes; what is there is replaced.
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
    /// Build everything again elsewhere, and compare.
    #[arg(long)]
    twice: bool,
    /// Only these parts; all of them unless it is said.
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// Only the notices of third parties, to standard output.
    #[arg(long)]
    notices: bool,
}

/// What a release is made of.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The program, which needs no library of the system.
    Program,
    /// The C interface, the library that stands in for a driver, and their header.
    Libraries,
    /// The inspector's page with its core.
    Page,
    /// The Python package.
    Wheel,
}

const PARTS: [Part; 4] = [Part::Program, Part::Libraries, Part::Page, Part::Wheel];

/// Builds a release.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.notices {
        print!("{}", notices()?);
        return Ok(());
    }
    let parts = match args.only.is_empty() {
        true => &PARTS,
        false => args.only.as_slice(),
    };
    let first = release(parts, &args.out, Path::new("target/dist-build"))?;
    println!("{}: {} files", args.out.display(), first.len());
    if args.twice {
        let beside = args.out.with_extension("again");
        let second = release(parts, &beside, Path::new("target/dist-build-again"))?;
        let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
        let differ: Vec<_> = names
            .into_iter()
            .filter(|name| first.get(*name) != second.get(*name))
            .collect();
        ensure!(differ.is_empty(), "not the same bytes again: {differ:?}");
        println!("built twice: the same bytes");
    }
    Ok(())
}

/// Builds into a folder; the checksums by name.
fn release(parts: &[Part], out: &Path, build: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    if out.exists() {
        std::fs::remove_dir_all(out)?;
    }
    let build = Build::new(build)?;
    for part in parts {
        match part {
            Part::Program => copy(&build.program()?, &out.join("bin/isotherm"))?,
            Part::Libraries => build.libraries(out)?,
            Part::Page => build.page(out)?,
            Part::Wheel => build.wheel(out)?,
        }
    }
    for file in KEPT {
        copy(Path::new(file), &out.join(file))?;
    }
    std::fs::write(out.join("THIRD-PARTY.txt"), notices()?)?;
    build.shows_no_place(out)?;
    checksums(out)
}

/// Where it is built, and how, so that the place does not show.
struct Build {
    folder: PathBuf,
    flags: String,
    /// Folders that must not show.
    places: [String; 2],
}

impl Build {
    fn new(folder: &Path) -> anyhow::Result<Build> {
        let here = std::env::current_dir()?;
        let folder = here.join(folder);
        let home = std::env::var("CARGO_HOME").or_else(|_| {
            let home = std::env::var("HOME").context("no HOME")?;
            anyhow::Ok(format!("{home}/.cargo"))
        })?;
        // The last that fits counts: what build scripts wrote lies in the build's own folder.
        let flags = format!(
            "--remap-path-prefix={}=isotherm --remap-path-prefix={home}=cargo \
             --remap-path-prefix={}=build",
            here.display(),
            folder.display()
        );
        Ok(Build {
            folder,
            flags,
            places: [here.display().to_string(), home],
        })
    }

    /// A command that builds here.
    fn command(&self, name: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(name);
        command
            .env("CARGO_TARGET_DIR", &self.folder)
            .env("RUSTFLAGS", &self.flags)
            .env("ISOTHERM_LEVELS", "all")
            // Several units of a crate are optimised together, and names that one lends to
            // another carry a hash that is not always the same.
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            // The first day that the archive of a wheel can name.
            .env("SOURCE_DATE_EPOCH", "315532800");
        command
    }

    fn made(&self, target: &str) -> PathBuf {
        self.folder.join(target).join("release")
    }

    /// The libraries, dynamic and static, and the header.
    fn libraries(&self, out: &Path) -> anyhow::Result<()> {
        let mut command = self.command("cargo");
        command.args(["build", "--release", "--locked", "--target", TARGET]);
        for package in LIBRARIES {
            command.args(["-p", package]);
        }
        // Built together they have the features that the program's parts have, and share them.
        command.args(["-p", PROGRAM]);
        done(&mut command, "the libraries")?;
        for file in FILES {
            copy(&self.made(TARGET).join(file), &out.join("lib").join(file))?;
        }
        // Programs that are linked with it ask for it by the name with the version.
        std::os::unix::fs::symlink(FILES[0], out.join("lib").join(SONAME))?;
        copy(Path::new(HEADER), &out.join("include/isotherm.h"))
    }

    /// The program, which needs no library of the system: with musl where its target is
    /// installed, else with the system's own C library linked in.
    fn program(&self) -> anyhow::Result<PathBuf> {
        let target = if has_target(MUSL) { MUSL } else { TARGET };
        let mut command = self.command("cargo");
        command
            .args(["rustc", "--release", "--locked", "--target", target])
            .args(["-p", PROGRAM, "--bin", "isotherm"])
            .args(["--", "-Ctarget-feature=+crt-static"]);
        done(&mut command, "the program")?;
        let program = self.made(target).join("isotherm");
        ensure!(is_static(&program)?, "the program wants a loader");
        Ok(program)
    }

    /// The inspector's page with its core.
    fn page(&self, out: &Path) -> anyhow::Result<()> {
        let ready = Command::new("web/wasm.sh").arg("--ready").status()?;
        let mut whole = ready.success();
        if whole {
            let mut command = self.command("web/wasm.sh");
            command
                .env("ISOTHERM_WASM_TARGET", self.folder.join("wasm"))
                .env("ISOTHERM_REMAP", &self.flags);
            done(&mut command, "the page's core")?;
            whole = Path::new(PAGE).join("isotherm.wasm").exists();
        }
        if !whole {
            println!("no page: nothing here to build its core with (see web/wasm.sh)");
            return Ok(());
        }
        for file in below(Path::new(PAGE))? {
            copy(&Path::new(PAGE).join(&file), &out.join("page").join(&file))?;
        }
        Ok(())
    }

    /// The Python package.
    fn wheel(&self, out: &Path) -> anyhow::Result<()> {
        let Some(maturin) = maturin() else {
            println!("no wheel: no maturin, and none could be installed");
            return Ok(());
        };
        let folder = std::env::current_dir()?.join(out).join("wheel");
        let mut command = self.command(maturin);
        command
            .args(["build", "--release", "--locked", "--quiet"])
            .args(["--target", TARGET, "--out"])
            .arg(&folder)
            .current_dir("crates/python");
        std::fs::write(WHEEL_NOTICES, notices()?)?;
        let built = done(&mut command, "the wheel");
        std::fs::remove_file(WHEEL_NOTICES)?;
        built
    }

    /// Names of folders of this machine must not be in a release. A wheel is unpacked for it.
    fn shows_no_place(&self, out: &Path) -> anyhow::Result<()> {
        let unpacked = self.folder.join("unpacked");
        if unpacked.exists() {
            std::fs::remove_dir_all(&unpacked)?;
        }
        std::fs::create_dir_all(&unpacked)?;
        for file in below(out)?.iter().filter(|file| is_wheel(file)) {
            let mut command = Command::new("python3");
            command.args(["-m", "zipfile", "-e"]);
            done(command.arg(out.join(file)).arg(&unpacked), "unpacking")?;
        }
        for root in [out, &unpacked] {
            for file in below(root)? {
                let bytes = std::fs::read(root.join(&file))?;
                for place in &self.places {
                    let place = place.as_bytes();
                    let shown = bytes.windows(place.len()).any(|part| part == place);
                    ensure!(!shown, "{} shows where it was built", file.display());
                }
            }
        }
        Ok(())
    }
}

fn is_wheel(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "whl")
}

/// Runs a command that must succeed.
fn done(command: &mut Command, what: &str) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{what}: the build fails");
    Ok(())
}

/// Is the standard library of a target there?
fn has_target(target: &str) -> bool {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    let folder = asked.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    folder.is_ok_and(|folder| !folder.is_empty() && Path::new(&folder).exists())
}

/// Has a program no interpreter, as those that are linked dynamically do?
fn is_static(program: &Path) -> anyhow::Result<bool> {
    const INTERPRETER: u32 = 3;
    let file = std::fs::read(program)?;
    let number = |at: usize, bytes: usize| -> usize {
        let field = file.get(at..at + bytes).unwrap_or_default();
        field
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | usize::from(*byte))
    };
    ensure!(file.starts_with(b"\x7FELF\x02\x01"), "no 64-bit program");
    // Program headers: where, how large each, how many.
    let (first, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    let kinds = (0..count).map(|n| number(first + n * size, 4));
    Ok(!kinds.into_iter().any(|kind| kind as u32 == INTERPRETER))
}

/// The tool that makes wheels: an installed one, or one in a folder of its own.
fn maturin() -> Option<PathBuf> {
    let works = |path: &Path| Command::new(path).arg("--version").output().is_ok();
    let installed = PathBuf::from("maturin");
    if works(&installed) {
        return Some(installed);
    }
    let folder = std::env::current_dir().ok()?.join("target/python-venv");
    let own = folder.join("bin/maturin");
    if !works(&own) {
        let run = |command: &mut Command| command.status().is_ok_and(|status| status.success());
        let _ = run(Command::new("python3").args(["-m", "venv"]).arg(&folder))
            && run(Command::new(folder.join("bin/pip")).args([
                "install",
                "--quiet",
                "maturin>=1.9,<2",
            ]));
    }
    works(&own).then_some(own)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to.parent().context("a folder")?)?;
    std::fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

/// All files of a folder, by their paths in it, sorted.
fn below(root: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut names = BTreeSet::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                names.insert(path.strip_prefix(root)?.to_path_buf());
            }
        }
    }
    Ok(names)
}

/// Writes SHA256SUMS beside the files.
fn checksums(out: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let names = below(out)?;
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
    let mut text = String::from(
        "Isotherm is under the MIT licence or the Apache licence 2.0, as you like. Its programs and\n\
         libraries have these packages in them:\n",
    );
    let mut packages = BTreeMap::new();
    for manifest in MANIFESTS {
        let metadata = metadata(manifest)?;
        for package in linked(&metadata)? {
            let field = |name: &str| package[name].as_str().unwrap_or_default().to_string();
            packages.insert((field("name"), field("version")), package.clone());
        }
    }
    for ((name, version), package) in packages {
        let field = |name: &str| package[name].as_str().context("a field");
        let licence = field("license").with_context(|| format!("{name}: no licence"))?;
        write!(text, "\n== {name} {version}: {licence}\n")?;
        let folder = Path::new(field("manifest_path")?).parent();
        for file in licence_files(folder.context("a folder")?) {
            let kept = std::fs::read(&file)?;
            write!(text, "\n{}\n", String::from_utf8_lossy(&kept).trim())?;
        }
    }
    Ok(text)
}

/// What cargo knows of a workspace.
fn metadata(manifest: &str) -> anyhow::Result<Value> {
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", TARGET, "--manifest-path", manifest])
        .output()
        .context("cannot start cargo")?;
    ensure!(asked.status.success(), "cargo metadata fails");
    Ok(serde_json::from_slice(&asked.stdout)?)
}

/// Packages from elsewhere that the released ones need.
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
    Ok(packages.iter().filter(foreign).collect())
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
