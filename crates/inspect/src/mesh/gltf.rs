//! Meshes as glTF 2.0, everything in one file.

use crate::follow::Shape;
use serde_json::{Value, json};

/// What the numbers of an accessor are.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const UNSIGNED_BYTE: u32 = 5121;

/// A buffer that views and accessors point into.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds numbers; says which accessor has them.
    fn add(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        accessor["bufferView"] = self.views.len().into();
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// A mesh: a position per vertex, a colour per vertex or none, and what the vertices make.
pub fn document(positions: &[[f32; 4]], colors: &[[u8; 4]], shapes: &[Shape]) -> String {
    let mut buffer = Buffer::default();
    // glTF has no word for what is no number.
    let number = |c: f32| if c.is_finite() { c } else { 0.0 };
    let points: Vec<[f32; 3]> = positions
        .iter()
        .map(|[x, y, z, _]| [*x, *y, *z].map(number))
        .collect();
    let bytes: Vec<u8> = points
        .iter()
        .flatten()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    let bound = |pick: fn(f32, f32) -> f32| {
        let first = points.first().copied().unwrap_or_default();
        points
            .iter()
            .fold(first, |all, p| [0, 1, 2].map(|c| pick(all[c], p[c])))
    };
    let position = buffer.add(
        &bytes,
        json!({ "componentType": FLOAT, "count": points.len(), "type": "VEC3",
            "min": bound(f32::min), "max": bound(f32::max) }),
    );
    let mut attributes = json!({ "POSITION": position });
    if !colors.is_empty() && colors.len() == points.len() {
        let accessor = json!({ "componentType": UNSIGNED_BYTE, "normalized": true,
            "count": colors.len(), "type": "VEC4" });
        attributes["COLOR_0"] = buffer.add(colors.as_flattened(), accessor).into();
    }
    let primitives: Vec<Value> = [(1, 0), (2, 1), (3, 4)]
        .into_iter()
        .filter_map(|(corners, mode)| {
            let chosen = shapes.iter().map(Shape::vertices);
            let chosen = chosen.filter(|shape| shape.len() == corners);
            let indices: Vec<u32> = chosen.flatten().map(|v| *v as u32).collect();
            let accessor = json!({ "componentType": UNSIGNED_INT, "count": indices.len(),
                "type": "SCALAR" });
            let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
            (!indices.is_empty()).then(|| {
                json!({ "attributes": attributes, "indices": buffer.add(&bytes, accessor),
                    "mode": mode })
            })
        })
        .collect();
    let data = format!(
        "data:application/octet-stream;base64,{}",
        base64(&buffer.bytes)
    );
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "isotherm" },
        "buffers": [{ "byteLength": buffer.bytes.len(), "uri": data }],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
    });
    if !primitives.is_empty() {
        document["scene"] = 0.into();
        document["scenes"] = json!([{ "nodes": [0] }]);
        document["nodes"] = json!([{ "mesh": 0 }]);
        document["meshes"] = json!([{ "primitives": primitives }]);
    }
    document.to_string()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |i: usize| u32::from(part.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= part.len() { letter as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_everybody_has_it() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_triangle_has_its_parts() {
        let points = [
            [0.0, 0.0, f32::NAN, 1.0],
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 2.0, 0.0, 1.0],
        ];
        let text = document(&points, &[[255; 4]; 3], &[Shape::Triangle([0, 1, 2])]);
        let value: Value = serde_json::from_str(&text).unwrap();
        let primitive = &value["meshes"][0]["primitives"][0];
        assert_eq!(primitive["mode"], 4);
        let indices = primitive["indices"].as_u64().unwrap() as usize;
        assert_eq!(value["accessors"][indices]["count"], 3);
        assert_eq!(value["accessors"][0]["max"], json!([1.0, 2.0, 0.0]));
        let used: u64 = value["bufferViews"]
            .as_array()
            .unwrap()
            .iter()
            .map(|view| view["byteLength"].as_u64().unwrap())
            .sum();
        assert_eq!(value["buffers"][0]["byteLength"], used);
    }
}
