//! Scenes of Code of Kutulu: explorers, minions and effects of a state, with what the explorers do in the turn.

use barrow_core::contests::kutulu::{Action, Actions, EntityKind, Map, MinionPhase, State};

use crate::messages::{Fixture, Scene, Standing, Token};

/// Walls, shelters and spawns of a map.
pub(super) fn fixtures(map: &Map) -> Vec<Fixture> {
    let squares = (0..map.height() as i16).flat_map(|y| (0..map.width() as i16).map(move |x| (x, y)));
    let known = squares.filter_map(|(x, y)| {
        let (kind, words) = match map.sent(x, y) {
            '#' => ("wall", "wall"),
            'w' => ("spawn", "square where wanderers appear"),
            'U' => ("shelter", "shelter"),
            _ => return None,
        };
        Some(Fixture {
            x,
            y,
            kind: kind.to_owned(),
            facing: None,
            label: String::new(),
            words: words.to_owned(),
        })
    });
    known.collect()
}

/// Scene of a state and of the answers to it.
pub(super) fn scene(map: &Map, state: &State, actions: Option<&Actions>) -> Scene {
    let ending = if state.is_over() { ", over" } else { "" };
    Scene {
        title: format!("turn {}{ending}", state.turn),
        tokens: tokens(map, state),
        land: Vec::new(),
        standings: standings(state),
        events: actions.map(|actions| events(state, actions)).unwrap_or_default(),
    }
}

fn tokens(map: &Map, state: &State) -> Vec<Token> {
    let phases = ["spawning", "wandering", "stalking", "rushing", "stunned"];
    let token = |kind: &str, (x, y): (i16, i16), seat, label: String, words: String| Token {
        x,
        y,
        kind: kind.to_owned(),
        seat,
        facing: None,
        label,
        words,
    };
    let mut tokens = Vec::new();
    for entity in state.entities(map, 0).iter() {
        let at = (entity.x, entity.y);
        let [first, second, _] = entity.parameters;
        let phase = phases.get(second as usize).copied().unwrap_or("walking");
        let small = if second == MinionPhase::Spawning as i16 { "-spawning" } else { "" };
        tokens.push(match entity.kind {
            EntityKind::Explorer => {
                let words = format!("explorer {}, sanity {first}", entity.id);
                token("explorer", at, Some(entity.id as usize), entity.id.to_string(), words)
            }
            EntityKind::Wanderer => {
                token(&format!("wanderer{small}"), at, None, "W".to_owned(), format!("wanderer, {phase}"))
            }
            EntityKind::Slasher => {
                token(&format!("slasher{small}"), at, None, "S".to_owned(), format!("slasher, {phase}"))
            }
            EntityKind::Plan => token("plan", at, None, String::new(), format!("plan for {first} turns")),
            EntityKind::Light => token("light", at, None, String::new(), format!("light for {first} turns")),
            EntityKind::Shelter => {
                token("energy", at, None, first.to_string(), format!("shelter with {first} of energy"))
            }
            // A lock lies on no square.
            EntityKind::Yell => continue,
        });
    }
    // What lies on the ground first, so that explorers are drawn above it.
    tokens.sort_by_key(|token| (token.kind == "explorer", !token.words.contains("shelter")));
    tokens
}

fn standings(state: &State) -> Vec<Standing> {
    let standing = |(seat, explorer): (usize, &barrow_core::contests::kutulu::Explorer)| {
        let is_out = !state.is_alive(seat);
        let words = match state.scores[seat] {
            Some(score) if is_out => format!("out with {score} points"),
            _ => format!("sanity {}, {} plans, {} lights", explorer.sanity, explorer.plans, explorer.lights),
        };
        Standing { seat, words, is_out }
    };
    state.explorers.iter().enumerate().map(standing).collect()
}

fn events(state: &State, actions: &Actions) -> Vec<String> {
    let words = |id: usize| match actions[id] {
        Some(Action::Wait) => format!("explorer {id} waits"),
        Some(Action::Step(way)) => format!("explorer {id} goes {}", format!("{way:?}").to_lowercase()),
        Some(Action::Plan) => format!("explorer {id} makes a plan"),
        Some(Action::Light) => format!("explorer {id} lights a lamp"),
        Some(Action::Yell) => format!("explorer {id} yells"),
        None => format!("explorer {id} gives no answer and is out"),
    };
    state.living().map(words).collect()
}
