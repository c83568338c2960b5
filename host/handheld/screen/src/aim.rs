//! Aim: hexes to choose from, lit on the board, and the action that each of them leads to.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{
    Ability, Action, BoardAction, CastParams, Game, Movable, Spell, TargetShape, UnitLabel, View,
};
use heapless::Vec;

use crate::table::MOVERS;

/// Pieces that move at the same moment, by the hexes where they stand.
pub type Chain = Vec<Hex, MOVERS, u8>;

/// Purpose for which hexes are lit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Nothing is lit.
    None,
    /// Steps of pieces, each but the last to the hex of the next one at the same moment, and what a single one attacks.
    Pieces(Chain),
    /// Jumps of the piece on a teleporter, hexes that it could walk to among them.
    Teleport(Hex),
    /// Placement of a unit.
    Place(UnitLabel),
    /// Target of a spell.
    Cast(Spell, Option<Movable>),
    /// Move of the piece on a hex by a spell.
    CastTo(Spell, Hex),
    /// Move of terrain by the piece on a hex.
    Ability(Hex, Ability, Option<Movable>),
}

/// Hexes that are lit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lit {
    /// Hexes to go to.
    pub go: HexSet,
    /// Pieces that are hit.
    pub hit: HexSet,
    /// Friends with which a move may be joined.
    pub join: HexSet,
}

impl Lit {
    /// No hex.
    pub const NONE: Lit = Lit { go: HexSet::EMPTY, hit: HexSet::EMPTY, join: HexSet::EMPTY };

    /// All lit hexes.
    pub fn all(&self) -> HexSet {
        self.go | self.hit | self.join
    }
}

/// Effect of choosing a hex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Actions to enter, of the same moment where they are several.
    Enter(Vec<Action, MOVERS, u8>),
    /// Another hex has to be chosen.
    Aim(Aim),
}

impl Aim {
    /// Aim of the piece on a hex.
    pub fn piece(from: Hex) -> Aim {
        let mut chain = Chain::new();
        let _ = chain.push(from);
        Aim::Pieces(chain)
    }

    /// Hexes that are lit on a board.
    pub fn lit(&self, game: &Game, board: usize) -> Lit {
        let Some(view) = game.view(board) else { return Lit::NONE };
        match self {
            Aim::None => Lit::NONE,
            Aim::Pieces(chain) => lit_of_chain(&view, chain),
            Aim::Teleport(from) => Lit { go: view.teleports(*from), ..Lit::NONE },
            Aim::Place(unit) => Lit { go: view.spawn_hexes(*unit), ..Lit::NONE },
            Aim::Cast(spell, kind) => lit_of_spell(&view, *spell, *kind),
            Aim::CastTo(spell, from) => {
                let mut go = HexSet::EMPTY;
                view.card_actions(|action| {
                    if let BoardAction::Cast { spell: other, params: CastParams::PieceHex(piece, to) } =
                        action
                        && (other, piece) == (*spell, *from)
                    {
                        go.insert(to);
                    }
                });
                Lit { go, ..Lit::NONE }
            }
            Aim::Ability(user, ability, terrain) => {
                let mut go = HexSet::EMPTY;
                view.spawn_phase_actions(|action| {
                    if let BoardAction::UseAbility { user: by, ability: what, terrain: kind, to } = action
                        && (by, what, kind) == (*user, *ability, *terrain)
                    {
                        go.insert(to);
                    }
                });
                Lit { go, ..Lit::NONE }
            }
        }
    }

    /// Outcome of choosing a hex, lit or not; what is not legal is found out when it is entered. `None` where the hex
    /// means nothing.
    pub fn choose(&self, game: &Game, board: usize, hex: Hex) -> Option<Chosen> {
        let view = game.view(board)?;
        let enter = |action| {
            let mut actions = Vec::new();
            let _ = actions.push(Action::Board(board as u8, action));
            Some(Chosen::Enter(actions))
        };
        match self {
            Aim::None => None,
            Aim::Pieces(chain) => choose_in_chain(&view, board as u8, chain, hex),
            Aim::Teleport(from) => enter(BoardAction::Teleport { from: *from, to: hex }),
            Aim::Place(unit) => enter(BoardAction::Spawn { unit: *unit, at: hex }),
            Aim::Cast(spell, kind) => {
                let params = match (spell.shape(), kind) {
                    (TargetShape::None, _) => CastParams::None,
                    (TargetShape::Piece, _) => CastParams::Piece(hex),
                    (TargetShape::Hex, _) => CastParams::Hex(hex),
                    (TargetShape::TerrainHex, kind) => CastParams::TerrainHex((*kind)?, hex),
                    (TargetShape::PieceHex, _) => return Some(Chosen::Aim(Aim::CastTo(*spell, hex))),
                };
                enter(BoardAction::Cast { spell: *spell, params })
            }
            Aim::CastTo(spell, from) => {
                enter(BoardAction::Cast { spell: *spell, params: CastParams::PieceHex(*from, hex) })
            }
            Aim::Ability(user, ability, terrain) => {
                enter(BoardAction::UseAbility { user: *user, ability: *ability, terrain: *terrain, to: hex })
            }
        }
    }

