//! Types and sizes of the cartridge's search: named here, so that another machine can play its games once more.

use barrow_nnue::shape::Tiny;

use crate::engine::TurnSearch;

/// Positions whose turns are composed.
const POSITIONS: usize = 38;
/// Actions of all candidates.
const ACTIONS: usize = 2800;
/// Words for planning attacks.
const WORDS: usize = 15 * 1024;

/// Nodes of a slice of work, after which the keys are looked at.
pub const NODES_PER_SLICE: u16 = 1;

/// The search of the cartridge.
pub type CartridgeSearch = TurnSearch<Tiny, POSITIONS, ACTIONS, WORDS>;
