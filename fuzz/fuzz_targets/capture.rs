//! The capture reader: any bytes, plain and compressed. What it reads it can write again.

#![no_main]

use isotherm::capture::{Limits, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let limits = Limits {
        record: 1 << 20,
        total: 8 << 20,
        ..Limits::default()
    };
    let Ok(mut reader) = Reader::with_limits(file, limits) else {
        return;
    };
    loop {
        match reader.next_record() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                assert!(error.to_string().len() < 1000);
                break;
            }
        }
    }
});
