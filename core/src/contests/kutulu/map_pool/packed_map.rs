//! The packed form of the pool's maps: bits of floor per row, and lists of marked squares.

/// A map in packed form. A map with fewer rows than `height` continues with the same rows turned by half a turn.
pub(super) struct PackedMap {
    pub(super) name: &'static str,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Rows from the top; bit x is set where column x is walkable.
    pub(super) floor: &'static [u32],
    /// Column and row of each start within the rows of `floor`.
    pub(super) starts: &'static [(usize, usize)],
    /// Column and row of each spawn point of wanderers within the rows of `floor`.
    pub(super) spawns: &'static [(usize, usize)],
    /// Column and row of each shelter within the rows of `floor`.
    pub(super) shelters: &'static [(usize, usize)],
}

impl PackedMap {
    /// The character of a square: `#` wall, `.` floor, `S` start, `w` spawn point, `U` shelter.
    pub(super) fn mark(&self, x: usize, y: usize) -> u8 {
        let (x, y) = if y < self.floor.len() { (x, y) } else { (self.width - 1 - x, self.height - 1 - y) };
        let kinds = [(self.starts, b'S'), (self.spawns, b'w'), (self.shelters, b'U')];
        let marked = kinds.iter().find(|kind| kind.0.contains(&(x, y)));
        let is_floor = self.floor.get(y).is_some_and(|row| row >> x & 1 == 1);
        marked.map_or(if is_floor { b'.' } else { b'#' }, |kind| kind.1)
    }
}
