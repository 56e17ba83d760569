//! The list of events, with thumbnails.

use super::{Entry, Film};
use crate::follow::target;
use crate::player::{Happened, Kind, Player};
use crate::question::Answer;
use crate::session::mix;
use isotherm::pixel::rop::prepare::Surfaces;
use isotherm::pixel::rop::surface::Plane;
use serde_json::{Value, json};

/// Longest side of a thumbnail.
const SIDE: u32 = 72;
/// Events that one question looks for.
const EVENTS: usize = 64;
/// Pixels that one question draws: more events are the next one's.
const PIXELS: u64 = 1 << 23;
/// Words that the first question looks through.
pub const WORDS: usize = 1 << 20;
/// Events that are listed; what comes after them is left out.
const MOST_EVENTS: usize = 1 << 17;
/// Events with thumbnails.
const MOST_THUMBNAILS: usize = 1 << 13;

/// A small picture: width, and R, G, B, A of each pixel.
pub struct Thumbnail {
    width: u32,
    words: Vec<u32>,
}

impl Film {
    /// The events from a number on, as far as they are found with some work.
    pub fn events(&mut self, from: usize) -> anyhow::Result<Answer> {
        if self.scanned.is_none() && from + EVENTS > self.entries.len() {
            self.scan();
        }
        let listed = self.entries.iter().enumerate().skip(from).take(4 * EVENTS);
        let events: Vec<Value> = listed.map(|(i, entry)| entry.json(i)).collect();
        let (done, error) = match &self.scanned {
            None => (false, None),
            Some(end) => (
                from + events.len() >= self.entries.len(),
                end.as_ref().err(),
            ),
        };
        let frames: Vec<Value> = self
            .surfaces
            .iter()
            .map(|s| json!({ "width": s.width, "height": s.height, "format": s.format, "frame": s.frame }))
            .collect();
        Ok(Answer::Json(json!({
            "events": events, "done": done, "error": error, "frames": frames,
        })))
    }

    /// Looks for more events.
    fn scan(&mut self) {
        let listed = self.entries.len();
        if let Err(error) = self.seek(listed) {
            self.scanned = Some(Err(error.to_string()));
            return;
        }
        let drawn = |film: &Film| film.entries[listed..].iter().map(|e| e.pixels).sum::<u64>();
        while self.entries.len() < listed + EVENTS && drawn(self) < PIXELS {
            if self.player.ended() || self.entries.len() >= MOST_EVENTS {
                self.scanned = Some(Ok(()));
                return;
            }
            self.stands = None;
            let before = self.player.gpu.profile().map_or(0, |p| p.pixels);
            match self.player.step(self.patience) {
                Ok(Some(happened)) => self.list(happened, before),
                // So long without an event: what was done is done again by the next question,
                // which has more patience.
                Ok(None) if !self.player.ended() => {
                    self.patience *= 2;
                    return;
                }
                Ok(None) => {}
                Err(error) => {
                    self.scanned = Some(Err(error.to_string()));
                    return;
                }
            }
            self.stands = Some(self.entries.len());
            // The first draw is what is looked at first: nobody shall wait for the others.
            if listed == 0 && self.is_draw(self.entries.len().wrapping_sub(1)) {
                return;
            }
        }
    }

    /// Puts an event on the list, or to the one before it where they are parts of one blit.
    fn list(&mut self, happened: Happened, pixels_before: u64) {
        let player = &mut self.player;
        let (at, draw) = (player.at, player.gpu.draws());
        let traps = player.mirror.traps.len();
        player.mirror.forget_traps();
        let surfaces = player.mirror.surfaces();
        if let Some(last) = self.entries.last_mut()
            && let (Kind::Blit(a), Kind::Blit(b)) = (last.happened.kind, happened.kind)
            && a == b
            && happened.uploaded == 0
        {
            (last.end, last.traps) = (at, last.traps + traps);
            last.happened.name = happened.name;
            return;
        }
        let words = player.mirror.words.all();
        let changed =
            |(slot, (old, new)): (usize, (&u32, &u32))| (old != new).then_some((slot as u16, *old));
        let changes = self.last_words.iter().zip(words).enumerate();
        let changes = changes.filter_map(changed).collect();
        self.last_words.copy_from_slice(words);
        let room = self.entries.len() < MOST_THUMBNAILS;
        let entry = Entry {
            vertices: match happened.kind {
                Kind::Draw => player.mirror.mesh.numbers.len(),
                _ => 0,
            },
            pixels: player.gpu.profile().map_or(0, |p| p.pixels) - pixels_before,
            digest: digest(player, &surfaces),
            thumbnail: room.then(|| self.small(happened.kind, &surfaces)).flatten(),
            happened,
            end: at,
            draw,
            traps,
            changes,
            surfaces,
        };
        self.entries.push(entry);
        self.keep_checkpoint();
    }

