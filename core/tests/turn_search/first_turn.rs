//! First turn of a position: after the techs that the evaluator values most of the most plausible ones.

use barrow_core::minions::players::{FallbackEvaluator, FallbackPolicies, Greedy};
use barrow_core::minions::turn_search::ports::{Evaluator, Stage};
use barrow_core::minions::turn_search::{
    GeneralChoices, Line, Search, SearchOptions, Workspace, list_choices,
};
use barrow_core::minions::{Action, Game, GameConfig, MapLabel, Ruleset, TechLevels, UndoLog};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::value::{Curve, EVEN, Estimate};
use barrow_solver::attack::PLANNER_WORDS;

use crate::fallback_ports;

/// Choices of the general that are valued.
const VALUED: usize = 8;

/// Evaluator that thinks of nothing but the techs of the side to move: this for each one unlocked, thrice as much for each one
/// acquired, in 1/65,536 of a win chance.
struct Techs(i32);

impl Techs {
    fn value(&self, game: &Game) -> Estimate {
        let levels = game.state().tech(game.side_to_move());
        let count = 2 * levels.acquired_bits().count_ones() + levels.unlocked_bits().count_ones();
        Estimate { win: EVEN + self.0 * count as i32, error: 0 }
    }
}

impl Evaluator for Techs {
    fn begin(&mut self, _: &Game) {}

    fn evaluate(&mut self, game: &Game) -> Estimate {
        self.value(game)
    }

    fn evaluate_board(&mut self, game: &Game, _: usize, _: Stage) -> Estimate {
        self.value(game)
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        FallbackEvaluator.curve(game, board)
    }

    fn savings(&mut self, game: &Game) -> Curve {
        FallbackEvaluator.savings(game)
    }
}

/// Tech levels of the side to move after the first turn of a position, before the end of the turn.
fn levels_after_first_turn(game: &Game, evaluator: Techs, options: SearchOptions) -> TechLevels {
    let mut workspace = Box::<Workspace<12, 1_400>>::default();
    let (slices, scratch) = workspace.split();
    let mut words = vec![0; PLANNER_WORDS];
    let ports = fallback_ports(evaluator, &mut words);
    let mut search = Search::new(slices, scratch, ports, options, game).unwrap();
    search.run(&mut NodeLimit(1));
    let mut lines = [Line::default(); 2];
    assert_eq!(search.tree().lines(&mut lines), 1);
    let mut after = game.clone();
    search.tree().play(&mut after, &lines[0]).unwrap();
    after.state().tech(after.side_to_move())
}

/// Tech levels after the choice that is valued most of the most plausible ones; of equal ones the most plausible counts.
fn valued_techs(game: &Game, evaluator: &Techs) -> TechLevels {
    let mut found = GeneralChoices::new();
    list_choices(game, &mut FallbackPolicies::default(), VALUED, &mut found);
    let after = found.iter().map(|(_, choice)| {
        let mut after = game.clone();
        for &action in choice {
            after.apply(Action::General(action), &mut UndoLog::off()).unwrap();
        }
        (evaluator.value(&after).win, after.state().tech(after.side_to_move()))
    });
    after.reduce(|best, next| if next.0 > best.0 { next } else { best }).unwrap().1
}

#[test]
fn the_first_turn_begins_with_the_techs_valued_most() {
    let mut own = [0; 2];
    for (ruleset, seed) in [(Ruleset::Server, 1), (Ruleset::Spooky, 2), (Ruleset::Server, 3)] {
        let config = GameConfig::new(ruleset, &[MapLabel::MidnightLake]).unwrap();
        let mut game = Game::new(config, seed);
        for turn in 0..24 {
            if game.state().is_over() {
                break;
            }
            for sign in [100, -100] {
                let expected = valued_techs(&game, &Techs(sign));
                let levels = levels_after_first_turn(&game, Techs(sign), SearchOptions::default());
                assert_eq!(levels, expected, "turn {turn}");
                let off = SearchOptions { techs: false, ..SearchOptions::default() };
                let simple = levels_after_first_turn(&game, Techs(sign), off);
                own[usize::from(sign > 0)] += usize::from(simple != levels);
            }
            let turn = Greedy::new(turn).choose(&game);
            game.play(&turn).unwrap();
        }
    }
    // Without the switch it is the simple player that chooses.
    assert!(own.iter().all(|count| *count > 10), "{own:?}");
}
