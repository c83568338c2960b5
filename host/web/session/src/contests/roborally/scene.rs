//! Scenes of RoboRally: the robots after a register or a clean-up, with the cards of the register.

use barrow_core::contests::roborally::{Card, CardEffect, Outcome, Robot, State, Status};

use super::findings::Moment;
use super::fixtures::way;
use super::robot_text::standing_text;
use crate::messages::{Scene, Standing, Token};

/// Scene of a state at a moment.
pub(super) fn scene(state: &State, moment: Moment) -> Scene {
    let turn = state.turn();
    let title = match moment {
        Moment::Start => "before the first turn".to_owned(),
        // The turn is counted with its clean-up.
        Moment::Register(register) => format!("turn {}, register {}", turn + 1, register + 1),
        Moment::CleanUp => format!("turn {turn}, clean-up"),
    };
    let robots = || (0..state.robots()).filter_map(|id| Some((id, state.robot(id)?)));
    let mut events = Vec::new();
    if let Moment::Register(register) = moment {
        let card = |id| state.register(id, register).filter(|_| state.is_active(id));
        let mut cards: Vec<(usize, Card)> = robots().filter_map(|(id, _)| Some((id, card(id)?))).collect();
        // Cards are run by their priority, the highest first.
        cards.sort_by_key(|(_, card)| std::cmp::Reverse(card.number()));
        events.extend(cards.into_iter().map(|(id, card)| format!("robot {id}: {}", effect(card))));
    }
    events.extend(result(state.outcome()));
    Scene {
        title,
        tokens: robots().filter_map(|(id, robot)| token(id, &robot)).collect(),
        land: Vec::new(),
        standings: robots().map(|(id, robot)| standing(id, &robot, state)).collect(),
        events,
    }
}

fn effect(card: Card) -> String {
    match card.effect() {
        CardEffect::Turn(1) => "turns right".to_owned(),
        CardEffect::Turn(2) => "turns around".to_owned(),
        CardEffect::Turn(_) => "turns left".to_owned(),
        CardEffect::Forward(cells) => format!("moves {cells}"),
        CardEffect::BackUp => "backs up".to_owned(),
    }
}

fn result(outcome: Outcome) -> Option<String> {
    match outcome {
        Outcome::Racing => None,
        Outcome::Finished(robot) => Some(format!("robot {robot} touches the last flag and wins")),
        Outcome::Last(robot) => Some(format!("robot {robot} is the last one and wins")),
        Outcome::Nobody => Some("all robots are out".to_owned()),
    }
}

fn token(id: usize, robot: &Robot) -> Option<Token> {
    let is_there = matches!(robot.status, Status::Active | Status::PoweredDown);
    let kind = if robot.status == Status::PoweredDown { "robot-down" } else { "robot" };
    is_there.then(|| Token {
        x: robot.cell.x().into(),
        y: robot.cell.y().into(),
        kind: kind.to_owned(),
        seat: Some(id),
        facing: Some(robot.facing.letter()),
        label: id.to_string(),
        words: format!("robot {id} facing {}", way(robot.facing)),
    })
}

fn standing(id: usize, robot: &Robot, state: &State) -> Standing {
    let words = standing_text(robot, state.flags());
    Standing { seat: id, words, is_out: robot.status == Status::Out }
}
