//! What a position consists of, in the plainest containers, and the questions that several rules ask.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use barrow_core::minions::{
    Attack, BoardState, MapLabel, Modifier, Movable, Ruleset, Side, Spell, Tech, TechStatus, TileType, Unit,
    UnitLabel,
};

use super::geometry::{At, hex};

/// Identities from here on belong to pieces created during a turn; smaller ones are the number of the hex on
/// which the piece stood when the turn began.
pub(crate) const FIRST_NEW_NAME: u32 = 1000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) owner: Side,
    pub(crate) unit: UnitLabel,
    /// Identity within the turn.
    pub(crate) name: u32,
    pub(crate) damage: u32,
    pub(crate) modifiers: Vec<(Modifier, u32)>,
    pub(crate) steps: u32,
    pub(crate) attacks: u32,
    pub(crate) moved: bool,
    pub(crate) exhausted: bool,
    /// Identities of the pieces it attacked this turn, in order.
    pub(crate) attacked: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Board {
    pub(crate) map: MapLabel,
    pub(crate) pieces: HashMap<At, Piece>,
    pub(crate) movable: BTreeMap<Movable, At>,
    pub(crate) reserves: [BTreeMap<UnitLabel, u32>; 2],
    pub(crate) hands: [Vec<Spell>; 2],
    pub(crate) pending: [u32; 2],
    pub(crate) mana: i32,
    pub(crate) free: [u32; 2],
    pub(crate) candidates: [BTreeSet<UnitLabel>; 2],
    pub(crate) state: BoardState,
    pub(crate) spawn_phase: bool,
    /// A necromancer was killed by the side to move.
    pub(crate) won: bool,
    /// Lost by graveyards.
    pub(crate) lost: bool,
    pub(crate) resigned: bool,
    pub(crate) tile_used: bool,
    /// Spooky's setup action was played.
    pub(crate) set_up: bool,
    /// Cards of the row taken this turn.
    pub(crate) picks: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) ruleset: Ruleset,
    pub(crate) line: Vec<Tech>,
    pub(crate) points_needed: u32,
    pub(crate) extra_souls: [u32; 2],
    pub(crate) boards: Vec<Board>,
    pub(crate) side: Side,
    pub(crate) winner: Option<Side>,
    pub(crate) turn: u32,
    pub(crate) points: [u32; 2],
    pub(crate) souls: [u32; 2],
    pub(crate) tech: [Vec<TechStatus>; 2],
    /// Levels when the turn began.
    pub(crate) tech_start: [Vec<TechStatus>; 2],
    pub(crate) tech_points: u32,
    pub(crate) bought: u32,
    pub(crate) sold: bool,
    pub(crate) row: Vec<Spell>,
    pub(crate) taken: BTreeSet<usize>,
    pub(crate) queue: [VecDeque<Spell>; 2],
    /// Cards that the shuffled decks will deal next. Chance is no rule, so the reference is told.
    pub(crate) coming: [VecDeque<Spell>; 2],
    pub(crate) next_name: u32,
}

impl State {
    pub(crate) fn is_spooky(&self) -> bool {
        self.ruleset == Ruleset::Spooky
    }

    pub(crate) fn num_boards(&self) -> usize {
        self.boards.len()
    }

    /// Printed figures.
    pub(crate) fn unit(&self, label: UnitLabel) -> &'static Unit {
        if self.is_spooky() { label.spooky() } else { label.server() }
    }

    pub(crate) fn piece(&self, b: usize, at: At) -> Option<&Piece> {
        self.boards[b].pieces.get(&at)
    }

    /// The piece of the side to move on a hex.
    pub(crate) fn friend(&self, b: usize, at: At) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner == self.side)
    }

    pub(crate) fn enemy(&self, b: usize, at: At) -> Option<&Piece> {
        self.piece(b, at).filter(|piece| piece.owner != self.side)
    }

    pub(crate) fn friends(&self, b: usize) -> impl Iterator<Item = (At, &Piece)> {
        let side = self.side;
        let pieces = self.boards[b].pieces.iter().map(|(&at, piece)| (at, piece));
        pieces.filter(move |(_, piece)| piece.owner == side)
    }

    pub(crate) fn is_minion(&self, piece: &Piece) -> bool {
        !self.unit(piece.unit).necromancer
    }

    /// §12: whether a unit type may walk on or be created on a hex, pieces ignored. Printed figures count.
    pub(crate) fn may_stand(&self, b: usize, label: UnitLabel, at: At) -> bool {
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
    pub(crate) fn may_end(&self, b: usize, label: UnitLabel, at: At) -> bool {
        self.may_stand(b, label, at) && self.piece(b, at).is_none()
    }

    /// §8: a piece created during play is exhausted.
    pub(crate) fn create(&mut self, b: usize, unit: UnitLabel, at: At) {
        let mut piece = Piece::fresh(self.side, unit, self.next_name);
        piece.exhausted = true;
        self.next_name += 1;
        self.boards[b].pieces.insert(at, piece);
    }

    pub(crate) fn add_reserve(&mut self, b: usize, side: Side, unit: UnitLabel) {
        *self.boards[b].reserves[side.index()].entry(unit).or_insert(0) += 1;
    }

    /// Whether a fixed capacity of the engine may be full here; the rules know none, so beyond it the two need
    /// not agree.
    pub(crate) fn is_crowded(&self) -> bool {
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
    pub(crate) fn tile(&self, at: At) -> TileType {
        match self.movable.iter().find(|&(_, &place)| place == at) {
            Some((Movable::Water, _)) => TileType::Water,
            Some((Movable::Earthquake, _)) => TileType::Earthquake,
            Some((Movable::Firestorm, _)) => TileType::Firestorm,
            Some((Movable::Whirlwind, _)) => TileType::Whirlwind,
            None => self.map.map().fixed_tile(hex(at)),
        }
    }

    pub(crate) fn reserve(&self, side: Side, unit: UnitLabel) -> u32 {
        self.reserves[side.index()].get(&unit).copied().unwrap_or(0)
    }

    /// Hexes of one terrain that a side occupies.
    pub(crate) fn occupied(&self, side: Side, tile: TileType) -> u32 {
        self.pieces.iter().filter(|&(&at, piece)| piece.owner == side && self.tile(at) == tile).count() as u32
    }
}

impl Piece {
    pub(crate) fn fresh(owner: Side, unit: UnitLabel, name: u32) -> Piece {
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
pub(crate) struct Figures {
    pub(crate) attack: Attack,
    pub(crate) attacks: u32,
    pub(crate) defense: u32,
    pub(crate) speed: u32,
    pub(crate) range: u32,
    pub(crate) range_flying: u32,
    pub(crate) lumbering: bool,
    pub(crate) soulbound: bool,
    pub(crate) spawn_range: u32,
}

impl State {
    pub(crate) fn figures(&self, piece: &Piece) -> Figures {
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
