//! lima's own dumps: every shader in them disassembles as lima prints it and assembles
//! back to the same words. Needs the shared data.

use isotherm::import::lima_dump::{Item, parse};
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};

#[test]
fn disassembly_and_assembly() {
    let shared = std::env::var("ISOTHERM_SHARED").unwrap_or_else(|_| "../shared".into());
    let Ok(folder) = std::fs::read_dir(format!("{shared}/streams/lima-dumps")) else {
        eprintln!("skipped: no lima dumps in {shared}");
        return;
    };
    let (mut shaders, mut lines_seen, mut odd) = (0, 0, 0);
    for entry in folder {
        let path = entry.unwrap().path();
        let text = zstd::decode_all(std::fs::File::open(&path).unwrap()).unwrap();
        let items = parse(std::str::from_utf8(&text).unwrap()).unwrap();
        for pair in items.windows(2) {
            let [
                Item::Memory { words, .. },
                Item::Disassembly { fragment, lines },
            ] = pair
            else {
                continue;
            };
            shaders += 1;
            let (ours, asm, back) = if *fragment {
                let code = isa_pp::decode_program(words, words.len()).unwrap();
                let asm = isa_pp_text::disasm(&code, Style::Asm);
                let back = isa_pp_text::asm(&asm).unwrap();
                let back: Vec<u32> = back.iter().flat_map(isa_pp::Instr::encode).collect();
                (isa_pp_text::disasm(&code, Style::Lima), asm, back)
            } else {
                let code = isa_gp::decode_program(words);
                let asm = isa_gp_text::disasm(&code, Style::Asm);
                let back = isa_gp::encode_program(&isa_gp_text::asm(&asm).unwrap());
                (isa_gp_text::disasm(&code, Style::Lima), asm, back)
            };
            let ours: Vec<&str> = ours.lines().map(str::trim_end).collect();
            let theirs: Vec<&str> = lines.iter().map(|l| l.trim_end()).collect();
            assert_eq!(ours, theirs, "{}", path.display());
            assert_eq!(&back, words, "{}\n{asm}", path.display());
            lines_seen += theirs.len();
            odd += asm.matches('~').count();
        }
    }
    assert!(shaders > 0);
    println!("{shaders} shaders, {lines_seen} lines; {odd} operations need bits beyond the syntax");
}
