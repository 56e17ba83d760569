//! The triangles of a job, where threads lay them down side by side.

use std::ops::Range;

/// A triangle ready for rasterising.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triangle {
    pub(crate) draw: u32,
    /// dE/dx, dE/dy per pixel in 1/256 pixel, and E at the centre of pixel (0, 0), scaled
    /// by 1/256 (floor); inside is ≥ 0.
    pub(crate) edge: [Edge; 3],
    /// Weights of vertices 1 and 2: at pixel (0, 0), d/dx, d/dy.
    pub(crate) l1: [f64; 3],
    pub(crate) l2: [f64; 3],
    /// Window depth: at pixel (0, 0), d/dx, d/dy.
    pub(crate) z: [f64; 3],
    /// 1/w of the vertices.
    pub(crate) rw: [f32; 3],
    /// Pixels, inclusive: left, right, top, bottom.
    pub(crate) bounds: [i32; 4],
    pub(crate) back: bool,
    /// All 1/w are the same: weights need no correction.
    pub(crate) affine: bool,
    /// No more than 64 pixels in either direction.
    pub(crate) small: bool,
    /// Depth may leave the range of the draw.
    pub(crate) clip_z: bool,
    /// First plane in [`Primitives::planes`].
    pub(crate) planes: u32,
}

/// Per triangle and attribute: value at vertex 0, differences to 1 and 2; the last is nothing,
/// so that a plane is one load.
pub type AttrPlane = [f32; 4];

/// See [`Triangle::edge`].
pub(crate) type Edge = (i32, i32, i64);

/// All triangles of a job. They stay where they are made: threads that set a draw up have room
/// of their own, and what nobody needed of it is left out.
#[derive(Default)]
pub(crate) struct Primitives {
    /// Those in [`Primitives::runs`], and between them what was there before.
    pub(crate) tris: Vec<Triangle>,
    pub(crate) planes: Vec<AttrPlane>,
    /// Where triangles are, in drawing order, which is that of their numbers.
    runs: Vec<Range<usize>>,
    /// Behind the last triangle and the last plane.
    end: [usize; 2],
}

impl Primitives {
    /// Bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Triangle>() * self.tris.capacity()
            + size_of::<AttrPlane>() * self.planes.capacity()
            + size_of::<Range<usize>>() * self.runs.capacity()
    }

    /// How many triangles there are.
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(Range::len).sum()
    }

    /// Empty again, with its room.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.end = [0; 2];
    }

    /// Rooms side by side for so many triangles each, with so many planes for each of them.
    pub(super) fn rooms(&mut self, count: usize, tris: usize, planes: usize) -> Vec<Room<'_>> {
        let planes = planes * tris;
        let [first, first_plane] = self.end;
        let need = first + count * tris;
        if self.tris.len() < need {
            self.tris.resize(need, Triangle::default());
        }
        let need = first_plane + count * planes;
        if self.planes.len() < need {
            self.planes.resize(need, [0.0; 4]);
        }
        let (mut to_tris, mut to_planes) =
            (&mut self.tris[first..], &mut self.planes[first_plane..]);
        let room = |n: usize| Room {
            tris: to_tris.split_off_mut(..tris).unwrap_or_default(),
            planes: to_planes.split_off_mut(..planes).unwrap_or_default(),
            first: first + n * tris,
            first_plane: (first_plane + n * planes) as u32,
            used: [0; 2],
            full: false,
        };
        (0..count).map(room).collect()
    }

    /// Bytes that there would be with so many more triangles, and planes for each of them.
    pub(super) fn bytes_with(&self, tris: usize, planes: usize) -> usize {
        let [first, first_plane] = self.end;
        size_of::<Triangle>() * (first + tris)
            + size_of::<AttrPlane>() * (first_plane + planes * tris)
    }

    /// Takes what was laid down in rooms, one after the other.
    pub(super) fn take(&mut self, made: impl Iterator<Item = Made>) {
        for made in made.filter(|made| !made.tris.is_empty()) {
            match self.runs.last_mut() {
                Some(last) if last.end == made.tris.start => last.end = made.tris.end,
                _ => self.runs.push(made.tris.clone()),
            }
            self.end = [made.tris.end, made.planes_end];
        }
    }

    /// The triangles from one place to another in drawing order: the number of the first, and
    /// it with those behind it.
    pub(crate) fn part(&self, part: Range<usize>) -> impl Iterator<Item = (usize, &[Triangle])> {
        let mut before = 0;
        self.runs.iter().map(move |run| {
            let within = |place: usize| place.clamp(before, before + run.len()) - before;
            let here = run.start + within(part.start)..run.start + within(part.end);
            before += run.len();
            (here.start, &self.tris[here])
        })
    }

    /// How many triangles of its draw come before a triangle.
    pub(crate) fn before(&self, number: u32) -> usize {
        let Some(tri) = self.tris.get(number as usize) else {
            return 0;
        };
        let runs = self.runs.iter().flat_map(|run| run.clone());
        runs.take_while(|&n| n < number as usize)
            .filter(|&n| self.tris[n].draw == tri.draw)
            .count()
    }
}

