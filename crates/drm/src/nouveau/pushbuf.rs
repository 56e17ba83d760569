//! GEM_PUSHBUF: buffers that must be in place, addresses to be filled in, words to be run.

use super::{domain, domain_of};
use crate::buffers::Space;
use crate::device::Card;
use crate::request::Request;
use crate::user::{self, Errno};
use std::time::Instant;

/// What the kernel allows at most.
const MOST_BUFFERS: u32 = 1024;
const MOST_RELOCATIONS: u32 = 1024;
const MOST_PUSHES: u32 = 512;

/// Words of `drm_nouveau_gem_pushbuf_bo`: a private word of the driver's (two), then these.
mod bo {
    pub const WORDS: usize = 10;
    pub const HANDLE: usize = 2;
    pub const VALID_DOMAINS: usize = 5;
    pub const PRESUMED_VALID: usize = 6;
    pub const PRESUMED_DOMAIN: usize = 7;
    pub const PRESUMED_OFFSET: usize = 8;
}

/// How a relocation makes a word.
mod relocation {
    pub const LOW: u32 = 1;
    pub const HIGH: u32 = 2;
    pub const OR: u32 = 4;
}

/// Ends a pushbuffer on chips that call it: a return.
const RETURN: u32 = 0x0002_0000;

/// Runs a submission.
pub(super) fn ioctl(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let channel = r.u32(0);
    super::channel::get(card, channel)?;
    let count = r.u32(4);
    let list = r.u64(8);
    let mut buffers = user::read_words::<{ bo::WORDS }>(list, count, MOST_BUFFERS)?;
    let relocations = user::read_words::<7>(r.u64(24), r.u32(16), MOST_RELOCATIONS)?;
    let pushes = user::read_words::<6>(r.u64(32), r.u32(20), MOST_PUSHES)?;
    if !pushes.is_empty() {
        super::channel::switch_to(card, channel)?;
        for buffer in &mut buffers {
            place(card, buffer)?;
        }
        for relocation in &relocations {
            relocate(card, &buffers, relocation)?;
        }
        for buffer in &buffers {
            card.announce(buffer[bo::HANDLE])?;
        }
        let began = Instant::now();
        for push in &pushes {
            run(card, &buffers, push)?;
        }
        card.gpu.finish();
        card.stats.submitted(began);
        if let Some(recorder) = &mut card.recorder {
            recorder.settle(&card.gpu.memory);
        }
        let bytes: Vec<u8> = buffers
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        user::write(list, &bytes)?;
    }
    r.set_u32(40, RETURN);
    r.set_u32(44, 0);
    r.set_u64(48, card.buffers.available(Space::Vram));
    r.set_u64(56, card.buffers.available(Space::Gart));
    Ok(())
}

/// Moves a buffer to where this submission wants it, and says so if that is not where the
/// driver presumed it.
fn place(card: &mut Card, entry: &mut [u32; bo::WORDS]) -> Result<(), Errno> {
    let handle = entry[bo::HANDLE];
    let valid = entry[bo::VALID_DOMAINS];
    let buffer = *card.buffers.get(handle)?;
    if domain_of(buffer.space) & valid == 0 {
        let space = match valid {
            v if v & domain::VRAM != 0 => Space::Vram,
            v if v & domain::GART != 0 => Space::Gart,
            _ => return Err(libc::EINVAL),
        };
        card.relocate(handle, space)?;
    }
    let buffer = card.buffers.get(handle)?;
    let domain = domain_of(buffer.space);
    let presumed = [entry[bo::PRESUMED_OFFSET], entry[bo::PRESUMED_OFFSET + 1]];
    let offset = [buffer.offset as u32, (buffer.offset >> 32) as u32];
    if presumed != offset || entry[bo::PRESUMED_DOMAIN] != domain {
        entry[bo::PRESUMED_VALID] = 0;
        entry[bo::PRESUMED_DOMAIN] = domain;
        entry[bo::PRESUMED_OFFSET..bo::PRESUMED_OFFSET + 2].copy_from_slice(&offset);
    }
    Ok(())
}

/// The entry with a number.
fn entry(buffers: &[[u32; bo::WORDS]], index: u32) -> Result<&[u32; bo::WORDS], Errno> {
    buffers.get(index as usize).ok_or(libc::EINVAL)
}

/// Fills in an address, if the driver presumed another one.
fn relocate(
    card: &mut Card,
    buffers: &[[u32; bo::WORDS]],
    &[at, offset, of, flags, data, vram, gart]: &[u32; 7],
) -> Result<(), Errno> {
    let of = entry(buffers, of)?;
    if of[bo::PRESUMED_VALID] != 0 {
        return Ok(());
    }
    let target = u64::from(of[bo::PRESUMED_OFFSET]) | u64::from(of[bo::PRESUMED_OFFSET + 1]) << 32;
    let mut word = if flags & relocation::LOW != 0 {
        (target as u32).wrapping_add(data)
    } else if flags & relocation::HIGH != 0 {
        (target.wrapping_add(u64::from(data)) >> 32) as u32
    } else {
        data
    };
    if flags & relocation::OR != 0 {
        word |= if of[bo::PRESUMED_DOMAIN] == domain::GART {
            gart
        } else {
            vram
        };
    }
    let place = card.buffers.get(entry(buffers, at)?[bo::HANDLE])?;
    if u64::from(offset) + 4 > place.size {
        return Err(libc::EINVAL);
    }
    let addr = place.address() + offset;
    card.gpu.memory.write_u32(addr, word);
    Ok(())
}

/// Runs the words of one entry.
fn run(
    card: &mut Card,
    buffers: &[[u32; bo::WORDS]],
    &[index, _, offset, _, length, _]: &[u32; 6],
) -> Result<(), Errno> {
    let buffer = card.buffers.get(entry(buffers, index)?[bo::HANDLE])?;
    // The bits above say how to fetch them.
    let length = length & 0x007f_ffff;
    if u64::from(offset) + u64::from(length) > buffer.size {
        return Err(libc::EINVAL);
    }
    let addr = buffer.address() + offset;
    let bytes = card.gpu.memory.bytes(addr, length as usize);
    let words: Vec<u32> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect();
    card.stats.words += words.len() as u64;
    if let Some(recorder) = &mut card.recorder {
        recorder.push(&words);
    }
    card.gpu.push(&words).map(|_| ()).map_err(|_| libc::EIO)
}
