//! The turn search with the solver and a network, the hand-written policies, and the players that do not search.

use core::hint::black_box;

use barrow_core::minions::players::{FallbackPolicies, Greedy, Random};
use barrow_core::minions::turn_search::ports::JoinedPorts;
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, Line, MoneyCandidate, Picks, Search, SearchOptions, SearchScratch,
    SearchSlices, Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, GeneralAction};
use barrow_core::search::clock::Clock;
use barrow_core::search::tree::{Edge, Node};
use barrow_nnue::nets::Network;
use barrow_nnue::ports::{OraclePort, VisionPort};
use barrow_nnue::shape::Tiny;
use barrow_solver::attack::Planner;

use crate::input::{number, print, use_up};

/// A clock that may stop at any node.
struct AnyTime;

impl Clock for AnyTime {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= number()
    }

    fn spent(&mut self, _: u64) -> Option<i32> {
        Some(number() as i32)
    }
}

/// Everything that searches and players offer.
pub fn run() {
    let game = crate::input::game();
    use_up(Greedy::new(number()).choose(&game));
    use_up(Random::new(number()).choose(&game));
    let Ok(network) = Network::<Tiny>::from_bytes(black_box(&[])) else { return };
    let mut nodes = [Node::EMPTY; 8];
    let mut edges = [Edge::vacant(Picks::default()); 8];
    let mut table = [0; 16];
    let mut stages = [Stages::EMPTY; 8];
    let mut generals = [Slot::<GeneralCandidate>::EMPTY; 8];
    let mut attacks = [Slot::<AttackCandidate>::EMPTY; 8];
    let mut money = [Slot::<MoneyCandidate>::EMPTY; 8];
    let mut spawns = [Slot::<SpawnCandidate>::EMPTY; 8];
    let mut actions = [Action::General(GeneralAction::March); 8];
    let (mut words, mut scratch) = ([0; 64], SearchScratch::new());
    for round in 0..black_box(2) {
        let memory = SearchSlices {
            nodes: black_box(&mut nodes[..]),
            edges: black_box(&mut edges[..]),
            table: black_box(&mut table[..]),
            stages: black_box(&mut stages[..]),
            generals: black_box(&mut generals[..]),
            attacks: black_box(&mut attacks[..]),
            money: black_box(&mut money[..]),
            spawns: black_box(&mut spawns[..]),
            actions: black_box(&mut actions[..]),
        };
        let ports = JoinedPorts {
            evaluator: OraclePort::new(network),
            attack_policy: VisionPort::new(network),
            attack_planner: Planner::new(black_box(&mut words[..])),
            spawn_policy: FallbackPolicies::default(),
            general_policy: FallbackPolicies::default(),
        };
        let options = black_box(SearchOptions::default());
        let search = if round == 0 {
            Search::new(memory, &mut scratch, ports, options, &game)
        } else {
            Search::resume(memory, &mut scratch, ports, options, &game, black_box(Default::default()))
        };
        let mut search = match search {
            Ok(search) => search,
            Err(error) => return print(error),
        };
        search.run(&mut AnyTime);
        use_up(search.statistics());
        let mut lines = [Line::default(); 4];
        use_up(search.tree().lines(black_box(&mut lines[..])));
        use_up(search.tree().replies(&lines[0], black_box(&mut [Line::default(); 4])));
        use_up(search.tree().turn(&game, &lines[1]));
        use_up((search.tree().usage(), search.tree().is_quiet(), search.tree().value()));
    }
}
