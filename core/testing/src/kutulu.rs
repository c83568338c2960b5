//! Actions and states of Code of Kutulu generated from bytes, for property tests and fuzz targets.

use barrow_core::contests::kutulu::{
    Action, Cell, Direction, Effect, EffectKind, Explorer, Minion, MinionPhase, State,
};

/// Generates the action of an explorer; `None`, an invalid answer, for one byte in 256.
pub fn action(byte: u8) -> Option<Action> {
    Some(match byte {
        0..=2 => Action::Plan,
        3..=5 => Action::Light,
        6..=17 => Action::Yell,
        18..=60 => Action::Wait,
        61 => return None,
        _ => Action::Step(Direction::nth(usize::from(byte))),
    })
}

/// Adds a generated effect or minion to a state, or overwrites an explorer; the state need not be valid afterwards.
pub fn mutate(state: &mut State, word: [u8; 8]) {
    let [kind, a, b, c, d, e, f, g] = word;
    let cell = |byte: u8| Cell::new(usize::from(byte)).unwrap_or_default();
    let caster = if a < 200 { Some(a % 6) } else { None };
    let mut effect = |kind| {
        let _ = state.effects.push(Effect { kind, caster, left: b });
    };
    match kind % 7 {
        0 => effect(EffectKind::Plan),
        1 => effect(EffectKind::Light),
        2 => effect(EffectKind::Yell { victim: c % 6 }),
        3 => effect(EffectKind::Shelter { cell: cell(c) }),
        4 => {
            state.explorers[usize::from(a % 4)] =
                Explorer { cell: cell(b), sanity: c, plans: d, lights: e, yelled_at: f, had_slasher: g > 99 };
        }
        _ => {
            let _ = state.minions.push(Minion {
                id: u16::from(a),
                is_slasher: b > 127,
                phase: MinionPhase::ALL[usize::from(c % 5)],
                cell: cell(d),
                counter: e,
                target: if f < 200 { Some(f) } else { None },
                remembered: if g < 200 { Some(cell(g)) } else { None },
            });
        }
    }
}
