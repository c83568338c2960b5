//! Positions of the reference in standard containers, and the queries that several rules share.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use barrow_core::minions::{
    Attack, BoardState, MapLabel, Modifier, Movable, Ruleset, Side, Spell, Tech, TechStatus, TileType, Unit,
    UnitLabel,
};

use super::geometry::{Coord, hex};

/// The first identity of pieces created during a turn. A smaller identity is the row-major number of the hex on which
/// the piece stood when the turn began.
pub(super) const FIRST_CREATED_ID: u32 = 1000;

/// A piece on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Side that the piece belongs to.
    pub(super) owner: Side,
    /// Unit type.
    pub(super) unit: UnitLabel,
    /// Identity within the turn.
    pub(super) id: u32,
    /// Damage taken this turn.
    pub(super) damage: u32,
    /// Modifiers, each with the turn ends that it still lasts, in the order in which they came.
    pub(super) modifiers: Vec<(Modifier, u32)>,
    /// Hexes moved this turn.
    pub(super) steps: u32,
    /// Attacks made this turn.
    pub(super) attacks: u32,
    /// Whether the piece has moved this turn.
    pub(super) moved: bool,
    /// Whether the piece is out of play for this turn.
    pub(super) exhausted: bool,
    /// Identities of the pieces that this piece attacked this turn, in order.
    pub(super) attacked: Vec<u32>,
}

/// A board. Pairs are indexed by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Map that gives the fixed terrain.
    pub(super) map: MapLabel,
    /// Pieces by hex.
    pub(super) pieces: HashMap<Coord, Piece>,
    /// Hexes of the movable terrain that lies on the board.
    pub(super) movable: BTreeMap<Movable, Coord>,
    /// Reinforcements: units bought and not placed yet, with their numbers.
    pub(super) reserves: [BTreeMap<UnitLabel, u32>; 2],
    /// Spell cards in hand, the oldest first.
    pub(super) hands: [Vec<Spell>; 2],
    /// Souls that a side is paid at the end of the opponent's turn.
    pub(super) pending: [u32; 2],
    /// Mana of the side to move.
    pub(super) mana: i32,
    /// Units that a side may still keep after a reset.
    pub(super) free: [u32; 2],
    /// Unit types that a side may keep after a reset.
    pub(super) candidates: [BTreeSet<UnitLabel>; 2],
    /// State of the board: first turn, normal, or in the turns after a reset (§4.1).
    pub(super) state: BoardState,
    /// Whether the attack phase of this turn has ended.
    pub(super) spawn_phase: bool,
    /// Whether a necromancer was killed this turn.
    pub(super) won: bool,
    /// Whether the side to move has lost by graveyards.
    pub(super) lost: bool,
    /// Whether the side to move has resigned the board.
    pub(super) resigned: bool,
    /// Whether a spawner tile was used this turn.
    pub(super) tile_used: bool,
    /// Whether Spooky's setup action was played this turn.
    pub(super) set_up: bool,
    /// Number of cards of the spell row given to the board this turn.
    pub(super) picks: u32,
}

/// A position: all boards and what the general decides on. Pairs are indexed by side.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Ruleset of the game.
    pub(crate) ruleset: Ruleset,
    /// Tech line of the game.
    pub(crate) techline: Vec<Tech>,
    /// Board points that win the game.
    pub(crate) points_needed: u32,
    /// Souls that a side gets in each turn beyond its income.
    pub(crate) extra_souls: [u32; 2],
    /// Boards in their order.
    pub boards: Vec<Board>,
    /// Side to move.
    pub(crate) side: Side,
    /// Winner of the game.
    pub(crate) winner: Option<Side>,
    /// Number of the turn, both sides counted.
    pub(crate) turn: u32,
    /// Board points.
    pub(crate) points: [u32; 2],
    /// Souls.
    pub(crate) souls: [u32; 2],
    /// Tech levels, in the order of the tech line.
    pub(crate) tech: [Vec<TechStatus>; 2],
    /// Tech levels when the turn began.
    pub(crate) tech_start: [Vec<TechStatus>; 2],
    /// Tech points that the side to move has left.
    pub(crate) tech_points: u32,
    /// Spells bought this turn.
    pub(crate) bought: u32,
    /// Whether a tech point was sold this turn.
    pub(crate) sold: bool,
    /// Spell row: the cards that the general gives to boards.
    pub(crate) row: Vec<Spell>,
    /// Indices of the cards of the spell row that were given to boards.
    pub(crate) taken: BTreeSet<usize>,
    /// Cards that a side will be dealt next and both sides know.
    pub(crate) queue: [VecDeque<Spell>; 2],
    /// Cards that the shuffled decks will deal after the queue; no rule gives them, so the caller sets them.
    pub(crate) upcoming: [VecDeque<Spell>; 2],
    /// Identity of the next piece created.
    pub(crate) next_id: u32,
}

