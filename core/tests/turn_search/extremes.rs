//! Searches of positions that only texts can describe, and with evaluators that say what no evaluator should.

use barrow_core::hex::Hex;
use barrow_core::minions::players::FallbackEvaluator;
use barrow_core::minions::turn_search::ports::{Evaluator, Stage};
use barrow_core::minions::turn_search::{Line, Search, SearchOptions, Workspace};
use barrow_core::minions::{
    Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, SideArray, Spell, UnitLabel,
};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::value::{Curve, Estimate, KNOTS};
use barrow_solver::attack::PLANNER_WORDS;

use crate::fallback_ports;

/// Evaluator that says one thing of everything.
struct Constant(i32);

impl Evaluator for Constant {
    fn begin(&mut self, _: &Game) {}

    fn evaluate(&mut self, _: &Game) -> Estimate {
        Estimate { win: self.0, error: self.0 }
    }

    fn evaluate_board(&mut self, game: &Game, _: usize, _: Stage) -> Estimate {
        self.evaluate(game)
    }

    fn curve(&mut self, _: &Game, _: usize) -> Curve {
        [self.0; KNOTS.len()]
    }

    fn savings(&mut self, _: &Game) -> Curve {
        [self.0; KNOTS.len()]
    }
}

/// Searches a position and plays the best turn.
fn search(game: &Game, evaluator: impl Evaluator, options: SearchOptions) {
    let mut workspace = Box::<Workspace<12, 1_400>>::default();
    let (slices, scratch) = workspace.split();
    let mut words = vec![0; PLANNER_WORDS];
    let ports = fallback_ports(evaluator, &mut words);
    let mut search = Search::new(slices, scratch, ports, options, game).unwrap();
    search.run(&mut NodeLimit(80));
    let mut lines = [Line::default(); 2];
    assert!(search.tree().lines(&mut lines) > 0);
    let turn = search.tree().turn(game, &lines[0]).unwrap();
    game.clone().play(&turn).unwrap();
}

#[test]
fn points_as_many_as_there_can_be_are_counted_on() {
    for points in [SideArray::new(255, 255), SideArray::new(255, 0), SideArray::new(0, 255)] {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::MidnightLake]).unwrap();
        let mut builder = Builder::from_game(Game::new(config, 1));
        builder.points(points);
        let game = builder.build().unwrap();
        assert!(!game.state().is_over());
        search(&game, FallbackEvaluator, SearchOptions::default());
    }
}

#[test]
fn damage_as_large_as_there_can_be_is_added_to() {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
    for spell in [Spell::Fester, Spell::Dismember, Spell::Unsummon] {
        for damage in [u16::MAX, u16::MAX - 1] {
            let mut builder = Builder::new(config.clone(), 1);
            let board = builder.board(0).unwrap();
            let near = Hex::named("c4").unwrap();
            for (name, side, unit) in [
                ("c3", Side::Yellow, UnitLabel::Warg),
                ("b2", Side::Yellow, UnitLabel::Necromancer),
                ("c4", Side::Blue, UnitLabel::Mummy),
                ("d4", Side::Blue, UnitLabel::Necromancer),
            ] {
                let at = Hex::named(name).unwrap();
                let piece = Piece::fresh(side, unit, at);
                board.set_piece(at, Some(if at == near { piece.with_damage(damage) } else { piece }));
            }
            board.push_card(Side::Yellow, spell).unwrap();
            search(&builder.build().unwrap(), FallbackEvaluator, SearchOptions::default());
        }
    }
}

#[test]
fn an_evaluator_outside_its_range_ends_no_search() {
    let config = GameConfig::new(Ruleset::Spooky, &[MapLabel::MidnightLake, MapLabel::AllLand]).unwrap();
    let game = Game::new(config, 1);
    for said in [i32::MIN, -1, 65_537, i32::MAX] {
        for confidence in [false, true] {
            search(&game, Constant(said), SearchOptions { confidence, ..SearchOptions::default() });
        }
    }
}
