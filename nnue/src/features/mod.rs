//! Features of a position: short statements, to each of which a layout gives a row of weights.
//!
//! [`board`] and [`global`] call a visitor with every feature that holds. Usual things have no feature (a piece that
//! has not moved, a count of zero, the state `Normal`), so that few rows are active. Features name absolute sides
//! and hexes; a [`crate::layout::Layout`] turns them to the perspective of a side. Features of what belongs to the
//! side to move (mana, marks, budget, spell row, turn records) name no side: networks read the perspective of the
//! side to move first.
//!
//! Together the features are injective: positions with the same side to move and the same features, board by board,
//! are equal in everything the rules depend on. Without features are only the order of the cards in a hand and in the
//! spell row (cards are named by their spell), and the state of the generator that shuffles the undealt cards.

mod board;
mod feature;
mod global;
mod scale;

pub(crate) use self::board::{SITES, choices, hand, mana, marks, others, pending, pieces, reserve, state};
pub use self::board::{board, rest, square, traits};
pub use self::feature::{BoardFeature, GlobalFeature, Mark};
pub(crate) use self::global::{BASE_TECHS, LevelPair, MISSING, Part, SWITCHES, later_tech, repeated};
pub use self::global::{global, tech_number};
pub use self::scale::Scale;
pub use barrow_core::minions::turn_search::ports::Stage;
