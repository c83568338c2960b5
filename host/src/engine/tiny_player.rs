//! The player of small machines: the search with the tiny network in the memory that firmware for two boards lends it, 192
//! KiB with its stack (docs/memory.md).

use barrow_core::minions::players::{Brain, Greedy};
use barrow_core::minions::turn_search::ports::SharedPorts;
use barrow_core::minions::turn_search::{
    Line, Search, SearchCapacity, SearchOptions, SearchSlices, Workspace,
};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::search::clock::NodeLimit;
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::ports::OraclePort;
use barrow_nnue::shape::Tiny;
use barrow_solver::attack::PlannerWorkspace;

use super::embedded_nets;

/// Positions whose turns are composed, as in `host/handheld/workloads`.
const POSITIONS: usize = 34;

/// Actions of all candidates.
const ACTIONS: usize = 2_400;

/// Words of the planner's solver.
const WORDS: usize = 13 * 1024;

/// Lengths of the slices where the crates admit two boards. Here they admit more, so that a workspace of the same type
/// has more candidates.
const CAPACITY: SearchCapacity = SearchCapacity {
    nodes: 2 * POSITIONS,
    edges: 2 * POSITIONS,
    table: 4 * POSITIONS,
    stages: POSITIONS,
    generals: 3 * POSITIONS,
    attacks: 3 * POSITIONS,
    money: 2 * POSITIONS,
    spawns: 4 * POSITIONS,
    actions: ACTIONS,
};

/// Player of small machines. On a board too many for its memory it plays the turns of [`Greedy`].
pub struct TinyPlayer {
    workspace: Box<Workspace<POSITIONS, ACTIONS>>,
    planner: Box<PlannerWorkspace<WORDS>>,
    options: SearchOptions,
    nodes: u64,
}

impl TinyPlayer {
    /// Player that searches so many nodes a turn.
    pub fn new(options: SearchOptions, nodes: u64) -> TinyPlayer {
        TinyPlayer { workspace: Box::default(), planner: Box::default(), options, nodes }
    }

    /// Best turn of a search; `None` when the memory is too small for it.
    fn search(&mut self, game: &Game) -> Option<GameTurn> {
        let network = embedded_nets::tiny()?;
        let (mut oracle, mut policies) =
            (OraclePort::<Tiny>::new(network), NetPolicies::<Tiny>::new(network));
        let ports = SharedPorts {
            evaluator: &mut oracle,
            policies: &mut policies,
            attack_planner: &mut *self.planner,
        };
        let (slices, scratch) = self.workspace.split();
        let mut search = Search::new(shortened(slices), scratch, ports, self.options, game).ok()?;
        search.run(&mut NodeLimit(self.nodes));
        let mut best = [Line::default()];
        search.tree().lines(&mut best);
        search.tree().turn(game, &best[0])
    }
}

/// Slices of [`CAPACITY`].
fn shortened(slices: SearchSlices<'_>) -> SearchSlices<'_> {
    let SearchSlices { nodes, edges, table, stages, generals, attacks, money, spawns, actions } = slices;
    SearchSlices {
        nodes: &mut nodes[..CAPACITY.nodes],
        edges: &mut edges[..CAPACITY.edges],
        table: &mut table[..CAPACITY.table],
        stages: &mut stages[..CAPACITY.stages],
        generals: &mut generals[..CAPACITY.generals],
        attacks: &mut attacks[..CAPACITY.attacks],
        money: &mut money[..CAPACITY.money],
        spawns: &mut spawns[..CAPACITY.spawns],
        actions: &mut actions[..CAPACITY.actions],
    }
}

impl Brain for TinyPlayer {
    fn choose(&mut self, game: &Game) -> GameTurn {
        self.search(game).unwrap_or_else(|| Greedy::new(self.options.seed).choose(game))
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, MapLabel, Ruleset};

    use super::*;

    #[test]
    fn whatever_the_number_of_boards_a_turn_is_legal() {
        for boards in [1, 2, 3, 8] {
            let config = GameConfig::new(Ruleset::Server, &MapLabel::ALL[..boards]).unwrap();
            let mut game = Game::new(config, 1);
            let mut player = TinyPlayer::new(SearchOptions::with_little_stack(), 20);
            for _ in 0..4 {
                let turn = player.choose(&game);
                game.play(&turn).unwrap();
            }
        }
    }
}
