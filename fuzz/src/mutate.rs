//! Mutation of captures record by record: the container stays whole, so that what changes is
//! what the chip sees.

use isotherm_lanes::Random;

/// A record as it lies in the file.
struct Record<'a> {
    tag: [u8; 4],
    payload: std::borrow::Cow<'a, [u8]>,
}

/// The magic's length.
const MAGIC: usize = 8;

/// The records of a plain capture, as far as they are whole.
fn records(file: &[u8]) -> Vec<Record<'_>> {
    let mut rest = file.get(MAGIC..).unwrap_or_default();
    let mut found = Vec::new();
    while let Some((header, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, len @ ..] = *header;
        let len = u32::from_le_bytes(len) as usize;
        let Some((payload, after)) = after.split_at_checked(len) else {
            break;
        };
        let (tag, payload) = ([a, b, c, d], payload.into());
        found.push(Record { tag, payload });
        rest = after;
    }
    found
}

/// A mutated capture of at most `most` bytes, in the place of the first `size` bytes of
/// `data`. Returns its size.
pub fn capture(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let file = data[..size].to_vec();
    let mut random = Random::new(seed.into());
    let mut list = records(&file);
    // Numbers of the first record, INFO, stay: they name the chip.
    if list.len() < 2 {
        return size;
    }
    for _ in 0..=random.below(6) {
        let at = 1 + random.below(list.len() as u32 - 1) as usize;
        match random.below(16) {
            0 if list.len() > 2 => drop(list.remove(at)),
            1 => {
                let copy = Record {
                    tag: list[at].tag,
                    payload: list[at].payload.clone(),
                };
                list.insert(at, copy);
            }
            2 => {
                let other = 1 + random.below(list.len() as u32 - 1) as usize;
                list.swap(at, other);
            }
            _ => change(&mut list[at], &mut random),
        }
    }
    let mut out = file[..MAGIC].to_vec();
    for record in &list {
        out.extend(record.tag);
        out.extend((record.payload.len() as u32).to_le_bytes());
        out.extend(&*record.payload);
    }
    let len = out.len().min(most).min(data.len());
    data[..len].copy_from_slice(&out[..len]);
    len
}

/// Changes a payload where it means something.
fn change(record: &mut Record<'_>, random: &mut Random) {
    let payload = record.payload.to_mut();
    match &record.tag {
        b"PUSH" => words(payload, random),
        // The address, or some bytes behind it.
        b"MEM " if random.one_in(4) => word(payload, 0, random),
        b"MEM " | b"REG " | b"COPY" | b"GP  " | b"PP  " => {
            let count = (payload.len() / 4).max(1) as u32;
            for _ in 0..=random.below(4) {
                word(payload, 4 * random.below(count) as usize, random);
            }
        }
        // Digits of JSON stay digits.
        _ => {
            let digit = |byte: &&mut u8| byte.is_ascii_digit();
            let mut digits: Vec<&mut u8> = payload.iter_mut().filter(digit).collect();
            if !digits.is_empty() {
                let at = random.below(digits.len() as u32) as usize;
                *digits[at] = b'0' + random.below(10) as u8;
            }
        }
    }
}

/// Changes words of a pushbuffer: values, methods, whole runs.
fn words(payload: &mut Vec<u8>, random: &mut Random) {
    let count = (payload.len() / 4) as u32;
    if count == 0 {
        return;
    }
    for _ in 0..=random.below(8) {
        let at = 4 * random.below(count) as usize;
        match random.below(10) {
            // Another method, perhaps on another subchannel.
            0 => {
                let header = 1 << 18 | random.below(4) << 13 | 4 * random.below(0x800);
                put(payload, at, header);
            }
            // A run that comes again, somewhere else.
            1 => {
                let len = 4 * (1 + random.below(64)) as usize;
                let end = (at + len).min(payload.len());
                let run = payload[at..end].to_vec();
                let to = 4 * random.below(count) as usize;
                let end = (to + run.len()).min(payload.len());
                payload[to..end].copy_from_slice(&run[..end - to]);
            }
            _ => word(payload, at, random),
        }
    }
}

/// Gives a word another value: a small one, an edge, a float, one that differs in a bit.
fn word(payload: &mut [u8], at: usize, random: &mut Random) {
    let Some(bytes) = payload.get(at..at + 4) else {
        return;
    };
    let old = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let edges = [
        0,
        1,
        0x7F,
        0xFFFF,
        0x7FFF_7FFF,
        0x03FF_FFFF,
        0x0400_0000,
        1 << 31,
        !0,
    ];
    let new = match random.below(7) {
        0 => random.pick(&edges),
        1 => old ^ 1 << random.below(32),
        2 => old.wrapping_add(random.below(9)).wrapping_sub(4),
        3 => (random.unit() * 1000.0 - 200.0).to_bits(),
        4 => random.next_u32(),
        5 => old & !0xFFFF | random.below(0x1_0000),
        _ => old.rotate_left(16),
    };
    put(payload, at, new);
}

fn put(payload: &mut [u8], at: usize, word: u32) {
    if let Some(bytes) = payload.get_mut(at..at + 4) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}
