//! A host: whom the chip calls for interrupts, notifiers and flips.
//!
//! The words are a frame as a console's driver sends it: a clear, a call of the driver's own
//! handler, a notification, and a flip that waits until the display is ready.

use isotherm::trap::Trap;
use isotherm::{Answer, Chip, Flip, Gpu, Host, Wait};
use std::sync::{Arc, Mutex};

const KELVIN: u32 = 13;
const NOTIFIER: u32 = 7;
const NOTIFIER_ADDRESS: u32 = 0x8000;

/// Notes what it is called for, and lets the chip wait at flips that the display is not ready
/// for.
#[derive(Clone, Default)]
struct Console(Arc<Mutex<Vec<String>>>);

impl Console {
    fn note(&self, what: String) {
        self.0.lock().unwrap().push(what);
    }
}

impl Host for Console {
    fn interrupt(&mut self, trap: &Trap) -> Answer {
        self.note(format!("method {:#x} with {}", trap.method, trap.data));
        Answer::Go
    }

    fn notify(&mut self, address: u32, awaken: bool) -> Answer {
        self.note(format!("notifier at {address:#x}, interrupt: {awaken}"));
        Answer::Go
    }

    fn flip(&mut self, flip: &Flip) -> Answer {
        self.note(format!("flip to {}, shown is {}", flip.write, flip.read));
        if flip.stalls() {
            Answer::Wait
        } else {
            Answer::Go
        }
    }
}

/// Runs the frame.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let console = Console::default();
    let mut gpu = Gpu::builder(Chip::Nv2a).host(console.clone()).build()?;
    gpu.objects_mut()
        .graphics(KELVIN, 0x97)
        .dma(NOTIFIER, NOTIFIER_ADDRESS, 0x1F);
    gpu.write_memory(NOTIFIER_ADDRESS, &[0xFF; 16]);

    // A header says how many words follow, and for which method: one of each here.
    let frame: Vec<u32> = [
        (0x000, KELVIN),
        (0x180, NOTIFIER),
        (0x128, 2), // two pictures
        (0x100, 5), // NO_OPERATION with an argument: an interrupt
        (0x104, 1), // NOTIFY, with an interrupt
        (0x130, 0), // FLIP_STALL: picture 0 is shown and is to be drawn next
        (0x12C, 0), // FLIP_INCREMENT_WRITE
    ]
    .iter()
    .flat_map(|&(method, data)| [1 << 18 | method, data])
    .collect();

    let progress = gpu.push(&frame)?;
    assert!(matches!(progress.wait, Some(Wait::Flip(_))));
    // The flip is the last but one: the display has to go on first.
    assert_eq!(progress.taken, frame.len() - 2);
    gpu.picture_shown();
    let progress = gpu.push(&frame[progress.taken..])?;
    assert_eq!((progress.taken, progress.wait), (2, None));

    assert_eq!(gpu.memory.bytes(NOTIFIER_ADDRESS, 16), [0; 16]);
    let notes = console.0.lock().unwrap();
    notes.iter().for_each(|note| println!("{note}"));
    assert_eq!(
        *notes,
        [
            "method 0x100 with 5",
            "notifier at 0x8000, interrupt: true",
            "flip to 0, shown is 0",
        ]
    );
    Ok(())
}
