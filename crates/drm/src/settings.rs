//! What `isotherm run` asks for, by environment variables.

use std::sync::OnceLock;

/// Which board, the directory with its files, and what else is wanted.
pub(crate) struct Settings {
    /// `ISOTHERM_GPU`: the board.
    pub gpu: String,
    /// `ISOTHERM_DRM_FILES`: where its files are.
    pub directory: Vec<u8>,
    /// `ISOTHERM_RECORD`: the recording's file.
    pub record: Option<String>,
    /// `ISOTHERM_FRAMES`: end the program after so many frames.
    pub frames: Option<u64>,
    /// `ISOTHERM_LOG=ioctl`: print each call and its answer.
    pub log: bool,
    /// `ISOTHERM_STATS`: print what was done at the end.
    pub stats: bool,
}

/// The settings; none where no board is wanted.
pub(crate) fn settings() -> Option<&'static Settings> {
    static SETTINGS: OnceLock<Option<Settings>> = OnceLock::new();
    SETTINGS.get_or_init(read).as_ref()
}

fn read() -> Option<Settings> {
    let get = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    Some(Settings {
        gpu: get("ISOTHERM_GPU")?,
        directory: get("ISOTHERM_DRM_FILES")?.into_bytes(),
        record: get("ISOTHERM_RECORD"),
        frames: get("ISOTHERM_FRAMES").and_then(|text| text.parse().ok()),
        log: get("ISOTHERM_LOG").is_some_and(|log| log.split(',').any(|word| word == "ioctl")),
        stats: get("ISOTHERM_STATS").is_some(),
    })
}

/// Read when the library is loaded: later a program may have changed its environment, or be
/// a child that must not wait for a lock of its parent's.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static READ_AT_START: extern "C" fn() = {
    extern "C" fn at_start() {
        settings();
    }
    at_start
};
