//! Meshes as files: CSV, OBJ and glTF.
//!
//! The loops over vertices stand here and not with the program, which is not optimised.

pub mod gltf;

use crate::follow::{Mesh, Shape};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Positions before the vertex engine: the first attribute.
pub fn places_before(mesh: &Mesh) -> Vec<[f32; 4]> {
    mesh.inputs.iter().map(|v| floats(v.attr[0])).collect()
}

/// Positions behind the vertex engine.
pub fn places_behind(mesh: &Mesh) -> Vec<[f32; 4]> {
    mesh.outputs.iter().map(|v| floats(v.pos)).collect()
}

/// Diffuse colours behind the vertex engine.
pub fn colors(mesh: &Mesh) -> Vec<[u8; 4]> {
    mesh.outputs.iter().map(|v| v.color[0]).collect()
}

/// A number that tells vertices from others as they go into the vertex engine, the same in every
/// run.
pub fn digest(mesh: &Mesh) -> u64 {
    let rows: Vec<_> = mesh.inputs.iter().map(|v| (v.attr, v.edge_flag)).collect();
    let mut hasher = DefaultHasher::new();
    rows.hash(&mut hasher);
    hasher.finish()
}

/// The same for positions alone.
pub fn digest_of_places(places: &[[f32; 4]]) -> u64 {
    let bits: Vec<_> = places.iter().map(|p| p.map(f32::to_bits)).collect();
    let mut hasher = DefaultHasher::new();
    bits.hash(&mut hasher);
    hasher.finish()
}

fn floats(row: [u32; 4]) -> [f32; 4] {
    row.map(f32::from_bits)
}

const XYZW: [&str; 4] = ["x", "y", "z", "w"];

/// A row of the table: commas between what is already text.
fn line(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(text, "{}", cells.join(","));
}

/// Vertices before the vertex engine as CSV: the attributes that any vertex has another value of
/// than 0, 0, 0, 1.
pub fn inputs(mesh: &Mesh) -> String {
    let default = [0, 0, 0, 1f32.to_bits()];
    let used: Vec<usize> = (0..16)
        .filter(|a| *a == 0 || mesh.inputs.iter().any(|v| v.attr[*a] != default))
        .collect();
    let names = |a: &usize| XYZW.map(|c| format!("v{a}.{c}"));
    let mut text = String::new();
    let head = ["vertex".to_string(), "number".into()];
    line(
        &mut text,
        head.into_iter().chain(used.iter().flat_map(names)),
    );
    for (i, vertex) in mesh.inputs.iter().enumerate() {
        let cells = used.iter().flat_map(|a| floats(vertex.attr[*a]));
        let head = [i.to_string(), number(mesh, i)];
        line(
            &mut text,
            head.into_iter().chain(cells.map(|c| c.to_string())),
        );
    }
    text
}

/// The number that a vertex had in its buffer, or nothing.
fn number(mesh: &Mesh, vertex: usize) -> String {
    let number = mesh.numbers.get(vertex).copied().flatten();
    number.map_or(String::new(), |n| n.to_string())
}

/// Vertices behind the vertex engine as CSV.
pub fn outputs(mesh: &Mesh) -> String {
    let colors = ["diffuse", "specular", "back_diffuse", "back_specular"];
    let sets: Vec<usize> = (0..8)
        .filter(|s| mesh.outputs.iter().any(|v| v.tex[*s] != [0; 4]))
        .collect();
    let mut head: Vec<String> = ["vertex", "x", "y", "z", "w", "fog", "point_size"]
        .map(String::from)
        .to_vec();
    head.extend(
        colors
            .iter()
            .flat_map(|c| ["r", "g", "b", "a"].map(|p| format!("{c}.{p}"))),
    );
    head.extend(
        sets.iter()
            .flat_map(|s| XYZW.map(|c| format!("tex{s}.{c}"))),
    );
    let mut text = String::new();
    line(&mut text, head);
    for (i, v) in mesh.outputs.iter().enumerate() {
        let mut cells = vec![i.to_string()];
        cells.extend(floats(v.pos).map(|c| c.to_string()));
        cells.extend([v.fog, v.point_size].map(|w| f32::from_bits(w).to_string()));
        cells.extend(v.color.iter().flatten().map(u8::to_string));
        cells.extend(
            sets.iter()
                .flat_map(|s| floats(v.tex[*s]))
                .map(|c| c.to_string()),
        );
        line(&mut text, cells);
    }
    text
}

/// One number per line, as the vertices were asked for.
pub fn indices(mesh: &Mesh) -> String {
    let mut text = String::from("vertex,number\n");
    for i in 0..mesh.numbers.len() {
        let _ = writeln!(text, "{i},{}", number(mesh, i));
    }
    text
}

/// Positions and shapes as Wavefront's OBJ.
pub fn obj(positions: &[[f32; 4]], shapes: &[Shape]) -> String {
    let mut text = String::new();
    for [x, y, z, _] in positions {
        // OBJ has no word for what is no number.
        let [x, y, z] = [x, y, z].map(|c| if c.is_finite() { *c } else { 0.0 });
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for shape in shapes {
        let letter = match shape {
            Shape::Point(_) => 'p',
            Shape::Line(_) => 'l',
            Shape::Triangle(_) => 'f',
        };
        let list: Vec<String> = shape
            .vertices()
            .iter()
            .map(|v| (v + 1).to_string())
            .collect();
        let _ = writeln!(text, "{letter} {}", list.join(" "));
    }
    text
}

/// A Mali's vertices as CSV: where they came from, and what goes into the vertex program.
pub fn attributes(vertices: &[u32], attributes: &[Vec<[f32; 4]>]) -> String {
    let mut text = String::from("vertex,number");
    for a in 0..attributes.len() {
        let _ = write!(text, ",a{a}.x,a{a}.y,a{a}.z,a{a}.w");
    }
    text.push('\n');
    for (i, vertex) in vertices.iter().enumerate() {
        let _ = write!(text, "{i},{vertex}");
        for [x, y, z, w] in attributes.iter().map(|rows| rows[i]) {
            let _ = write!(text, ",{x},{y},{z},{w}");
        }
        text.push('\n');
    }
    text
}

/// Positions as CSV.
pub fn positions(places: &[[f32; 4]]) -> String {
    let mut text = String::from("vertex,x,y,z,w\n");
    for (i, [x, y, z, w]) in places.iter().enumerate() {
        let _ = writeln!(text, "{i},{x},{y},{z},{w}");
    }
    text
}
