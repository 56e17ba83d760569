//! Frames that are shown in windows: counted, and recorded.

use super::{FileId, device};
use crate::end;
use crate::settings::settings;
use isotherm::capture::Surface;

/// A picture in a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// The buffer's own file, and where in it the picture begins.
    pub file: FileId,
    pub offset: u32,
    pub pitch: u32,
    pub width: u32,
    pub height: u32,
    /// The format's name in captures.
    pub format: &'static str,
}

/// Notes in the recording, if there is one, that a picture is to be looked at now.
pub(super) fn record(frame: &Frame) {
    let Some(device) = device() else { return };
    let frame = *frame;
    let _ = device.call(move |card| {
        if let Some(recorder) = &mut card.recorder {
            let start = card.buffers.address_of(frame.file).ok_or(libc::ENOENT)?;
            recorder.surface(Some(Surface {
                addr: start.wrapping_add(frame.offset),
                pitch: frame.pitch,
                width: frame.width,
                height: frame.height,
                format: frame.format.into(),
                source: "color".into(),
                ..Surface::default()
            }));
        }
        Ok(())
    });
}

/// A frame was shown. The program ends if it was the last one wanted.
pub(super) fn shown() {
    if let (Some(device), Some(settings)) = (device(), settings()) {
        end::frame_shown(device, settings);
    }
}
