//! Looking: surfaces, words, draws, pixels.

use crate::border::{IsoGpu, enter, null, outside, slice};
use crate::bytes::{IsoBytes, hand_out};
use crate::config::{chip, text};
use crate::status::{Failure, IsoStatus};
use crate::structs::{self, IsoSurface};
use isotherm::{DrawReport, SurfaceView, words};
use serde_json::{Value, json};
use std::ffi::c_char;

/// The colour surface that is bound now. ISO_STATUS_NOTHING if there is none.
///
/// # Safety
/// gpu is NULL or a live handle, here and below; surface is NULL or valid, its size set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_color_target(gpu: *mut IsoGpu, surface: *mut IsoSurface) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe { enter(gpu, |inner| show(inner.gpu.render_target(), surface)) }
}

/// The depth surface that is bound now. ISO_STATUS_NOTHING if there is none.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_depth_target(gpu: *mut IsoGpu, surface: *mut IsoSurface) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe { enter(gpu, |inner| show(inner.gpu.depth(), surface)) }
}

/// # Safety
/// `surface` is null or valid, its size set.
unsafe fn show(
    target: Option<SurfaceView>,
    surface: *mut IsoSurface,
) -> Result<IsoStatus, Failure> {
    if surface.is_null() {
        return Err(null("surface"));
    }
    let Some(target) = target else {
        return Ok(IsoStatus::Nothing);
    };
    // SAFETY: by the contract.
    unsafe { structs::write(surface, &IsoSurface::from(&target), "surface") }?;
    Ok(IsoStatus::Ok)
}

/// What is too short, and how long it should be.
fn short(what: &str, len: usize, wanted: usize) -> Failure {
    let text = format!("{what} has {len}, {wanted} are needed");
    (IsoStatus::ShortBuffer, text)
}

/// Most pixels of a surface that can be read; larger ones do not exist.
const MOST: u64 = 1 << 26;

fn bounded(view: SurfaceView) -> Result<SurfaceView, Failure> {
    let samples = u64::from(view.samples.0) * u64::from(view.samples.1);
    let pixels = u64::from(view.width).saturating_mul(u64::from(view.height));
    if pixels.saturating_mul(samples) > MOST {
        let text = format!("a surface of {}x{}", view.width, view.height);
        return Err((IsoStatus::BadArgument, text));
    }
    Ok(view)
}

/// Reads a surface when everything so far is drawn: red, green, blue, alpha bytes, the top row
/// first. Needs width * height * 4 bytes.
///
/// # Safety
/// surface is NULL or valid, its size set; rgba is valid for writes of size bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_read_rgba(
    gpu: *mut IsoGpu,
    surface: *const IsoSurface,
    rgba: *mut u8,
    size: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let view = bounded(structs::read(surface, "surface")?.view()?)?;
            let wanted = view.width as usize * view.height as usize * 4;
            let rgba = inner.room(rgba, size, "rgba")?;
            let Some(rgba) = rgba.get_mut(..wanted) else {
                return Err(short("rgba", size, wanted));
            };
            let image = inner.gpu.read_surface(&view);
            if image.rgba.len() != wanted {
                let text = format!("a surface of {}x{}", view.width, view.height);
                return Err((IsoStatus::BadArgument, text));
            }
            rgba.copy_from_slice(&image.rgba);
            Ok(IsoStatus::Ok)
        })
    }
}

/// Reads a surface's words when everything so far is drawn, one for each sample. Needs width *
/// height * samples_x * samples_y words.
///
/// # Safety
/// As above; words is valid for writes of count words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_read_words(
    gpu: *mut IsoGpu,
    surface: *const IsoSurface,
    words: *mut u32,
    count: usize,
) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let view = bounded(structs::read(surface, "surface")?.view()?)?;
            inner.gpu.finish();
            let samples = view.samples.0 as usize * view.samples.1 as usize;
            let wanted = view.width as usize * view.height as usize * samples;
            let words = inner.room(words, count, "words")?;
            let Some(words) = words.get_mut(..wanted) else {
                return Err(short("words", count, wanted));
            };
            let raw = view.raw(&inner.gpu.memory);
            if raw.len() != wanted {
                let text = format!("a surface of {}x{}", view.width, view.height);
                return Err((IsoStatus::BadArgument, text));
            }
            words.copy_from_slice(&raw);
            Ok(IsoStatus::Ok)
        })
    }
}

/// Explains words by the name of what they are ("RASTER", "97:0x1e60", "0x401990", "rsw"), as
/// JSON (isotherm-words-1, docs/json.md).
///
/// # Safety
/// chip and name are C strings; values is valid for reads of count words; out for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_explain(
    chip_name: *const c_char,
    name: *const c_char,
    values: *const u32,
    count: usize,
    out: *mut *mut IsoBytes,
) -> IsoStatus {
    // SAFETY: by the contract.
    outside(|| unsafe {
        let (chip, name) = (chip(chip_name)?, text(name, "name")?);
        let values = slice(values, count, "values")?;
        let json = words::explain_named(chip, name, values)
            .map_err(|error| (IsoStatus::BadArgument, error.to_string()))?;
        hand_out(out, json.to_string().into_bytes())
    })
}

/// From now on draws are drawn one at a time and reported, or no longer. That is slow, and the
/// picture is the same.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_inspect_draws(gpu: *mut IsoGpu, on: i32) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            inner.gpu.inspect_draws(on != 0);
            Ok(IsoStatus::Ok)
        })
    }
}

fn report_json(report: &DrawReport) -> Value {
    let why = report.why_nothing().map(|why| {
        let word = why
            .word
            .map(|(bundle, value)| json!({ "register": bundle.name(), "word": value }));
        json!({ "reason": why.reason.to_string(), "word": word })
    });
    json!({
        "draw": report.number,
        "primitive": report.primitive,
        "vertices": report.vertices,
        "pixels": report.pixels,
        "why_nothing": why,
    })
}

/// What the draws did since the last question, as JSON: {"draws": [{"draw", "primitive",
/// "vertices", "pixels", "why_nothing": null or {"reason", "word"}}]}.
///
/// # Safety
/// As above; out is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_draw_reports(gpu: *mut IsoGpu, out: *mut *mut IsoBytes) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            if out.is_null() {
                return Err(null("out"));
            }
            let reports = inner.gpu.draw_reports();
            let draws: Vec<Value> = reports.iter().map(report_json).collect();
            hand_out(out, json!({ "draws": draws }).to_string().into_bytes())
        })
    }
}

/// Watches the pixel whose word begins at this address of memory; address of -1: none any
/// more.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_pixel_watch(gpu: *mut IsoGpu, address: i64) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            let place = match address {
                -1 => None,
                _ => Some(u32::try_from(address).map_err(|_| {
                    let text = format!("{address} is no address");
                    (IsoStatus::BadArgument, text)
                })?),
            };
            inner.gpu.watch(place);
            Ok(IsoStatus::Ok)
        })
    }
}

/// What draws and clears did to the watched pixel since the last question, as JSON:
/// {"touches": [...]}, each as the key touch of `isotherm pixel --json` (docs/json.md).
///
/// # Safety
/// As above; out is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iso_pixel_history(gpu: *mut IsoGpu, out: *mut *mut IsoBytes) -> IsoStatus {
    // SAFETY: by the contract.
    unsafe {
        enter(gpu, |inner| {
            if out.is_null() {
                return Err(null("out"));
            }
            let touches = inner.gpu.touches();
            let json = serde_json::to_vec(&json!({ "touches": touches }))
                .map_err(|error| (IsoStatus::Internal, error.to_string()))?;
            hand_out(out, json)
        })
    }
}
