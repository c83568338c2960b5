//! The engine behind the screen: a search of turns by slices of work, in memory that the machine lends.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::turn_search::{Line, MemoryUsage, Search, SearchOptions, SharedTree, Workspace};
use barrow_core::minions::{Action, BoardAction, Budget, DraftMemory, Game, GameTurn};
use barrow_core::search::clock::Clock;
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::nets::Network;
use barrow_nnue::ports::OraclePort;
use barrow_nnue::shape::Profile;
use barrow_solver::attack::PlannerWorkspace;
use heapless::Vec;

/// Engine that thinks by slices of work.
pub trait Engine {
    /// Begins a search.
    fn begin(&mut self);

    /// Does a slice of this many nodes; the position is the same until the next search begins. False when there is nothing
    /// left to do.
    fn work(&mut self, game: &Game, nodes: u32) -> bool;

    /// The best turn found.
    fn answer(&mut self, game: &Game) -> Option<GameTurn>;

    /// Memory for the simple player.
    fn draft(&mut self) -> &mut DraftMemory;
}

/// Turn of the simple player: legal in every position, at once.
pub fn simple_turn<'m>(game: &Game, memory: &'m mut DraftMemory) -> &'m GameTurn {
    Greedy::new(1).choose_in(game, memory)
}

/// Actions of a turn in order of play.
pub fn actions_of(turn: &GameTurn, budget: Budget) -> impl Iterator<Item = Action> + '_ {
    let general = turn.general_actions(budget).map(Action::General);
    let boards = (0..turn.board_actions.len()).flat_map(move |board| {
        let on = move |action: &BoardAction| Action::Board(board as u8, *action);
        turn.board(board).iter().map(on)
    });
    general.chain(boards)
}

/// Engine that never searches.
#[derive(Default)]
pub struct NoSearch {
    draft: DraftMemory,
}

impl Engine for NoSearch {
    fn begin(&mut self) {}

    fn work(&mut self, _: &Game, _: u32) -> bool {
        false
    }

    fn answer(&mut self, _: &Game) -> Option<GameTurn> {
        None
    }

    fn draft(&mut self) -> &mut DraftMemory {
        &mut self.draft
    }
}

/// Search of turns with the value net and the policies of a network, in memory of its own: a workspace, and words for
/// planning attacks. A static of it takes no flash.
pub struct TurnSearch<P: Profile + 'static, const POSITIONS: usize, const ACTIONS: usize, const WORDS: usize>
{
    workspace: Workspace<POSITIONS, ACTIONS>,
    planner: PlannerWorkspace<WORDS>,
    net: Vec<(OraclePort<'static, P>, NetPolicies<'static, P>), 1, u8>,
    usage: Option<MemoryUsage>,
}

/// Ends a slice after this many nodes.
struct Nodes(u64);

impl Clock for Nodes {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
}

impl<P: Profile, const POSITIONS: usize, const ACTIONS: usize, const WORDS: usize> Default
    for TurnSearch<P, POSITIONS, ACTIONS, WORDS>
{
    fn default() -> Self {
        TurnSearch::new()
    }
}

impl<P: Profile, const POSITIONS: usize, const ACTIONS: usize, const WORDS: usize>
    TurnSearch<P, POSITIONS, ACTIONS, WORDS>
{
    /// Engine without a network, which does not search.
    pub const fn new() -> Self {
        TurnSearch {
            workspace: Workspace::new(),
            planner: PlannerWorkspace::new(),
            net: Vec::new(),
            usage: None,
        }
    }

    /// Takes a network to search with.
    #[inline(never)]
    pub fn take_network(&mut self, network: Network<'static, P>) {
        self.net.clear();
        let _ = self.net.push((OraclePort::new(network), NetPolicies::new(network)));
    }
}

impl<P: Profile, const POSITIONS: usize, const ACTIONS: usize, const WORDS: usize> Engine
    for TurnSearch<P, POSITIONS, ACTIONS, WORDS>
{
    fn begin(&mut self) {
        self.usage = None;
    }

    #[inline(never)]
    fn work(&mut self, game: &Game, nodes: u32) -> bool {
        let Some((oracle, policies)) = self.net.first_mut() else { return false };
        let ports = SharedPorts { evaluator: oracle, policies, attack_planner: &mut self.planner };
        let (slices, scratch) = self.workspace.split();
        let options = SearchOptions::with_little_stack();
        let search = match self.usage {
            None => Search::new(slices, scratch, ports, options, game),
            Some(usage) => Search::resume(slices, scratch, ports, options, game, usage),
        };
        let Ok(mut search) = search else { return false };
        search.run(&mut Nodes(u64::from(nodes)));
        self.usage = Some(search.tree().usage());
        search.statistics().nodes > 0
    }

    #[inline(never)]
    fn answer(&mut self, game: &Game) -> Option<GameTurn> {
        let (slices, _) = self.workspace.split();
        let tree = SharedTree::resume(slices, game, self.usage?).ok()?;
        // Resuming may have moved nodes, which a second answer has to know.
        self.usage = Some(tree.usage());
        let mut best = [Line::default()];
        if tree.lines(&mut best) == 0 {
            return None;
        }
        tree.turn(game, best.first()?)
    }

    fn draft(&mut self) -> &mut DraftMemory {
        self.workspace.scratch().draft()
    }
}
