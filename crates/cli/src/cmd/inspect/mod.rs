//! `isotherm inspect`: the inspector's page, served on loopback with a capture open.

mod http;

use crate::input;
use crate::usage::usage;
use anyhow::Context;
use http::{Reply, Request};
use isotherm_inspect::Session;
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Options of `isotherm inspect`.
#[derive(clap::Args, Default)]
#[command(
    after_help = "The page is served on 127.0.0.1 only, behind a random word in its address, and nothing \
leaves the machine. Captures can also be dropped onto the page."
)]
pub struct Args {
    /// The capture; `-` is standard input. Without one, drop it onto the page.
    capture: Option<PathBuf>,
    /// A second capture to compare with.
    #[arg(long, value_name = "FILE", requires = "capture")]
    with: Option<PathBuf>,
    /// The port; any free one unless given.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Serve the page's files from this folder, for those who work on them.
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

/// The page's files, as built in `web/`.
const FILES: [(&str, &str, &[u8]); 4] = [
    (
        "",
        "text/html; charset=utf-8",
        include_bytes!("../../../../../web/dist/index.html"),
    ),
    (
        "app.js",
        "text/javascript",
        include_bytes!("../../../../../web/dist/app.js"),
    ),
    (
        "worker.js",
        "text/javascript",
        include_bytes!("../../../../../web/dist/worker.js"),
    ),
    (
        "app.css",
        "text/css",
        include_bytes!("../../../../../web/dist/app.css"),
    ),
];

/// The open captures: the one that is looked at, and the one that it is compared with.
#[derive(Default)]
struct Desk {
    captures: [Mutex<Option<Session>>; 2],
}

struct Server {
    /// The word that an address has to begin with.
    token: String,
    /// What the browser calls this server.
    hosts: [String; 2],
    desk: Desk,
    page: Option<PathBuf>,
}

/// Serves until it is interrupted.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let desk = Desk::default();
    for (slot, path) in [&args.capture, &args.with].into_iter().enumerate() {
        let Some(path) = path else { continue };
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy();
        let session = Session::open(&name, &input::bytes(path)?);
        let session = session.with_context(|| input::name(path))?;
        *lock(&desk.captures[slot]) = Some(session);
    }
    serve(desk, args, |address| match args.open {
        true => browse(address),
        false => Ok(()),
    })
}

/// Serves with one capture open, in the browser if there is one, until it is interrupted.
#[cfg(target_os = "linux")]
pub fn show(name: &str, capture: &[u8]) -> anyhow::Result<()> {
    let desk = Desk::default();
    *lock(&desk.captures[0]) = Some(Session::open(name, capture)?);
    serve(desk, &Args::default(), |address| {
        if let Err(error) = browse(address) {
            note!("{error:#}");
        }
        Ok(())
    })
}

fn serve(
    desk: Desk,
    args: &Args,
    ready: impl FnOnce(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let server_socket = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .with_context(|| format!("port {}", args.port))?;
    let port = server_socket.local_addr()?.port();
    let server = Arc::new(Server {
        token: token()?,
        hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
        desk,
        page: args.page.clone(),
    });
    let address = format!("http://127.0.0.1:{port}/{}/", server.token);
    say!("{address}");
    note!("the inspector is at this address until you press Ctrl-C");
    ready(&address)?;
    for stream in server_socket.incoming() {
        // A connection that is gone before it was taken is none of our business.
        let Ok(stream) = stream else { continue };
        let server = server.clone();
        std::thread::spawn(move || server.serve(stream));
    }
    Ok(())
}

/// 128 bits that nobody else knows.
fn token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    #[cfg(unix)]
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    #[cfg(not(unix))]
    for part in bytes.chunks_mut(8) {
        use std::hash::{BuildHasher, Hasher};
        let word = std::collections::hash_map::RandomState::new().build_hasher();
        part.copy_from_slice(&word.finish().to_ne_bytes());
    }
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn browse(address: &str) -> anyhow::Result<()> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command
        .arg(address)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map_err(|error| {
        usage(format!(
            "{program} does not start ({error}); open the address yourself"
        ))
    })?;
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    fn serve(&self, mut stream: TcpStream) {
        let reply = match Request::read(&mut stream) {
            Ok(request) => self.reply(request),
            Err(error) => Reply::error(400, error.to_string()),
        };
        // Whoever asked may have gone.
        let _ = reply.write(&mut stream);
    }

    fn reply(&self, request: Request) -> Reply {
        // Another site's name that was made to point here is not ours.
        if !self.hosts.contains(&request.host) {
            return Reply::error(403, "another host".into());
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let Some(path) = path
            .strip_prefix(&self.token)
            .and_then(|path| path.strip_prefix('/'))
        else {
            return Reply::error(404, "no such page".into());
        };
        match (request.method.as_str(), path.split_once('/')) {
            ("GET", Some(("api", question))) => self.ask(0, question),
            ("GET", Some(("other", question))) => self.ask(1, question),
            ("POST", None) => match path.split_once('?') {
                Some(("open", name)) => self.open(0, name, &request.body),
                Some(("open-other", name)) => self.open(1, name, &request.body),
                _ => Reply::error(404, "no such page".into()),
            },
            ("GET", None) => self.file(path),
            _ => Reply::error(404, "no such page".into()),
        }
    }

    /// A file of the page; only those that there are.
    fn file(&self, path: &str) -> Reply {
        let Some((name, kind, bytes)) = FILES.iter().find(|(name, ..)| *name == path) else {
            return Reply::error(404, "no such page".into());
        };
        let name = if name.is_empty() { "index.html" } else { name };
        let found = self
            .page
            .as_ref()
            .map(|folder| std::fs::read(folder.join(name)));
        match found {
            Some(Ok(bytes)) => Reply::new(kind, bytes),
            Some(Err(error)) => Reply::error(404, error.to_string()),
            None => Reply::new(kind, bytes.to_vec()),
        }
    }

    fn open(&self, slot: usize, name: &str, body: &[u8]) -> Reply {
        let name = http::decoded(name.strip_prefix("name=").unwrap_or_default());
        let opened = catch_unwind(AssertUnwindSafe(|| Session::open(&name, body)));
        match opened {
            Ok(Ok(session)) => {
                *lock(&self.desk.captures[slot]) = Some(session);
                Reply::new("application/json", b"{}".to_vec())
            }
            Ok(Err(error)) => Reply::error(422, format!("{name}: {error:#}")),
            Err(_) => Reply::error(500, format!("{name}: the core failed")),
        }
    }

    fn ask(&self, slot: usize, question: &str) -> Reply {
        let mut open = lock(&self.desk.captures[slot]);
        let Some(session) = open.as_mut() else {
            return Reply::error(404, "no capture is open".into());
        };
        // A capture that brings the core down takes nothing else with it.
        let answered = catch_unwind(AssertUnwindSafe(|| session.ask(question)));
        match answered {
            Ok(Ok(answer)) if answer.is_json() => {
                Reply::new("application/json", answer.into_bytes())
            }
            Ok(Ok(answer)) => Reply::new("application/octet-stream", answer.into_bytes()),
            Ok(Err(error)) => Reply::error(422, format!("{error:#}")),
            Err(_) => {
                *open = None;
                Reply::error(500, "the core failed; the capture was closed".into())
            }
        }
    }
}
