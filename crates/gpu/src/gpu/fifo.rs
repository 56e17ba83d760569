//! The DMA pusher: words from a pushbuffer in memory.

use super::{Gpu, Wait};
use isotherm_bus::bundle::DmaSpan;
use isotherm_capture::Problem;
use isotherm_fe::fifo::{Header, header};

/// Words that are read from memory at once.
const CHUNK: usize = 2048;

/// A channel's place in its pushbuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fifo {
    /// The memory that addresses are relative to.
    pub memory: DmaSpan,
    /// Where the next word is.
    pub get: u32,
    /// Where the words end.
    pub put: u32,
    /// Where a call returns to. The chip has one return address.
    pub return_to: Option<u32>,
}

impl Fifo {
    /// An empty channel whose pushbuffer lies in this memory.
    pub fn new(memory: DmaSpan) -> Fifo {
        Fifo {
            memory,
            get: 0,
            put: 0,
            return_to: None,
        }
    }
}

/// Why the pusher stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// GET has reached PUT.
    Empty,
    /// The host wants to wait; fetch again to go on.
    Wait(Wait),
    /// As many words as were allowed.
    Budget,
    /// A word that is no command, at GET; the real pusher raises an interrupt.
    Command(u32),
    /// A call within a call, or a return without one, at GET.
    Nesting,
    /// GET is outside the pushbuffer's memory.
    Outside,
}

impl Gpu {
    /// Fetches and runs words from GET to PUT, at most `budget` of them: jumps may run in a
    /// circle.
    ///
    /// ```
    /// use isotherm::bundle::DmaSpan;
    /// use isotherm::{Chip, Fifo, Gpu, Stop};
    /// let mut gpu = Gpu::new(Chip::Nv2a);
    /// gpu.objects_mut().graphics(0x97, 0x97);
    /// // At 1000h: bind the object of handle 97h to subchannel 0, then jump to 1000h again.
    /// let words = [1 << 18, 0x97, 0x1000 | 1];
    /// gpu.write_memory(0x1000, &words.map(u32::to_le_bytes).concat());
    /// let mut fifo = Fifo::new(DmaSpan { base: 0, limit: 0x03FF_FFFF });
    /// (fifo.get, fifo.put) = (0x1000, 0x1008);
    /// assert_eq!(gpu.fetch(&mut fifo, 100)?, Stop::Empty);
    /// fifo.put = 0x2000;
    /// assert_eq!(gpu.fetch(&mut fifo, 100)?, Stop::Budget);
    /// # Ok::<(), isotherm::capture::Problem>(())
    /// ```
    pub fn fetch(&mut self, fifo: &mut Fifo, budget: u64) -> Result<Stop, Problem> {
        let mut left = budget;
        let mut words = Vec::new();
        while fifo.get != fifo.put {
            if left == 0 {
                return Ok(Stop::Budget);
            }
            if fifo.get > fifo.memory.limit {
                return Ok(Stop::Outside);
            }
            let data = self.engine.missing_data();
            let first = fifo.memory.base.wrapping_add(fifo.get);
            let ahead = 4 * data.clamp(1, CHUNK);
            self.engine.before_read(&mut self.memory, (first, ahead));
            if data == 0 {
                left -= 1;
                let word = self.memory.read_u32(first);
                if let Some(stop) = self.command(fifo, word)? {
                    return Ok(stop);
                }
                continue;
            }
            let ahead = (fifo.put.wrapping_sub(fifo.get) / 4) as usize;
            let inside = ((fifo.memory.limit - fifo.get) / 4 + 1) as usize;
            let count = data.min(ahead.max(1)).min(inside).min(CHUNK);
            let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
            left -= count as u64;
            words.clear();
            words
                .extend((0..count as u32).map(|i| self.memory.read_u32(first.wrapping_add(4 * i))));
            let progress = self.push(&words)?;
            fifo.get = fifo.get.wrapping_add(4 * progress.taken as u32);
            if let Some(wait) = progress.wait {
                return Ok(Stop::Wait(wait));
            }
        }
        Ok(Stop::Empty)
    }

    /// A word that is no data.
    fn command(&mut self, fifo: &mut Fifo, word: u32) -> Result<Option<Stop>, Problem> {
        let next = fifo.get.wrapping_add(4);
        match header(word) {
            Header::Methods { .. } => {
                self.push(&[word])?;
                fifo.get = next;
            }
            Header::Jump(to) => fifo.get = to,
            Header::Call(to) if fifo.return_to.is_none() => {
                fifo.return_to = Some(next);
                fifo.get = to;
            }
            Header::Call(_) => return Ok(Some(Stop::Nesting)),
            Header::Return => match fifo.return_to.take() {
                Some(to) => fifo.get = to,
                None => return Ok(Some(Stop::Nesting)),
            },
            Header::Unknown => return Ok(Some(Stop::Command(word))),
        }
        Ok(None)
    }
}
