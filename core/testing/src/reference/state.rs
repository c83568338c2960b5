//! What a position consists of, in the plainest containers, and the questions that several rules ask.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use barrow_core::minions::{
    Attack, BoardState, MapLabel, Modifier, Movable, Ruleset, Side, Spell, Tech, TechStatus, TileType, Unit,
    UnitLabel,
};

use super::geometry::{At, hex};

/// Identities from here on belong to pieces created during a turn; smaller ones are the number of the hex on
/// which the piece stood when the turn began.
pub const FIRST_NEW_NAME: u32 = 1000;

#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub owner: Side,
    pub unit: UnitLabel,
    /// Identity within the turn.
    pub name: u32,
    pub damage: u32,
    pub modifiers: Vec<(Modifier, u32)>,
    pub steps: u32,
    pub attacks: u32,
    pub moved: bool,
    pub exhausted: bool,
    /// Identities of the pieces it attacked this turn, in order.
    pub attacked: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub map: MapLabel,
    pub pieces: HashMap<At, Piece>,
    pub movable: BTreeMap<Movable, At>,
    pub reserves: [BTreeMap<UnitLabel, u32>; 2],
    pub hands: [Vec<Spell>; 2],
    pub pending: [u32; 2],
    pub mana: i32,
    pub free: [u32; 2],
    pub candidates: [BTreeSet<UnitLabel>; 2],
    pub state: BoardState,
    pub spawn_phase: bool,
    /// A necromancer was killed by the side to move.
    pub won: bool,
    /// Lost by graveyards.
    pub lost: bool,
    pub resigned: bool,
    pub tile_used: bool,
    /// Spooky's setup action was played.
    pub set_up: bool,
    /// Cards of the row taken this turn.
    pub picks: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub ruleset: Ruleset,
    pub line: Vec<Tech>,
    pub points_needed: u32,
    pub extra_souls: [u32; 2],
    pub boards: Vec<Board>,
    pub side: Side,
    pub winner: Option<Side>,
    pub turn: u32,
    pub points: [u32; 2],
    pub souls: [u32; 2],
    pub tech: [Vec<TechStatus>; 2],
    /// Levels when the turn began.
    pub tech_start: [Vec<TechStatus>; 2],
    pub tech_points: u32,
    pub bought: u32,
    pub sold: bool,
    pub row: Vec<Spell>,
    pub taken: BTreeSet<usize>,
    pub queue: [VecDeque<Spell>; 2],
    /// Cards that the shuffled decks will deal next. Chance is no rule, so the reference is told.
    pub coming: [VecDeque<Spell>; 2],
    pub next_name: u32,
}

impl State {
    pub fn is_spooky(&self) -> bool {
        self.ruleset == Ruleset::Spooky
    }

    pub fn num_boards(&self) -> usize {
        self.boards.len()
    }

    /// Printed figures.
    pub fn unit(&self, label: UnitLabel) -> &'static Unit {
        if self.is_spooky() { label.spooky() } else { label.server() }
    }

    pub fn piece(&self, b: usize, at: At) -> Option<&Piece> {
        self.boards[b].pieces.get(&at)
    }

    /// The piece of the side to move on a hex.
    pub fn friend(&self, b: usize, at: At) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner == self.side)
    }

    pub fn enemy(&self, b: usize, at: At) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner != self.side)
    }

    pub fn friends(&self, b: usize) -> impl Iterator<Item = (At, &Piece)> {
        let side = self.side;
        let pieces = self.boards[b].pieces.iter().map(|(&at, piece)| (at, piece));
        pieces.filter(move |(_, piece)| piece.owner == side)
    }

    pub fn is_minion(&self, piece: &Piece) -> bool {
        !self.unit(piece.unit).necromancer
    }

    /// §12: whether a unit type may walk on or be created on a hex, pieces ignored. Printed figures count.
    pub fn may_stand(&self, b: usize, label: UnitLabel, at: At) -> bool {
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

    /// A piece may end on a hex if its terrain suits it and nobody is there.
    pub fn may_end(&self, b: usize, label: UnitLabel, at: At) -> bool {
        self.may_stand(b, label, at) && self.piece(b, at).is_none()
    }

    /// §8: a piece created during play is exhausted.
    pub fn create(&mut self, b: usize, unit: UnitLabel, at: At) {
        let mut piece = Piece::fresh(self.side, unit, self.next_name);
        piece.exhausted = true;
        self.next_name += 1;
        self.boards[b].pieces.insert(at, piece);
    }

    pub fn add_reserve(&mut self, b: usize, side: Side, unit: UnitLabel) {
        *self.boards[b].reserves[side.index()].entry(unit).or_insert(0) += 1;
    }

    /// Whether a fixed capacity of the engine may be full here; the rules know none, so beyond it the two need
    /// not agree.
    pub fn is_crowded(&self) -> bool {
        let crowded = |board: &Board| {
            board.hands.iter().any(|hand| hand.len() >= 48)
                || board.reserves.iter().any(|units| units.values().any(|&count| count >= 254))
                || board.pieces.values().any(|piece| piece.modifiers.len() >= 8)
        };
        self.row.len() >= 60 || self.boards.iter().any(crowded)
    }
}

impl Board {
    /// Terrain of a hex now.
    pub fn tile(&self, at: At) -> TileType {
        match self.movable.iter().find(|&(_, &place)| place == at) {
            Some((Movable::Water, _)) => TileType::Water,
            Some((Movable::Earthquake, _)) => TileType::Earthquake,
            Some((Movable::Firestorm, _)) => TileType::Firestorm,
            Some((Movable::Whirlwind, _)) => TileType::Whirlwind,
            None => self.map.map().fixed_tile(hex(at)),
        }
    }

    pub fn reserve(&self, side: Side, unit: UnitLabel) -> u32 {
        self.reserves[side.index()].get(&unit).copied().unwrap_or(0)
    }

    /// Hexes of one terrain that a side occupies.
    pub fn occupied(&self, side: Side, tile: TileType) -> u32 {
        self.pieces.iter().filter(|&(&at, piece)| piece.owner == side && self.tile(at) == tile).count() as u32
    }
}

impl Piece {
    pub fn fresh(owner: Side, unit: UnitLabel, name: u32) -> Piece {
        Piece {
            owner,
            unit,
            name,
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

/// A piece's characteristics with its modifiers (§8, §13).
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub attack: Attack,
    pub attacks: u32,
    pub defense: u32,
    pub speed: u32,
    pub range: u32,
    pub range_flying: u32,
    pub lumbering: bool,
    pub soulbound: bool,
    pub spawn_range: u32,
}

impl State {
    pub fn figures(&self, piece: &Piece) -> Figures {
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
