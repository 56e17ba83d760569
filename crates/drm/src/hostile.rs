//! Programs that mean harm: any number with any bytes gets an answer, and the device lives on.

use crate::core;
use crate::device::Device;
use crate::request::{Number, Request};
use crate::user::Errno;
use isotherm_lanes::Random;

/// Bytes of the memory that requests point into.
const ARENA: usize = 1 << 16;
/// The errors that a kernel gives. An input/output error would be a panic of ours.
const ERRORS: [Errno; 10] = [
    libc::EINVAL,
    libc::ENOENT,
    libc::EFAULT,
    libc::ENOMEM,
    libc::ENOSPC,
    libc::EACCES,
    libc::EOPNOTSUPP,
    libc::EBADF,
    libc::EMFILE,
    libc::ENOSYS,
];
/// Numbers whose answer has a descriptor, and where.
const DESCRIPTORS: [(u8, usize); 2] = [(0x2d, 8), (0xc1, 8)];

/// Sends an ioctl as a driver does.
fn send(device: &Device, number: u8, size: usize, request: &mut [u8]) -> Result<(), Errno> {
    let (number, at) = (
        Number {
            letter: b'd',
            number,
            size: size.min(request.len()),
        },
        request.as_mut_ptr() as u64,
    );
    device.call(move |card| {
        let mut request = Request::read(at, number.size)?;
        core::ioctl(card, number, &mut request)?;
        request.write_back()
    })
}

/// A word that might mean something: a small number, a handle, any bits.
fn word(random: &mut Random) -> u32 {
    match random.below(8) {
        0..=3 => random.below(6),
        4 => random.below(64),
        5 => 1 << random.below(32),
        6 => 0u32.wrapping_sub(random.below(4)),
        _ => random.next_u32(),
    }
}

/// An address: in the arena, nowhere, or where only the kernel may look.
fn address(random: &mut Random, arena: u64) -> u64 {
    match random.below(6) {
        0 => u64::from(random.below(4096)),
        1 => u64::MAX - u64::from(random.below(4096)),
        2 => 0xffff_8000_0000_0000,
        _ => arena + u64::from(random.below(ARENA as u32)),
    }
}

/// Fills bytes with words, and with an address now and then.
fn fill(random: &mut Random, bytes: &mut [u8], arena: u64) {
    let mut at = 0;
    while at + 8 <= bytes.len() {
        if random.one_in(3) {
            bytes[at..at + 8].copy_from_slice(&address(random, arena).to_le_bytes());
        } else {
            bytes[at..at + 4].copy_from_slice(&word(random).to_le_bytes());
            bytes[at + 4..at + 8].copy_from_slice(&word(random).to_le_bytes());
        }
        at += 8;
    }
}

/// A number: any of the 256, or one that a driver sends.
fn number(random: &mut Random) -> u8 {
    const USUAL: [u8; 16] = [
        0x00, 0x09, 0x0c, 0x2d, 0x2e, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x47, 0x80, 0x81, 0x84,
        0xbf,
    ];
    if random.one_in(4) {
        random.next_u32() as u8
    } else {
        random.pick(&USUAL)
    }
}

fn attack(board: &str, rounds: u32, seed: u64) {
    let device = Device::start(board).unwrap();
    let mut random = Random::new(seed);
    let mut arena = vec![0; ARENA];
    let base = arena.as_ptr() as u64;
    let mut request = vec![0; 1 << 14];
    for round in 0..rounds {
        let number = number(&mut random);
        let size = random.pick(&[8, 16, 24, 32, 40, 48, 56, 64, 88, 136, 0, 5, 4096, 16383]);
        if round % 16 == 0 {
            fill(&mut random, &mut arena, base);
        }
        let used = size.min(256);
        fill(&mut random, &mut request[..used], base);
        let answer = send(device, number, size, &mut request);
        if let Err(errno) = answer {
            assert!(ERRORS.contains(&errno), "{number:02x}h: errno {errno}");
        } else if let Some((_, at)) = DESCRIPTORS.iter().find(|(n, _)| *n == number)
            && size >= at + 4
        {
            let fd = i32::from_le_bytes(request[*at..at + 4].try_into().unwrap());
            // SAFETY: the answer's descriptor is ours.
            unsafe { libc::close(fd) };
        }
    }
    let mut version = [0; 64];
    assert_eq!(send(device, 0, 64, &mut version), Ok(()));
    assert_eq!(u32::from_le_bytes(version[..4].try_into().unwrap()), 1);
}

/// How many requests a board gets, and the first board's seed: `ISOTHERM_FUZZ_ROUNDS` and
/// `ISOTHERM_FUZZ_SEED` ask for more and for others.
fn rounds_and_seed() -> (u32, u64) {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let rounds = number("ISOTHERM_FUZZ_ROUNDS").unwrap_or(20_000);
    (rounds as u32, number("ISOTHERM_FUZZ_SEED").unwrap_or(1))
}

#[test]
fn nouveau_survives_any_bytes() {
    let _turn = crate::mappings::one_device();
    let (rounds, seed) = rounds_and_seed();
    attack("nv34", rounds, seed);
    attack("nv43", rounds, seed.wrapping_add(1));
}

#[test]
fn lima_survives_any_bytes() {
    let _turn = crate::mappings::one_device();
    let (rounds, seed) = rounds_and_seed();
    attack("mali400mp4", rounds, seed.wrapping_add(2));
}

#[test]
fn calls_of_screens_are_refused_as_by_a_render_node() {
    let device = Device::start("nv34").unwrap();
    let mut request = [0; 64];
    // SET_MASTER, MODE_GETRESOURCES, GEM_FLINK; a number that nothing stands behind.
    for (number, errno) in [
        (0x1e, libc::EACCES),
        (0xa0, libc::EACCES),
        (0x0a, libc::EACCES),
        (0xfe, libc::EINVAL),
        // Synchronisation objects, which lima has and nouveau had not.
        (0xbf, libc::EOPNOTSUPP),
    ] {
        assert_eq!(
            send(device, number, 32, &mut request),
            Err(errno),
            "{number:02x}h"
        );
    }
}

#[test]
fn a_full_board_says_so_and_recovers() {
    let device = Device::start("nv34").unwrap();
    // GEM_NEW of 16 MiB in VRAM.
    let new = |handle: &mut u32| {
        let mut request = [0; 48];
        request[4..8].copy_from_slice(&2u32.to_le_bytes());
        request[8..16].copy_from_slice(&(16u64 << 20).to_le_bytes());
        let answer = send(device, 0x80, 48, &mut request);
        *handle = u32::from_le_bytes(request[..4].try_into().unwrap());
        answer
    };
    let mut last = 0;
    let made = (0..100).take_while(|_| new(&mut last).is_ok()).count();
    assert_eq!(made, 8, "a board of 128 MiB");
    assert_eq!(new(&mut last), Err(libc::ENOMEM));
    let mut close = 3u64.to_le_bytes();
    assert_eq!(send(device, 0x09, 8, &mut close), Ok(()));
    assert_eq!(new(&mut last), Ok(()));
}
