//! Lines of the general: a turn has one tech line, so that a step is added by a line that replaces the one before.

use barrow_core::minions::{Game, GeneralAction};

use crate::text::turn_entry::TurnEntry;

/// The tech line in UMI of a turn with one more step; `game` is the position as entered. `None` when the turn has no room.
pub fn line_with(game: &Game, entry: &TurnEntry, action: GeneralAction) -> Option<String> {
    let mut turn = entry.turn().ok()?;
    let levels = game.state().tech(game.side_to_move());
    let next = levels.first_locked(game.config().techline.len());
    let action = match action {
        GeneralAction::Advance { index } if next == Some(index) => GeneralAction::March,
        action => action,
    };
    turn.push_general(game.config(), levels, action)?;
    let steps: Vec<String> = turn.tech_spells.iter().map(u8::to_string).collect();
    Some(format!("tech {} {}", turn.marches, steps.join(" ")).trim_end().to_owned())
}

/// Line that unlocks the next tech; `None` where it is not possible.
pub fn march_line(game: &Game, entry: &TurnEntry) -> Option<String> {
    let line = line_with(game, entry, GeneralAction::March)?;
    entry.check(&line).is_ok().then_some(line)
}
