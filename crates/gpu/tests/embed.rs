//! What an emulator does with the library: guest memory, pushbuffers in it, waits, objects.

use isotherm::bundle::DmaSpan;
use isotherm::capture::{Payload, Reader};
use isotherm::trap::Trap;
use isotherm::{Answer, Chip, Fifo, Flip, Gpu, Host, PixelFormat, Stop, SurfaceView, Wait};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

const COLOR: u32 = 0x0010_0000;
const RAM: usize = 64 << 20;

/// Enters a scene's objects and memory; gives the words it pushes.
fn load(gpu: &mut Gpu, name: &str) -> Vec<u32> {
    let scenes = isotherm_scenes::all().unwrap();
    let scene = scenes.into_iter().find(|scene| scene.name == name).unwrap();
    let mut reader = Reader::new(scene.capture.as_slice()).unwrap();
    let mut words = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        match record.payload {
            Payload::Object(object) => drop(gpu.objects_mut().record(&object)),
            Payload::Memory { addr, bytes } => gpu.write_memory(addr, bytes),
            Payload::Push(pushed) => words.extend_from_slice(pushed),
            _ => {}
        }
    }
    words
}

/// The scenes' colour surface.
fn picture(gpu: &mut Gpu) -> Vec<u8> {
    let target = gpu.render_target().unwrap();
    let wanted = SurfaceView::linear(COLOR, 1024, (256, 256), PixelFormat::A8R8G8B8);
    assert_eq!(target, wanted);
    gpu.read_surface(&target).rgba
}

fn drawn(name: &str) -> Vec<u8> {
    let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build().unwrap();
    let words = load(&mut gpu, name);
    let progress = gpu.push(&words).unwrap();
    assert_eq!((progress.taken, progress.wait), (words.len(), None));
    picture(&mut gpu)
}

/// Writes down its calls and waits at those that it is told to.
#[derive(Clone, Default)]
struct Log {
    calls: Arc<Mutex<Vec<String>>>,
    wait: bool,
    writes: bool,
}

