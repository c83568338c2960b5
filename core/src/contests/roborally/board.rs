//! A board (rules §2): what is on each cell, and how far one sees from it. A board never changes during a race.

use heapless::Vec;

use super::geometry::{Cell, Direction};

/// Widest board, in cells.
pub const WIDTH_CAP: usize = 24;

/// Highest board, in cells: two floors above a docking bay (rules §15).
pub const HEIGHT_CAP: usize = 28;

/// Most flags of a course (rules §15).
pub const FLAG_CAP: usize = 8;

/// Most laser emitters (rules §15).
pub const LASER_CAP: usize = 32;

/// Most pushers (rules §15).
pub const PUSHER_CAP: usize = 32;

/// Docks, one for each robot.
pub const DOCK_CAP: usize = 8;

/// What covers a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Terrain {
    /// Nothing.
    #[default]
    Floor,
    /// A robot that enters it is destroyed.
    Pit,
    /// A repair site, a single wrench.
    Repair,
    /// A repair site with an option, wrench and hammer. Options are not used: it is a wrench.
    RepairOption,
    /// A gear that turns robots clockwise.
    GearClockwise,
    /// A gear that turns robots counter-clockwise.
    GearCounterClockwise,
    /// A belt with its exit direction; an express belt moves twice in a register.
    Belt(Direction, Speed),
}

/// How often a belt moves in a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Speed {
    /// Once.
    Normal,
    /// Twice.
    Express,
}

/// All that a cell is, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct CellInfo(u32);

impl CellInfo {
    const PIT: u32 = 1 << 4;
    const REPAIR: u32 = 1 << 5;
    const OPTION: u32 = 1 << 6;
    const CLOCKWISE: u32 = 1 << 7;
    const COUNTER: u32 = 1 << 8;
    const BELT: u32 = 1 << 9;
    const EXPRESS: u32 = 1 << 10;
    const BELT_DIRECTION: u32 = 11;
    const FLAG: u32 = 13;
    const PUSHER_REGISTERS: u32 = 17;
    const PUSHER_DIRECTION: u32 = 22;
    const BEAM: u32 = 1 << 24;
    const TERRAIN: u32 = 0x1ff0;

    pub(super) const fn outside() -> CellInfo {
        CellInfo(CellInfo::PIT)
    }

    pub(super) const fn set_terrain(&mut self, terrain: Terrain) {
        let bits = match terrain {
            Terrain::Floor => 0,
            Terrain::Pit => CellInfo::PIT,
            Terrain::Repair => CellInfo::REPAIR,
            Terrain::RepairOption => CellInfo::REPAIR | CellInfo::OPTION,
            Terrain::GearClockwise => CellInfo::CLOCKWISE,
            Terrain::GearCounterClockwise => CellInfo::COUNTER,
            Terrain::Belt(direction, speed) => {
                let express = if matches!(speed, Speed::Express) { CellInfo::EXPRESS } else { 0 };
                CellInfo::BELT | express | (direction as u32) << CellInfo::BELT_DIRECTION
            }
        };
        self.0 = self.0 & !CellInfo::TERRAIN | bits;
    }

    pub(super) const fn set_wall(&mut self, side: Direction) {
        self.0 |= 1 << side as u32;
    }

    pub(super) const fn set_flag(&mut self, number: u8) {
        self.0 |= (number as u32 & 15) << CellInfo::FLAG;
    }

    pub(super) const fn set_pusher(&mut self, direction: Direction, registers: u8) {
        self.0 |= (registers as u32 & 31) << CellInfo::PUSHER_REGISTERS
            | (direction as u32) << CellInfo::PUSHER_DIRECTION;
    }

    /// A beam lies on the cell.
    pub(super) const fn set_lit(&mut self) {
        self.0 |= CellInfo::BEAM;
    }

    /// What there is on either cell.
    pub(super) const fn and(self, other: CellInfo) -> CellInfo {
        CellInfo(self.0 | other.0)
    }

    pub(super) const fn is_lit(self) -> bool {
        self.0 & CellInfo::BEAM != 0
    }

    /// Whether a robot here archives.
    pub(super) const fn is_archive(self) -> bool {
        self.0 & (CellInfo::REPAIR | 15 << CellInfo::FLAG) != 0
    }

    pub(super) const fn has_wall(self, side: Direction) -> bool {
        self.0 >> side as u32 & 1 == 1
    }

    pub(super) const fn is_pit(self) -> bool {
        self.0 & CellInfo::PIT != 0
    }

    pub(super) const fn is_repair(self) -> bool {
        self.0 & CellInfo::REPAIR != 0
    }

    /// The flag on it, 1 to 8, or 0.
    pub(super) const fn flag(self) -> u8 {
        (self.0 >> CellInfo::FLAG & 15) as u8
    }

    pub(super) const fn is_belt(self) -> bool {
        self.0 & CellInfo::BELT != 0
    }

    pub(super) const fn is_express(self) -> bool {
        self.0 & CellInfo::EXPRESS != 0
    }

    /// Exit direction of the belt.
    pub(super) const fn belt(self) -> Direction {
        Direction::from_index((self.0 >> CellInfo::BELT_DIRECTION & 3) as u8)
    }

    /// Quarter turns clockwise of its gear.
    pub(super) const fn gear(self) -> u8 {
        ((self.0 >> 7 & 1) + 3 * (self.0 >> 8 & 1)) as u8
    }

