//! Texts and dumps: register dumps in every form, and files of other tools.

#![no_main]

use isotherm::capture::Reader;
use isotherm::import;
use isotherm_regs::dump::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    let imported = match first % 5 {
        0 => {
            let options = Options {
                chip: None,
                form: None,
            };
            let read = dump::read(&mut &*bytes, options, &mut |item| {
                assert!(!item.words.is_empty());
                Ok(())
            });
            if let Err(error) = read {
                assert!(error.to_string().len() < 2000);
            }
            return;
        }
        1 => import::lima_dump(&text),
        2 => import::trace_lines(&text),
        3 => import::lima_kernel_dump(bytes),
        _ => import::rrc(bytes),
    };
    if let Ok(imported) = imported {
        let mut reader = Reader::new(&*imported.capture).expect("a capture");
        while reader.next_record().expect("whole records").is_some() {}
    }
});