/// Where one thread lays triangles down.
pub(super) struct Room<'a> {
    tris: &'a mut [Triangle],
    planes: &'a mut [AttrPlane],
    /// The number of the first triangle, and of the first plane.
    first: usize,
    first_plane: u32,
    used: [usize; 2],
    /// There were more than fit.
    full: bool,
}

/// What was laid down in a room.
pub(super) struct Made {
    tris: Range<usize>,
    planes_end: usize,
    pub(super) full: bool,
}

impl Room<'_> {
    /// The number of the next triangle's first plane.
    #[inline(always)]
    pub(super) fn next_plane(&self) -> u32 {
        self.first_plane + self.used[1] as u32
    }

    /// A triangle with planes that are filled in.
    #[inline(always)]
    pub(super) fn add(&mut self, tri: Triangle, count: usize, fill: impl FnOnce(&mut [AttrPlane])) {
        let [n, plane] = self.used;
        let planes = self.planes.get_mut(plane..plane + count);
        let (Some(to), Some(planes)) = (self.tris.get_mut(n), planes) else {
            self.full = true;
            return;
        };
        *to = tri;
        fill(planes);
        self.used = [n + 1, plane + count];
    }

    pub(super) fn made(&self) -> Made {
        let [tris, planes] = self.used;
        Made {
            tris: self.first..self.first + tris,
            planes_end: self.first_plane as usize + planes,
            full: self.full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(room: &mut Room, draw: u32, planes: usize) {
        let tri = Triangle {
            draw,
            planes: room.next_plane(),
            ..Triangle::default()
        };
        room.add(tri, planes, |p| p.fill([draw as f32; 4]));
    }

    /// Three rooms of two triangles; the second one stays half empty.
    fn some() -> Primitives {
        let mut prims = Primitives::default();
        let made: Vec<_> = prims
            .rooms(3, 2, 1)
            .into_iter()
            .zip([2, 1, 2])
            .map(|(mut room, count)| {
                (0..count).for_each(|i| add(&mut room, i, 1));
                room.made()
            })
            .collect();
        assert!(made.iter().all(|made| !made.full));
        prims.take(made.into_iter());
        prims
    }

    #[test]
    fn what_nobody_needed_is_left_out() {
        let prims = some();
        assert_eq!(prims.len(), 5);
        let numbers = |part| {
            let found = prims.part(part);
            found
                .flat_map(|(n, tris)| n..n + tris.len())
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(0..5), [0, 1, 2, 4, 5]);
        assert_eq!(numbers(1..4), [1, 2, 4]);
        assert_eq!(numbers(3..9), [4, 5]);
        assert_eq!(
            [0, 1, 2, 4, 5].map(|n| prims.tris[n].planes),
            [0, 1, 2, 4, 5]
        );
        // Draws 0, 1, 0, 0, 1.
        assert_eq!([0, 1, 2, 4, 5].map(|n| prims.before(n)), [0, 0, 1, 2, 1]);
    }

    #[test]
    fn nobody_keeps_an_empty_room() {
        let mut prims = some();
        let before = (prims.len(), prims.bytes_with(0, 0));
        let made: Vec<_> = prims.rooms(4, 9, 3).iter().map(Room::made).collect();
        prims.take(made.into_iter());
        assert_eq!((prims.len(), prims.bytes_with(0, 0)), before);
        assert_eq!(
            prims.bytes_with(2, 3) - before.1,
            2 * size_of::<Triangle>() + 6 * size_of::<AttrPlane>()
        );
    }

    #[test]
    fn a_room_says_that_it_is_full() {
        let mut prims = some();
        prims.clear();
        assert_eq!(prims.len(), 0);
        let mut rooms = prims.rooms(1, 1, 0);
        add(&mut rooms[0], 7, 0);
        assert!(!rooms[0].made().full);
        add(&mut rooms[0], 8, 0);
        assert!(rooms[0].made().full);
        let made = rooms.remove(0).made();
        prims.take([made].into_iter());
        assert_eq!((prims.len(), prims.tris[0].draw), (1, 7));
    }
}