    /// The pusher's direction if one acts in this register, counted from 0.
    pub(super) const fn pusher(self, register: usize) -> Option<Direction> {
        if register < 5 && self.0 >> (CellInfo::PUSHER_REGISTERS + register as u32) & 1 == 1 {
            Some(Direction::from_index((self.0 >> CellInfo::PUSHER_DIRECTION & 3) as u8))
        } else {
            None
        }
    }

    /// Terrain as it was set.
    pub(super) const fn terrain(self) -> Terrain {
        let bits = self.0;
        if bits & CellInfo::PIT != 0 {
            Terrain::Pit
        } else if bits & CellInfo::OPTION != 0 {
            Terrain::RepairOption
        } else if bits & CellInfo::REPAIR != 0 {
            Terrain::Repair
        } else if bits & CellInfo::CLOCKWISE != 0 {
            Terrain::GearClockwise
        } else if bits & CellInfo::COUNTER != 0 {
            Terrain::GearCounterClockwise
        } else if self.is_belt() {
            Terrain::Belt(self.belt(), if self.is_express() { Speed::Express } else { Speed::Normal })
        } else {
            Terrain::Floor
        }
    }
}

/// A laser emitter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Laser {
    /// The first cell of its beam.
    pub cell: Cell,
    /// Where the beam goes.
    pub direction: Direction,
    /// Damage of a hit.
    pub strength: u8,
}

/// A pusher.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pusher {
    /// The cell it pushes from.
    pub cell: Cell,
    /// Where it pushes to.
    pub direction: Direction,
    /// Bits of the registers, counted from 0, in which it pushes.
    pub registers: u8,
}

/// Where a robot starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dock {
    /// The cell.
    pub cell: Cell,
    /// The facing.
    pub facing: Direction,
}

/// A board with its flags and docks. Made by [`BoardBuilder`](super::BoardBuilder).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) cells: [CellInfo; Cell::COUNT],
    /// Cells that a beam enters after this one, for each direction, before a wall or the edge stops it.
    pub(super) sight: [[u8; 4]; Cell::COUNT],
    /// Lasers over each cell, as bits of their places in `lasers`.
    pub(super) beams: [u32; Cell::COUNT],
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) flags: Vec<Cell, FLAG_CAP, u8>,
    pub(super) docks: Vec<Dock, DOCK_CAP, u8>,
    pub(super) lasers: Vec<Laser, LASER_CAP, u8>,
    /// In row-major order.
    pub(super) pushers: Vec<Pusher, PUSHER_CAP, u8>,
}

impl Board {
    /// Columns.
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// The flags in the order in which robots must touch them.
    pub fn flags(&self) -> &[Cell] {
        &self.flags
    }

    /// The docks; robot i starts on the i-th.
    pub fn docks(&self) -> &[Dock] {
        &self.docks
    }

    /// The laser emitters.
    pub fn lasers(&self) -> &[Laser] {
        &self.lasers
    }

    /// The pushers in row-major order.
    pub fn pushers(&self) -> &[Pusher] {
        &self.pushers
    }

    /// All cells in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width as i8, self.height as i8);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// What covers a cell; everything outside is a pit.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        self.info(cell).terrain()
    }

    /// Whether a robot on the cell is destroyed.
    pub fn is_pit(&self, cell: Cell) -> bool {
        self.info(cell).is_pit()
    }

    /// Whether there is a wall on this side of the cell.
    pub fn has_wall(&self, cell: Cell, side: Direction) -> bool {
        self.info(cell).has_wall(side)
    }

    /// The flag on a cell, counted from 1.
    pub fn flag_at(&self, cell: Cell) -> Option<u8> {
        Some(self.info(cell).flag()).filter(|&flag| flag > 0)
    }

    /// Whether the cell is part of the rectangle.
    pub const fn is_inside(&self, cell: Cell) -> bool {
        let (x, y) = (cell.x(), cell.y());
        0 <= x && x < self.width as i8 && 0 <= y && y < self.height as i8
    }

    pub(super) fn info(&self, cell: Cell) -> CellInfo {
        self.cells[cell.index()]
    }

    /// How many cells further one sees from a cell, robots aside.
    pub(super) fn sight(&self, cell: Cell, direction: Direction) -> u8 {
        self.sight[cell.index()][direction as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_everything_at_once() {
        let belts = Direction::ALL.into_iter().flat_map(|direction| {
            [Terrain::Belt(direction, Speed::Normal), Terrain::Belt(direction, Speed::Express)]
        });
        let others = [
            Terrain::Floor,
            Terrain::Pit,
            Terrain::Repair,
            Terrain::RepairOption,
            Terrain::GearClockwise,
            Terrain::GearCounterClockwise,
        ];
        for terrain in belts.chain(others) {
            let mut info = CellInfo::outside();
            info.set_flag(8);
            info.set_wall(Direction::West);
            info.set_pusher(Direction::South, 0b1_0101);
            info.set_terrain(terrain);
            assert_eq!(info.terrain(), terrain);
            assert_eq!(info.flag(), 8);
            assert_eq!(Direction::ALL.map(|side| info.has_wall(side)), [false, false, false, true]);
            let acts = [0, 1, 2, 3, 4, 5].map(|register| info.pusher(register));
            let south = Some(Direction::South);
            assert_eq!(acts, [south, None, south, None, south, None]);
        }
        let mut gear = CellInfo::default();
        gear.set_terrain(Terrain::GearCounterClockwise);
        assert_eq!((gear.gear(), CellInfo::default().gear()), (3, 0));
    }
}