impl State {
    /// Whether the ruleset is Spooky.
    pub(super) fn is_spooky(&self) -> bool {
        self.ruleset == Ruleset::Spooky
    }

    /// Returns the number of boards.
    pub(super) fn num_boards(&self) -> usize {
        self.boards.len()
    }

    /// Returns the printed figures of a unit type under the ruleset.
    pub(super) fn unit(&self, label: UnitLabel) -> &'static Unit {
        if self.is_spooky() { label.spooky() } else { label.server() }
    }

    /// Returns the piece on a hex of board `b`.
    pub fn piece(&self, b: usize, at: Coord) -> Option<&Piece> {
        self.boards[b].pieces.get(&at)
    }

    /// Returns the piece on a hex of board `b` if it belongs to the side to move.
    pub(super) fn friend(&self, b: usize, at: Coord) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner == self.side)
    }

    /// Returns the piece on a hex of board `b` if it belongs to the opponent of the side to move.
    pub(super) fn enemy(&self, b: usize, at: Coord) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner != self.side)
    }

    /// Returns the pieces of the side to move on board `b`, in any order.
    pub(super) fn friends(&self, b: usize) -> impl Iterator<Item = (Coord, &Piece)> {
        let side = self.side;
        let pieces = self.boards[b].pieces.iter().map(|(&at, piece)| (at, piece));
        pieces.filter(move |(_, piece)| piece.owner == side)
    }

    /// Whether a piece is a minion, that is no necromancer.
    pub(super) fn is_minion(&self, piece: &Piece) -> bool {
        !self.unit(piece.unit).necromancer
    }

    /// Whether the terrain of a hex admits a unit type by its printed figures (§12); pieces are ignored.
    pub(super) fn may_stand(&self, b: usize, label: UnitLabel, at: Coord) -> bool {
        let unit = self.unit(label);
        match self.boards[b].tile(at) {
            TileType::Water => unit.flying,
            TileType::Earthquake => unit.speed >= 2,
            TileType::Firestorm => unit.defense >= 4,
            TileType::Whirlwind => unit.persistent,
            TileType::Wall => false,
            _ => true,
        }
    }

    /// Whether a unit type may end a move on a hex: its terrain admits the unit and no piece is there (§9).
    pub(super) fn may_end(&self, b: usize, label: UnitLabel, at: Coord) -> bool {
        self.may_stand(b, label, at) && self.piece(b, at).is_none()
    }

    /// Creates a piece of the side to move, which is exhausted (§8).
    pub(super) fn create(&mut self, b: usize, unit: UnitLabel, at: Coord) {
        let mut piece = Piece::fresh(self.side, unit, self.next_id);
        piece.exhausted = true;
        self.next_id += 1;
        self.boards[b].pieces.insert(at, piece);
    }

    /// Adds a unit to the reinforcements of a side.
    pub(super) fn add_reserve(&mut self, b: usize, side: Side, unit: UnitLabel) {
        *self.boards[b].reserves[side.index()].entry(unit).or_insert(0) += 1;
    }

    /// Whether a fixed capacity of the engine may be full in this position. The rules know no capacities, so the
    /// engine and the reference need not agree once one is full.
    pub(crate) fn may_overflow(&self) -> bool {
        let is_full = |board: &Board| {
            board.hands.iter().any(|hand| hand.len() >= 48)
                || board.reserves.iter().any(|units| units.values().any(|&count| count >= 254))
                || board.pieces.values().any(|piece| piece.modifiers.len() >= 8)
        };
        self.row.len() >= 60 || self.boards.iter().any(is_full)
    }
}

