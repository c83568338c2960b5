//! Which hexes an action can change.

use barrow_core::hex::HexSet;
use barrow_core::minions::{BoardAction, CastParams, Spell};

/// Hexes whose piece a legal action may change: a superset of those that it does change. Reinforcements, hands and
/// everything else that has no hex are not looked at here.
pub fn touched(action: &BoardAction) -> HexSet {
    match *action {
        BoardAction::Move { from, to, .. }
        | BoardAction::Attack { from, to }
        | BoardAction::Teleport { from, to } => from.to_set().with(to),
        BoardAction::Walk { path, .. } => path.from().to_set().with(path.to()),
        BoardAction::Blink { at } | BoardAction::Spawn { at, .. } | BoardAction::UseTile { at } => {
            at.to_set()
        }
        BoardAction::Cast { spell, params } => match params {
            CastParams::Piece(at) | CastParams::Hex(at) => at.to_set(),
            CastParams::PieceHex(from, to) => from.to_set().with(to),
            CastParams::TerrainHex(..) => HexSet::EMPTY,
            CastParams::None if spell == Spell::DoubleCantrip => HexSet::EMPTY,
            CastParams::None => HexSet::ALL,
        },
        BoardAction::Discard { .. }
        | BoardAction::UseAbility { .. }
        | BoardAction::Buy { .. }
        | BoardAction::Keep { .. }
        | BoardAction::Resign
        | BoardAction::EndPhase => HexSet::EMPTY,
    }
}

/// Hexes whose piece a list of actions may change, such as a simultaneous move or a whole candidate.
pub fn touched_by_all(actions: &[BoardAction]) -> HexSet {
    actions.iter().fold(HexSet::EMPTY, |all, action| all | touched(action))
}
