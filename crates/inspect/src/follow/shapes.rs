//! Primitives out of the vertices of a draw, by their places in it.

/// A point, a line or a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A point.
    Point(usize),
    /// A line.
    Line([usize; 2]),
    /// A triangle.
    Triangle([usize; 3]),
}

impl Shape {
    /// Its vertices.
    pub fn vertices(&self) -> &[usize] {
        match self {
            Shape::Point(v) => std::slice::from_ref(v),
            Shape::Line(v) => v,
            Shape::Triangle(v) => v,
        }
    }
}

/// The primitives that `count` vertices make; the number is GL's and one more.
pub fn shapes(prim: u8, count: usize) -> Vec<Shape> {
    let at = |i: usize| i % count.max(1);
    match prim {
        1 => (0..count).map(Shape::Point).collect(),
        2 => (1..count)
            .step_by(2)
            .map(|i| Shape::Line([i - 1, i]))
            .collect(),
        3 if count > 1 => (0..count).map(|i| Shape::Line([i, at(i + 1)])).collect(),
        4 => (1..count).map(|i| Shape::Line([i - 1, i])).collect(),
        5 => (2..count)
            .step_by(3)
            .map(|i| Shape::Triangle([i - 2, i - 1, i]))
            .collect(),
        // Every other triangle of a strip is turned back.
        6 => (2..count)
            .map(|i| match i % 2 {
                0 => Shape::Triangle([i - 2, i - 1, i]),
                _ => Shape::Triangle([i - 1, i - 2, i]),
            })
            .collect(),
        7 | 10 => (2..count).map(|i| Shape::Triangle([0, i - 1, i])).collect(),
        8 => (3..count)
            .step_by(4)
            .flat_map(|i| [[i - 3, i - 2, i - 1], [i - 3, i - 1, i]])
            .map(Shape::Triangle)
            .collect(),
        9 => (3..count)
            .step_by(2)
            .flat_map(|i| [[i - 3, i - 2, i], [i - 3, i, i - 1]])
            .map(Shape::Triangle)
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_make_primitives() {
        let triangles = |prim, count| {
            let of = |s: &Shape| match s {
                Shape::Triangle(v) => *v,
                _ => [99; 3],
            };
            shapes(prim, count).iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(triangles(5, 7), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(triangles(6, 4), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(triangles(7, 4), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangles(8, 5), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangles(9, 6).len(), 4);
        assert_eq!(shapes(3, 3).last(), Some(&Shape::Line([2, 0])));
        for prim in 0..=11 {
            for count in 0..4 {
                let all = shapes(prim, count);
                assert!(all.iter().flat_map(Shape::vertices).all(|v| *v < count));
            }
        }
    }
}