impl Board {
    /// Returns the terrain of a hex: movable terrain over that of the map.
    pub fn tile(&self, at: Coord) -> TileType {
        match self.movable.iter().find(|&(_, &place)| place == at) {
            Some((Movable::Water, _)) => TileType::Water,
            Some((Movable::Earthquake, _)) => TileType::Earthquake,
            Some((Movable::Firestorm, _)) => TileType::Firestorm,
            Some((Movable::Whirlwind, _)) => TileType::Whirlwind,
            None => self.map.map().fixed_tile(hex(at)),
        }
    }

    /// Returns the number of reinforcements of a unit type.
    pub(super) fn reserve(&self, side: Side, unit: UnitLabel) -> u32 {
        self.reserves[side.index()].get(&unit).copied().unwrap_or(0)
    }

    /// Counts the hexes of a terrain that a side occupies.
    pub(super) fn occupied(&self, side: Side, tile: TileType) -> u32 {
        self.pieces.iter().filter(|&(&at, piece)| piece.owner == side && self.tile(at) == tile).count() as u32
    }
}

impl Piece {
    /// Creates a piece with full figures that has done nothing this turn.
    pub(super) fn fresh(owner: Side, unit: UnitLabel, id: u32) -> Piece {
        Piece {
            owner,
            unit,
            id,
            damage: 0,
            modifiers: Vec::new(),
            steps: 0,
            attacks: 0,
            moved: false,
            exhausted: false,
            attacked: Vec::new(),
        }
    }
}

/// The figures of a piece with its modifiers applied (§8, §13).
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// Effect of an attack.
    pub(super) attack: Attack,
    /// Attacks per turn.
    pub(super) attacks: u32,
    /// Damage that kills the piece.
    pub(super) defense: u32,
    /// Hexes per turn.
    pub(super) speed: u32,
    /// Attack range against walking units, in hexes.
    pub(super) range: u32,
    /// Attack range against flying units, in hexes.
    pub(super) range_flying: u32,
    /// Whether the piece cannot attack after a move.
    pub(super) lumbering: bool,
    /// Whether the piece is unsummoned instead of killed.
    pub(super) soulbound: bool,
    /// Distance within which reinforcements may be placed, in hexes; 0 for none.
    pub(super) spawn_range: u32,
}

impl State {
    /// Returns the figures of a piece, its modifiers applied in their order.
    pub(super) fn figures(&self, piece: &Piece) -> Figures {
        let unit = self.unit(piece.unit);
        let mut now = Figures {
            attack: unit.attack,
            attacks: u32::from(unit.num_attacks),
            defense: u32::from(unit.defense),
            speed: u32::from(unit.speed),
            range: u32::from(unit.range),
            range_flying: u32::from(unit.range),
            lumbering: unit.lumbering,
            soulbound: false,
            spawn_range: u32::from(unit.spawn_range),
        };
        for &(modifier, _) in &piece.modifiers {
            match modifier {
                Modifier::Shielded => {
                    now.defense *= 2;
                    now.soulbound = true;
                }
                Modifier::Protected => now.defense += 2,
                Modifier::DoubleAttack => now.attacks = now.attacks.max(2),
                Modifier::Spawner => now.spawn_range = now.spawn_range.max(1),
                Modifier::Frozen => now.attack = Attack::None,
                Modifier::Weakened => match now.attack {
                    Attack::Damage(1) if now.attacks > 1 => now.attacks -= 1,
                    Attack::Damage(0 | 1) => now.attack = Attack::None,
                    Attack::Damage(damage) => now.attack = Attack::Damage(damage - 1),
                    Attack::None | Attack::Unsummon | Attack::Deathtouch => {}
                },
                Modifier::Lumbering => now.lumbering = true,
                Modifier::Shackled => {
                    now.speed = now.speed.min(1);
                    now.range = now.range.min(1);
                    now.range_flying = now.range_flying.min(1);
                }
                Modifier::UnsummonAttack => now.attack = Attack::Unsummon,
                Modifier::MoveThree => now.speed = now.speed.max(3),
                Modifier::RangeTwo => {
                    now.range = now.range.max(2);
                    now.range_flying = now.range_flying.max(2);
                }
                Modifier::AirStrike => now.range_flying = now.range_flying.max(3),
                Modifier::NecroPick => {}
            }
        }
        now
    }
}