    /// Aim one choice earlier.
    pub fn shorter(&self) -> Aim {
        match self {
            Aim::Pieces(chain) if chain.len() > 1 => {
                let mut chain = chain.clone();
                chain.pop();
                Aim::Pieces(chain)
            }
            Aim::CastTo(spell, _) => Aim::Cast(*spell, None),
            _ => Aim::None,
        }
    }
}

/// Whether the hand has a legal cast of a spell; for movable terrain, of this kind if one is named.
pub fn can_cast(view: &View<'_>, spell: Spell, kind: Option<Movable>) -> bool {
    let mut can = false;
    view.card_actions(|action| {
        if let BoardAction::Cast { spell: other, params } = action {
            can |= other == spell
                && match (params, kind) {
                    (CastParams::TerrainHex(one, _), Some(kind)) => one == kind,
                    _ => true,
                };
        }
    });
    can
}

fn lit_of_spell(view: &View<'_>, spell: Spell, kind: Option<Movable>) -> Lit {
    let mut lit = Lit::NONE;
    view.card_actions(|action| {
        let BoardAction::Cast { spell: other, params } = action else { return };
        if other != spell {
            return;
        }
        match params {
            CastParams::None => {}
            CastParams::Piece(at) | CastParams::PieceHex(at, _) => {
                lit.hit.insert(at);
            }
            CastParams::Hex(at) => {
                lit.go.insert(at);
            }
            CastParams::TerrainHex(one, at) => {
                if kind == Some(one) {
                    lit.go.insert(at);
                }
            }
        }
    });
    lit
}

fn lit_of_chain(view: &View<'_>, chain: &Chain) -> Lit {
    let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else { return Lit::NONE };
    let Ok(piece) = view.friend(last) else { return Lit::NONE };
    let walks = view.walks(last, piece);
    let friends = view.board.pieces(view.side);
    let taken = chain.iter().fold(HexSet::EMPTY, |set, &hex| set.with(hex));
    let mut lit =
        Lit { go: walks - view.board.all_pieces(), hit: HexSet::EMPTY, join: (walks & friends) - taken };
    if chain.len() == 1 {
        lit.hit = view.targets(first);
        lit.go |= view.teleports(first).without(first);
    } else {
        if !view.rules.open_chain_moves {
            lit.go = HexSet::EMPTY;
        }
        // The hex of the first mover closes the circle.
        if walks.contains(first) {
            lit.go.insert(first);
        }
    }
    if chain.is_full() {
        lit.join = HexSet::EMPTY;
    }
    lit
}

fn choose_in_chain(view: &View<'_>, board: u8, chain: &Chain, hex: Hex) -> Option<Chosen> {
    let (&first, &last) = (chain.first()?, chain.last()?);
    let one = |action| {
        let mut actions = Vec::new();
        let _ = actions.push(Action::Board(board, action));
        Some(Chosen::Enter(actions))
    };
    let there = view.board.piece(hex);
    if chain.len() == 1 {
        match there {
            _ if hex == first => return None,
            Some(piece) if piece.side() != view.side => {
                return one(BoardAction::Attack { from: first, to: hex });
            }
            None => {
                let walks = view.reach(first).contains(hex);
                let teleports = !walks && view.teleports(first).contains(hex);
                return one(if teleports {
                    BoardAction::Teleport { from: first, to: hex }
                } else {
                    BoardAction::walk(first, hex)
                });
            }
            Some(_) => {}
        }
    }
    if there.is_some() && hex != first {
        let mut longer = chain.clone();
        if longer.contains(&hex) || longer.push(hex).is_err() {
            return None;
        }
        return Some(Chosen::Aim(Aim::Pieces(longer)));
    }
    let mut actions = Vec::new();
    for pair in chain.windows(2) {
        if let &[from, to] = pair {
            let _ = actions.push(Action::Board(board, BoardAction::Move { from, to, joined: true }));
        }
    }
    let _ = actions.push(Action::Board(board, BoardAction::walk(last, hex)));
    Some(Chosen::Enter(actions))
}
