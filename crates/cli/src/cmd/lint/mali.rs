//! Render states of a Mali that contradict themselves.

use super::Found;
use crate::show::many;
use anyhow::Context;
use isotherm::capture::{Payload, Reader};
use isotherm::mali::{self, Machine};
use isotherm::memory::Memory;

/// The remarks, and how much there was to look at.
pub fn look(reader: &mut Reader<'_>) -> anyhow::Result<(Found, String)> {
    let mut mem = Memory::new(isotherm::Chip::Mali400);
    let mut machine = Machine::new();
    let (mut jobs, mut draws) = (0, 0);
    let mut found = Found::new();
    while let Some(record) = reader.next_record()? {
        match record.payload {
            Payload::Memory { addr, bytes } => mem.write(addr, bytes),
            Payload::Copy { dst, src, len } => mem.copy(dst, src, len as usize),
            Payload::Gp(job) => machine.gp_job(&mut mem, job.frame).context("GP job")?,
            Payload::Pp(job) => {
                for remark in mali::lint(&machine, &mem, job.frame).context("PP job")? {
                    let place = format!("job {jobs} draw {} ({:#010x})", remark.draw, remark.rsw);
                    let places = found.entry((remark.code, remark.text)).or_default();
                    places.push(place);
                }
                jobs += 1;
                draws = machine.draws();
            }
            _ => {}
        }
    }
    let (jobs, draws) = (many(jobs, "job"), many(draws, "draw"));
    Ok((found, format!("{jobs}, {draws}")))
}
