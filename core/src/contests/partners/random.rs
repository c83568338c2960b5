//! The random player, the baseline of comparisons (ice-and-fire §11.5 b).

use crate::contests::ice_and_fire::bot::TurnDraft;
use crate::contests::ice_and_fire::{Action, Level, Rules, State};
use crate::rng::Rng;

/// A turn of random legal commands: most units move to any cell that they can enter, and gold is spent here and there.
pub fn random_turn(state: &State, rules: &Rules, dice: &mut Rng) -> TurnDraft {
    let mut draft = TurnDraft::new(state);
    let player = state.mover();
    for from in state.ready().iter() {
        let Some(level) = draft.state().level(from) else { continue };
        let ways = from.to_set().neighbours() & draft.state().enterable(player, level);
        let choice = dice.below(ways.len() + 1) as usize;
        if let Some(target) = ways.iter().nth(choice) {
            draft.play(rules, Action::Move { from, target });
        }
    }
    while dice.chance(3, 4) && draft.state().conqueror().is_none() {
        let places = draft.state().playable(player);
        let Some(at) = places.iter().nth(dice.below(places.len()) as usize) else { break };
        let level = *dice.choose(&Level::ALL).unwrap_or(&Level::One);
        let action = match dice.below(6) {
            0 => Action::Tower(at),
            1 => Action::Mine(at),
            2 => Action::Train { level, at },
            _ => Action::Train { level: Level::One, at },
        };
        draft.play(rules, action);
    }
    draft
}
