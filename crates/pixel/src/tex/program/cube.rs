//! Cube maps: from a vector to a face and a place on it.
//!
//! The wraps act inside each face, whatever they are; filters do not reach across its
//! edges. Kelvin's pictures show this of borders (Texture_border, Cube_BorderTex), and OpenGL
//! of the time asks for it: repeating makes seams of the face's own far side.

use crate::tex::sample::{FACES, face_of};

/// The place of a vector on a face, 0…1 both ways.
pub(super) fn on_face(face: u8, v: [f32; 3]) -> [f32; 2] {
    let [(ma, sign), s, t] = FACES[usize::from(face) % 6];
    let m = v[ma] * sign;
    [s, t].map(|(axis, sign)| {
        let x = v[axis] * sign / m;
        // The zero vector is no number: the first texel, as on Kelvin.
        if x.is_nan() { 0.0 } else { (x + 1.0) * 0.5 }
    })
}

/// A vector's face and place.
pub(super) fn place(v: [f32; 3]) -> (u8, [f32; 2]) {
    let face = face_of(v[0], v[1], v[2]);
    (face, on_face(face, v))
}

/// The derivative of the place on a face, from the vector's.
pub(super) fn slope(face: u8, v: [f32; 3], d: [f32; 3]) -> [f32; 2] {
    let [(ma, sign), s, t] = FACES[usize::from(face) % 6];
    let (m, dm) = (v[ma] * sign, d[ma] * sign);
    [s, t].map(|(axis, sign)| (d[axis] * sign * m - v[axis] * sign * dm) / (m * m) * 0.5)
}
