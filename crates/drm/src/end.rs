//! The end of a program: recordings are closed, counts are printed. And signals, which end it
//! or ask for a picture.

use crate::device::{Card, Device};
use crate::hook;
use crate::record::Recorder;
use crate::settings::Settings;
use libc::{c_int, c_void};
use std::sync::atomic::{AtomicI32, Ordering};

/// Asks for a picture of what was drawn last.
const PICTURE: c_int = libc::SIGUSR2;
/// Signals that end programs; recordings shall be whole then too.
const ENDINGS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Makes everything ready for the end when the device is plugged in.
pub(crate) fn prepare(device: &'static Device, settings: &'static Settings) {
    note_opening(settings);
    if let Some(path) = &settings.record {
        match Recorder::create(path, &settings.gpu) {
            Ok(recorder) => {
                let _ = device.call(move |card| {
                    card.recorder = Some(recorder);
                    Ok(())
                });
            }
            Err(error) => eprintln!("isotherm: cannot record to {path}: {error}"),
        }
    }
    // SAFETY: the function may be called at any time.
    unsafe { libc::atexit(at_exit) };
    listen(settings);
}

/// Leaves a line for `isotherm run`, which tells people when nobody opened the device.
fn note_opening(settings: &Settings) {
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    let folder = std::path::Path::new(std::ffi::OsStr::from_bytes(&settings.directory));
    let file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(folder.join("opened"));
    if let Ok(mut file) = file {
        let _ = writeln!(file, "{}", std::process::id());
    }
}

extern "C" fn at_exit() {
    finish();
}

/// Closes the recording and prints the counts, once.
fn finish() {
    let Some(device) = hook::device() else {
        return;
    };
    let stats = crate::settings::settings().is_some_and(|settings| settings.stats);
    let _ = device.call(move |card| {
        close_recording(card);
        if stats && card.stats.submissions > 0 {
            eprintln!("isotherm: {}: {}", driver(), card.stats);
        }
        card.stats.submissions = 0;
        Ok(())
    });
}

fn close_recording(card: &mut Card) {
    if let Some(mut recorder) = card.recorder.take() {
        recorder.surface(card.gpu.last_surface());
        recorder.finish();
    }
}

/// The driver that the program has loaded.
fn driver() -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let path = maps
        .lines()
        .filter_map(|line| line.split_once('/').map(|(_, path)| format!("/{path}")))
        .find(|path| path.ends_with("_dri.so") || path.contains("/libgallium"));
    path.unwrap_or_else(|| "no driver".into())
}

/// A frame was shown; ends the program when it was the last one wanted.
pub(crate) fn frame_shown(device: &Device, settings: &Settings) {
    let last = settings.frames;
    let was_last = device.call(move |card| {
        card.stats.frames += 1;
        Ok(last.is_some_and(|last| card.stats.frames >= last))
    });
    if was_last == Ok(true) {
        finish();
        // SAFETY: nothing of the program runs after this. Its own exit handlers may wait for
        // threads that are in the middle of a frame.
        unsafe { libc::_exit(0) };
    }
}

/// The pipe by which a signal's handler reaches the thread that listens.
static SIGNALS: AtomicI32 = AtomicI32::new(-1);

extern "C" fn on_signal(signal: c_int) {
    let number = signal as u8;
    let pipe = SIGNALS.load(Ordering::Relaxed);
    // SAFETY: writing to a pipe is allowed in a handler, and the byte is alive. The place of
    // errno is this thread's own; the code that was interrupted finds it as it left it.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        libc::write(pipe, (&raw const number).cast::<c_void>(), 1);
        *errno = before;
    }
}

/// Listens to signals that the program itself does not care for. Endings matter only while
/// there is something to close.
fn listen(settings: &Settings) {
    let mut pipe = [-1; 2];
    // SAFETY: the array has room for both ends.
    if unsafe { libc::pipe2(pipe.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return;
    }
    SIGNALS.store(pipe[1], Ordering::Relaxed);
    take_over(PICTURE);
    if settings.record.is_some() || settings.stats {
        ENDINGS.iter().for_each(|signal| take_over(*signal));
    }
    let thread = std::thread::Builder::new().name("isotherm-signals".into());
    // Without the thread signals do nothing, which is no reason to stop.
    let _ = thread.spawn(move || wait(pipe[0]));
}

/// Handles a signal, if the program has left it alone.
fn take_over(signal: c_int) {
    // SAFETY: the handler only writes to a pipe.
    unsafe {
        let mut old = std::mem::zeroed::<libc::sigaction>();
        if libc::sigaction(signal, std::ptr::null(), &raw mut old) == 0
            && old.sa_sigaction == libc::SIG_DFL
        {
            let mut new = std::mem::zeroed::<libc::sigaction>();
            new.sa_sigaction = on_signal as *const () as usize;
            new.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &raw const new, std::ptr::null_mut());
        }
    }
}

fn wait(pipe: c_int) {
    let mut signal = 0u8;
    // SAFETY: the byte is alive and the pipe's end stays open.
    while unsafe { libc::read(pipe, (&raw mut signal).cast::<c_void>(), 1) } == 1 {
        let signal = c_int::from(signal);
        if signal == PICTURE {
            dump();
            continue;
        }
        finish();
        // SAFETY: the program ends as it would have without us.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
    }
}

/// Writes what was drawn last as a picture, `isotherm-PROCESS-SUBMISSION.png`.
fn dump() {
    let Some(device) = hook::device() else {
        return;
    };
    let shown = device.call(|card| {
        let image = card.gpu.last_picture().ok_or(libc::ENODATA)?;
        let path = format!(
            "isotherm-{}-{}.png",
            std::process::id(),
            card.stats.submissions
        );
        save(&path, &image).map_err(|_| libc::EIO)?;
        eprintln!("isotherm: wrote {path}");
        Ok(())
    });
    if shown.is_err() {
        eprintln!("isotherm: no picture");
    }
}

fn save(path: &str, image: &isotherm::capture::Image) -> anyhow::Result<()> {
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&image.rgba)?;
    Ok(())
}
