//! The memory that the work borrows.

use heapless::Vec;

use barrow_core::minions::GameCopy;
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::Workspace;
use barrow_nnue::kept_sums::KeptSums;
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::ports::OraclePort;
use barrow_nnue::shape::Tiny;
use barrow_solver::attack::PlannerWorkspace;

use crate::positions::BOARDS;

/// Words of the planner's solver.
pub const WORDS: usize = 13 * 1024;

/// Positions of the search that have candidates.
const POSITIONS: usize = 34;

/// Actions of all candidates of the search.
const ACTIONS: usize = 1_200 * BOARDS;

/// Workspace of the searches.
pub(crate) type SearchWorkspace = Workspace<POSITIONS, ACTIONS>;

/// Planner of attacks.
pub(crate) type SearchPlanner = PlannerWorkspace<WORDS>;

/// All that the work borrows.
pub struct Memory {
    /// The game that the work is about.
    pub(crate) game: GameCopy,
    /// The game after a turn.
    pub(crate) after: GameCopy,
    pub(crate) workspace: SearchWorkspace,
    pub(crate) planner: SearchPlanner,
    /// Hand-written policies, for the search without a network.
    pub(crate) hand: FallbackPolicies,
    /// Ports of the network, for the search with it.
    pub(crate) net: Vec<NetParts, 1, u8>,
}

/// Boards whose sums the evaluator keeps.
const KEPT: usize = 16;

/// Evaluator of a network.
pub(crate) type Oracle = OraclePort<'static, Tiny, KeptSums<Tiny, KEPT>>;

/// Ports of a network.
pub(crate) type NetParts = (Oracle, NetPolicies<'static, Tiny>);

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl Memory {
    /// Memory in which nothing has been done. A static of it takes no flash.
    pub const fn new() -> Memory {
        Memory {
            game: GameCopy::new(),
            after: GameCopy::new(),
            workspace: Workspace::new(),
            planner: PlannerWorkspace::new(),
            hand: FallbackPolicies::new(),
            net: Vec::new(),
        }
    }
}
