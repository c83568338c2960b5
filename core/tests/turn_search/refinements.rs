//! Refinements of attacks: without the fine and the coarse ones a board is asked for nothing but what comes first.

use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, Outline, Planned};
use barrow_core::minions::{Game, GameConfig, Ruleset, View};
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use barrow_testing::BENCH_POSITIONS;

use super::turns::search_by;

/// Attacks of a board at most before the first refinement: a whole turn's, as foretold, peace and the defence.
const FIRST: usize = 4;

/// Planner that records the largest number of attacks that a request must differ from.
struct Watched<'m> {
    planner: Planner<'m>,
    most: &'m mut usize,
}

impl AttackPlanner for Watched<'_> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Planned {
        *self.most = forbidden.len().max(*self.most);
        self.planner.plan(view, goals, forbidden, attack)
    }
}

/// Attacks known to the last request, at most, in a search of a position.
fn attacks_known(game: &Game, options: SearchOptions) -> usize {
    let (mut words, mut most) = (vec![0; PLANNER_WORDS], 0);
    let planner = Watched { planner: Planner::new(&mut words), most: &mut most };
    search_by(planner, 0, game, 300, options);
    most
}

#[test]
fn without_refinements_nothing_is_asked_for_beyond_the_first_attacks() {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let mut refined = [0; 3];
    for line in BENCH_POSITIONS.lines().step_by(3) {
        let game = fen::parse(line, &config).unwrap();
        let known = |fine, coarse| {
            let options =
                SearchOptions { fine, coarse, spells: false, resignation: false, ..SearchOptions::default() };
            attacks_known(&game, options)
        };
        assert!(known(false, false) < FIRST, "{}", known(false, false));
        for (count, (fine, coarse)) in refined.iter_mut().zip([(true, false), (false, true), (true, true)]) {
            *count += usize::from(known(fine, coarse) > FIRST);
        }
    }
    assert!(refined.iter().all(|count| *count > 2), "{refined:?}");
}