    /// The surface that an event is about, small.
    fn small(&self, kind: Kind, surfaces: &Surfaces) -> Option<Thumbnail> {
        let memory = &self.player.gpu.memory;
        let frame = match kind {
            Kind::Frame(number) => self.surfaces.get(number),
            Kind::Blit(_) if surfaces.color.is_none() => self.surfaces.last(),
            _ => None,
        };
        if let Some(surface) = frame {
            return Some(shrink((surface.width, surface.height), |x, y| {
                u32::from_le_bytes(surface.pixel(memory, x, y))
            }));
        }
        let plane = surfaces.color?;
        let size = target::size(surfaces);
        Some(shrink(size, |x, y| {
            u32::from_le_bytes(target::rgba(memory, surfaces, &plane, x, y))
        }))
    }

    /// An event's small picture.
    pub fn thumbnail(&mut self, event: usize) -> anyhow::Result<Answer> {
        let entry = self.entry(event)?;
        Ok(match &entry.thumbnail {
            Some(small) => {
                let height = small.words.len() as u32 / small.width.max(1);
                let head = json!({ "width": small.width, "height": height });
                Answer::Words(head, small.words.clone())
            }
            None => Answer::Json(Value::Null),
        })
    }
}

/// Every so manyth pixel.
fn shrink((width, height): (u32, u32), pixel: impl Fn(u32, u32) -> u32) -> Thumbnail {
    let longest = width.max(height).max(1);
    let side = |side: u32| (side * SIDE.min(longest) / longest).max(u32::from(side > 0));
    let (w, h) = (side(width), side(height));
    let places = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
    Thumbnail {
        width: w,
        words: places
            .map(|(x, y)| pixel(x * width / w, y * height / h))
            .collect(),
    }
}

/// A number that differs where the colour surface does.
fn digest(player: &Player, surfaces: &Surfaces) -> u64 {
    const MOST: usize = 16 << 20;
    let Some(plane) = surfaces.color else {
        return 0;
    };
    let bytes = player
        .gpu
        .memory
        .bytes(plane.address, reach(&plane, surfaces).min(MOST));
    let (words, _) = bytes.as_chunks::<8>();
    words
        .iter()
        .fold(1, |all, word| mix(all, u64::from_le_bytes(*word)))
}

/// Bytes from a plane's first to its last.
fn reach(plane: &Plane, surfaces: &Surfaces) -> usize {
    let (width, height) = target::size(surfaces);
    let rows = plane.pitch.saturating_mul(height as usize);
    let swizzled = (width as usize * height as usize).saturating_mul(plane.bytes as usize);
    if plane.swizzle.is_some() {
        swizzled
    } else {
        rows
    }
}

impl Entry {
    fn json(&self, number: usize) -> Value {
        let (kind, frame) = match self.happened.kind {
            Kind::Draw => ("draw", None),
            Kind::Clear => ("clear", None),
            Kind::Blit(_) => ("blit", None),
            Kind::Frame(frame) => ("frame", Some(frame)),
        };
        let (width, height) = target::size(&self.surfaces);
        json!({
            "event": number,
            "kind": kind,
            "frame": frame,
            "name": self.happened.name,
            "draw": self.draw,
            "vertices": self.vertices,
            "pixels": self.pixels,
            "traps": self.traps,
            "uploaded": self.happened.uploaded,
            "changes": self.changes.len(),
            "target": self.surfaces.color.map(|plane| plane.address),
            "size": [width, height],
            "digest": format!("{:016x}", self.digest),
            "thumbnail": self.thumbnail.is_some(),
        })
    }
}
