//! Boards (rules §2): terrain, walls and machines of each cell, and lines of sight. A board is fixed during a race.

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

/// Most docks, one for each robot.
pub const DOCK_CAP: usize = 8;

/// The terrain of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Terrain {
    /// Plain floor.
    #[default]
    Floor,
    /// A pit, which destroys robots.
    Pit,
    /// A repair site, a single wrench.
    Repair,
    /// A repair site with an option card, wrench and hammer. Without option cards it acts as a single wrench.
    RepairOption,
    /// A gear that turns robots clockwise.
    GearClockwise,
    /// A gear that turns robots counter-clockwise.
    GearCounterClockwise,
    /// A belt with its exit direction; an express belt moves twice in a register.
    Belt(Direction, Speed),
}

/// The speed of a belt, in moves per register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Speed {
    /// Moves, one per register.
    Normal,
    /// Two moves per register.
    Express,
}

/// Terrain, walls, flag, pusher and beams of a cell, packed into one word.
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

    /// Marks the cell as crossed by a laser beam.
    pub(super) const fn set_lit(&mut self) {
        self.0 |= CellInfo::BEAM;
    }

    /// The union of what two cells hold.
    pub(super) const fn and(self, other: CellInfo) -> CellInfo {
        CellInfo(self.0 | other.0)
    }

    pub(super) const fn is_lit(self) -> bool {
        self.0 & CellInfo::BEAM != 0
    }

    /// Whether a robot on the cell archives.
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

    /// Number of the flag on the cell, 1 to 8, or 0 for no flag.
    pub(super) const fn flag(self) -> u8 {
        (self.0 >> CellInfo::FLAG & 15) as u8
    }

    pub(super) const fn is_belt(self) -> bool {
        self.0 & CellInfo::BELT != 0
    }

    pub(super) const fn is_express(self) -> bool {
        self.0 & CellInfo::EXPRESS != 0
    }

    /// Exit direction of the cell's belt.
    pub(super) const fn belt(self) -> Direction {
        Direction::from_index((self.0 >> CellInfo::BELT_DIRECTION & 3) as u8)
    }

    /// Quarter turns clockwise of the cell's gear, 0 without a gear.
    pub(super) const fn gear(self) -> u8 {
        ((self.0 >> 7 & 1) + 3 * (self.0 >> 8 & 1)) as u8
    }

    /// Direction of the cell's pusher if it acts in this register, counted from 0.
    pub(super) const fn pusher(self, register: usize) -> Option<Direction> {
        if register < 5 && self.0 >> (CellInfo::PUSHER_REGISTERS + register as u32) & 1 == 1 {
            Some(Direction::from_index((self.0 >> CellInfo::PUSHER_DIRECTION & 3) as u8))
        } else {
            None
        }
    }

    /// Terrain of the cell.
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
    /// Direction of the beam.
    pub direction: Direction,
    /// Damage of a hit in points.
    pub strength: u8,
}

/// A pusher, which moves robots off its cell in some registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pusher {
    /// Cell of the pusher.
    pub cell: Cell,
    /// Direction of the push.
    pub direction: Direction,
    /// Registers in which the pusher acts: bit r for register r, counted from 0.
    pub registers: u8,
}

/// A cell and facing on which a robot starts or re-enters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dock {
    /// Cell of the robot.
    pub cell: Cell,
    /// Facing of the robot.
    pub facing: Direction,
}

/// A board with its flags and docks. Made by [`BoardBuilder`](super::BoardBuilder).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) cells: [CellInfo; Cell::COUNT],
    /// Lines of sight by cell and direction: the number of further cells before a wall or the edge.
    pub(super) sight: [[u8; 4]; Cell::COUNT],
    /// Laser beams over each cell: bit i for `lasers[i]`.
    pub(super) beams: [u32; Cell::COUNT],
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) flags: Vec<Cell, FLAG_CAP, u8>,
    pub(super) docks: Vec<Dock, DOCK_CAP, u8>,
    pub(super) lasers: Vec<Laser, LASER_CAP, u8>,
    /// Pushers in row-major order.
    pub(super) pushers: Vec<Pusher, PUSHER_CAP, u8>,
}

impl Board {
    /// Number of columns.
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Number of rows.
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

    /// Terrain of a cell; cells outside the board are pits.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        self.info(cell).terrain()
    }

    /// Whether a cell is a pit or outside the board.
    pub fn is_pit(&self, cell: Cell) -> bool {
        self.info(cell).is_pit()
    }

    /// Whether a wall stands on a side of a cell.
    pub fn has_wall(&self, cell: Cell, side: Direction) -> bool {
        self.info(cell).has_wall(side)
    }

    /// Number of the flag on a cell, counted from 1.
    pub fn flag_at(&self, cell: Cell) -> Option<u8> {
        Some(self.info(cell).flag()).filter(|&flag| flag > 0)
    }

    /// Whether a cell lies on the board.
    pub const fn is_inside(&self, cell: Cell) -> bool {
        let (x, y) = (cell.x(), cell.y());
        0 <= x && x < self.width as i8 && 0 <= y && y < self.height as i8
    }

    pub(super) fn info(&self, cell: Cell) -> CellInfo {
        self.cells[cell.index()]
    }

    /// Length of the line of sight from a cell, in further cells, robots ignored.
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