impl Log {
    fn call(&self, text: String) -> Answer {
        self.calls.lock().unwrap().push(text);
        if self.wait { Answer::Wait } else { Answer::Go }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

impl Host for Log {
    fn interrupt(&mut self, trap: &Trap) -> Answer {
        self.call(format!("interrupt {:x} {:x}", trap.method, trap.data))
    }

    fn notify(&mut self, address: u32, awaken: bool) -> Answer {
        self.call(format!("notify {address:x} {awaken}"))
    }

    fn flip(&mut self, flip: &Flip) -> Answer {
        let surface = flip.surface.as_ref().map(|surface| surface.address);
        self.call(format!("flip {surface:x?} {} {}", flip.read, flip.write))
    }

    fn wants_writes(&self) -> bool {
        self.writes
    }

    fn wrote(&mut self, address: u32, len: usize) {
        self.call(format!("wrote {address:x} {len:x}"));
    }
}

#[test]
fn words_one_by_one_and_from_memory_draw_the_same() {
    let want = drawn("prim-triangle-fan");
    let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build().unwrap();
    let words = load(&mut gpu, "prim-triangle-fan");
    for word in &words {
        assert_eq!(gpu.push(std::slice::from_ref(word)).unwrap().taken, 1);
    }
    assert!(picture(&mut gpu) == want);

    // The same words in memory: the middle of them is a subroutine elsewhere.
    let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build().unwrap();
    let words = load(&mut gpu, "prim-triangle-fan");
    let mut pusher = isotherm::fifo::Pusher::default();
    let mut cuts = Vec::new();
    for (i, &word) in words.iter().enumerate() {
        if pusher.missing() == 0 {
            cuts.push(i);
        }
        pusher.step(word);
    }
    let (first, second) = (cuts[cuts.len() / 3], cuts[cuts.len() * 2 / 3]);
    let mut main = words[..first].to_vec();
    main.push(0x0200_0000 | 2);
    main.push(0x2000_0000 | 0x0110_0000);
    let mut called = words[first..second].to_vec();
    called.push(0x0002_0000);
    let bytes = |words: &[u32]| {
        words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    gpu.write_memory(0x0100_0000, &bytes(&main));
    gpu.write_memory(0x0200_0000, &bytes(&called));
    gpu.write_memory(0x0110_0000, &bytes(&words[second..]));
    let limit = RAM as u32 - 1;
    let mut fifo = Fifo::new(DmaSpan { base: 0, limit });
    fifo.get = 0x0100_0000;
    fifo.put = 0x0110_0000 + 4 * (words.len() - second) as u32;
    let mut calls = 0;
    // A budget of a few words each time: it goes on where it was.
    while gpu.fetch(&mut fifo, 7).unwrap() == Stop::Budget {
        calls += 1;
    }
    assert_eq!(fifo.get, fifo.put);
    assert!(calls > 10, "{calls}");
    assert!(picture(&mut gpu) == want);
}

#[test]
fn bad_pushbuffers_stop_with_a_reason() {
    let mut gpu = Gpu::new(Chip::Nv2a);
    let mut run = |words: &[u32], budget| {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        gpu.write_memory(0x1000, &bytes);
        let mut fifo = Fifo::new(DmaSpan {
            base: 0x1000,
            limit: 0xFF,
        });
        fifo.put = 0x80;
        (gpu.fetch(&mut fifo, budget).unwrap(), fifo.get)
    };
    assert_eq!(run(&[0xFFFF_FFFC], 9), (Stop::Command(0xFFFF_FFFC), 0));
    assert_eq!(run(&[0x0002_0000], 9), (Stop::Nesting, 0));
    assert_eq!(run(&[8 | 2, 0, 8 | 2], 9), (Stop::Nesting, 8));
    assert_eq!(run(&[1], 9), (Stop::Budget, 0));
    assert_eq!(run(&[0x1000 | 1], 9), (Stop::Outside, 0x1000));
}

#[test]
fn a_host_stops_the_chip_and_it_goes_on() {
    let log = Log {
        wait: true,
        ..Log::default()
    };
    let mut gpu = Gpu::builder(Chip::Nv2a).host(log.clone()).build().unwrap();
    let words = load(&mut gpu, "prim-quads");
    // Before the scene's own words: the driver's handler, and a method that no class has.
    let mut all = vec![1 << 18, 13, 1 << 18 | 0x100, 7, 1 << 18 | 0x1FFC, 9];
    all.extend(&words);
    all.extend([1 << 18 | 0x130, 0]);
    let mut at = 0;
    let mut waits = Vec::new();
    loop {
        let progress = gpu.push(&all[at..]).unwrap();
        at += progress.taken;
        match progress.wait {
            Some(wait) => waits.push((at, wait)),
            None => break,
        }
    }
    assert_eq!(at, all.len());
    let [
        (4, Wait::Interrupt(call)),
        (6, Wait::Interrupt(bad)),
        (last, Wait::Flip(flip)),
    ] = waits.as_slice()
    else {
        panic!("{waits:?}");
    };
    assert_eq!((call.method, call.data), (0x100, 7));
    assert!(bad.unknown_method());
    assert_eq!(*last, all.len());
    assert!(flip.stalls());
    assert!(picture(&mut gpu) == drawn("prim-quads"));
    assert_eq!(
        log.take(),
        [
            "interrupt 100 7",
            "interrupt 1ffc 9",
            "flip Some(100000) 0 0"
        ]
    );
}

#[test]
fn semaphores_notifiers_and_writes_come_in_order() {
    let log = Log {
        writes: true,
        ..Log::default()
    };
    let mut gpu = Gpu::builder(Chip::Nv2a).host(log.clone()).build().unwrap();
    let words = load(&mut gpu, "prim-quads");
    gpu.push(&words).unwrap();
    gpu.finish();
    log.take();
    gpu.objects_mut()
        .dma(20, 0x9000, 0xFFF)
        .dma(21, 0xA000, 0x1F);
    gpu.write_memory(0xA000, &[0xFF; 32]);
    let mut method = |method: u16, data: u32| gpu.method(0, method, data).unwrap();
    // A clear of one line, then a semaphore in the object of SET_CONTEXT_DMA_SEMAPHORE.
    method(0x1D98, 255 << 16);
    method(0x1D9C, 0);
    method(0x1D94, 0xF0);
    assert!(log.take().is_empty());
    method(0x1A4, 20);
    method(0x1D6C, 0x10);
    method(0x1D70, 0x1234);
    assert_eq!(
        log.take(),
        [
            "wrote 9000 1000",
            "wrote 100000 40000",
            "wrote 200000 40000"
        ]
    );
    method(0x180, 21);
    assert_eq!(method(0x104, 1).trap, None);
    assert_eq!(method(0x104, 0).trap, None);
    assert_eq!(
        log.take(),
        [
            "wrote a000 1000",
            "notify a000 true",
            "wrote a000 1000",
            "notify a000 false"
        ]
    );
    assert_eq!(gpu.memory.read_u32(0x9010), 0x1234);
    assert_eq!(gpu.memory.bytes(0xA000, 32), [[0; 16], [0xFF; 16]].concat());
}

#[test]
fn semaphores_of_the_channel_are_waited_for() {
    let mut gpu = Gpu::builder(Chip::Nv2a)
        .host(Log::default())
        .build()
        .unwrap();
    gpu.objects_mut().dma(20, 0x9000, 0xFFF);
    let one = |method: u32, data: u32| [1 << 18 | method, data];
    let words = [
        one(0x50, 77),
        one(0x60, 20),
        one(0x64, 0x10),
        one(0x68, 5),
        one(0x6C, 6),
    ]
    .concat();
    let progress = gpu.push(&words).unwrap();
    let wait = Wait::Semaphore {
        address: 0x9010,
        value: 5,
    };
    // The header was taken, the method was not.
    assert_eq!((progress.taken, progress.wait), (7, Some(wait.clone())));
    assert_eq!(gpu.push(&words[7..]).unwrap().wait, Some(wait));
    gpu.write_memory(0x9010, &5u32.to_le_bytes());
    let progress = gpu.push(&words[7..]).unwrap();
    assert_eq!((progress.taken, progress.wait), (3, None));
    assert_eq!((gpu.memory.read_u32(0x9010), gpu.reference()), (6, 77));
}

#[test]
fn a_bad_method_says_why() {
    let mut gpu = Gpu::new(Chip::Nv2a);
    gpu.objects_mut().graphics(1, 0x97);
    assert_eq!(gpu.method(0, 0, 1).unwrap().trap, None);
    let trap = gpu.method(0, 0x1FFC, 3).unwrap().trap.unwrap();
    assert!(trap.unknown_method());
    assert_eq!((trap.method, trap.data, trap.class), (0x1FFC, 3, 0x97));
    assert!(Gpu::new(Chip::Mali400).method(0, 0, 1).is_err());
}

/// Draws a textured scene from borrowed memory, changes the texture behind the chip's back,
/// draws again.
fn changed_texture(announce: bool, check: bool) -> (bool, Vec<u8>) {
    const TEXTURE: usize = 0x0030_0000;
    let mut ram = vec![0u8; RAM];
    let start = NonNull::new(ram.as_mut_ptr()).unwrap();
    // SAFETY: the vector outlives the chip, and is touched through this pointer alone, between
    // the chip's calls.
    let builder = unsafe { Gpu::builder(Chip::Nv2a).memory_mapped(start, RAM) };
    let mut gpu = builder.threads(1).check_memory(check).build().unwrap();
    let words = load(&mut gpu, "tex-nearest");
    gpu.push(&words).unwrap();
    let before = picture(&mut gpu);
    assert!(before == drawn("tex-nearest"));
    // SAFETY: no call of the chip is under way.
    unsafe { start.add(TEXTURE).write_bytes(0x5A, 64 * 64 * 4) };
    if announce {
        gpu.cpu_wrote(TEXTURE as u32, 64 * 64 * 4);
    }
    gpu.push(&words).unwrap();
    let after = picture(&mut gpu);
    drop(gpu);
    // What was drawn is in the guest's memory.
    let b = ram[COLOR as usize + 128 * 1024 + 512];
    assert_eq!(b, after[(128 * 256 + 128) * 4 + 2]);
    (before != after, after)
}

#[test]
fn guest_memory_is_not_copied() {
    let (changed, announced) = changed_texture(true, false);
    assert!(changed);
    assert_eq!(announced[(128 * 256 + 128) * 4..][..4], [0x5A; 4]);
    let (changed, checked) = changed_texture(false, true);
    assert!(changed && checked == announced);
}

#[test]
fn the_arcade_board_has_more_memory() {
    let mut gpu = Gpu::builder(Chip::Nv2a)
        .memory_size(128 << 20)
        .build()
        .unwrap();
    gpu.write_memory(100 << 20, &[7]);
    assert_eq!(gpu.memory.read_u8(100 << 20), 7);
    assert_eq!(gpu.memory.read_u8(36 << 20), 0);
    assert!(Gpu::builder(Chip::Nv2a).memory_size(99).build().is_err());
}
