//! Ports that are lent: a reference to a port is a port, so that a search holds no large value.

use super::ports::{
    Attack, AttackGoal, AttackPlanner, AttackPolicy, BoardSpells, Evaluator, Fates, GeneralChoice,
    GeneralPolicy, Menaces, Outline, Planned, Ports, SpawnPolicy, Stage, Worths,
};
use crate::hex::{Hex, HexSet};
use crate::minions::{DraftMemory, Game, GeneralAction, Spell, UnitLabel, View};
use crate::search::value::{Curve, Estimate};

impl<E: Evaluator + ?Sized> Evaluator for &mut E {
    fn begin(&mut self, game: &Game) {
        (**self).begin(game);
    }

    fn evaluate(&mut self, game: &Game) -> Estimate {
        (**self).evaluate(game)
    }

    fn evaluate_begun(&mut self, game: &Game) -> Estimate {
        (**self).evaluate_begun(game)
    }

    fn evaluate_board(&mut self, game: &Game, board: usize, stage: Stage) -> Estimate {
        (**self).evaluate_board(game, board, stage)
    }

    fn evaluate_general(&mut self, game: &Game) -> Estimate {
        (**self).evaluate_general(game)
    }

    fn curve(&mut self, game: &Game, board: usize) -> Curve {
        (**self).curve(game, board)
    }

    fn savings(&mut self, game: &Game) -> Curve {
        (**self).savings(game)
    }
}

impl<A: AttackPolicy + ?Sized> AttackPolicy for &mut A {
    fn modes(&self) -> u8 {
        (**self).modes()
    }

    fn prophesy(&mut self, game: &Game, board: usize, mode: u8) -> Fates {
        (**self).prophesy(game, board, mode)
    }

    fn menaces(&mut self, game: &Game, board: usize) -> Menaces {
        (**self).menaces(game, board)
    }
}

impl<P: AttackPlanner + ?Sized> AttackPlanner for &mut P {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Planned {
        (**self).plan(view, goals, forbidden, attack)
    }

    fn longest_request(&self) -> u64 {
        (**self).longest_request()
    }

    fn effort(&self) -> u64 {
        (**self).effort()
    }
}

impl<S: SpawnPolicy + ?Sized> SpawnPolicy for &mut S {
    fn begin_board(&mut self, game: &Game, board: usize) {
        (**self).begin_board(game, board);
    }

    fn begin_finish(&mut self, known: u32) {
        (**self).begin_finish(known);
    }

    fn spawn(&mut self, game: &Game, board: usize, unit: UnitLabel, hexes: HexSet, worths: &mut Worths) {
        (**self).spawn(game, board, unit, hexes, worths);
    }

    fn stand(&mut self, game: &Game, board: usize, from: Hex, hexes: HexSet, worths: &mut Worths) {
        (**self).stand(game, board, from, hexes, worths);
    }

    fn spells(&mut self, game: &Game, board: usize, memory: &mut DraftMemory) -> BoardSpells {
        (**self).spells(game, board, memory)
    }

    fn unit(&mut self, game: &Game, board: usize, unit: UnitLabel) -> i32 {
        (**self).unit(game, board, unit)
    }
}

impl<G: GeneralPolicy + ?Sized> GeneralPolicy for &mut G {
    fn begin(&mut self, game: &Game) {
        (**self).begin(game);
    }

    fn prior(&mut self, game: &Game, choice: &[GeneralAction]) -> u32 {
        (**self).prior(game, choice)
    }

    fn whole_turn(&mut self, game: &Game, techs: Option<&GeneralChoice>, memory: &mut DraftMemory) -> bool {
        (**self).whole_turn(game, techs, memory)
    }

    fn card(&mut self, game: &Game, board: usize, spell: Spell) -> i32 {
        (**self).card(game, board, spell)
    }
}

impl<P: Ports + ?Sized> Ports for &mut P {
    type Evaluator = P::Evaluator;
    type AttackPolicy = P::AttackPolicy;
    type AttackPlanner = P::AttackPlanner;
    type SpawnPolicy = P::SpawnPolicy;
    type GeneralPolicy = P::GeneralPolicy;

    fn evaluator(&mut self) -> &mut P::Evaluator {
        (**self).evaluator()
    }

    fn attack_policy(&mut self) -> &mut P::AttackPolicy {
        (**self).attack_policy()
    }

    fn attack_planner(&mut self) -> &mut P::AttackPlanner {
        (**self).attack_planner()
    }

    fn spawn_policy(&mut self) -> &mut P::SpawnPolicy {
        (**self).spawn_policy()
    }

    fn general_policy(&mut self) -> &mut P::GeneralPolicy {
        (**self).general_policy()
    }
}
