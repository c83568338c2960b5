//! Recorded games: every turn must be legal where it is played.

use anyhow::Result;

use super::tally::Tally;
use crate::interrupt;
use crate::notation::{GameFile, GameForm};
use crate::text::quoted::shortened;

/// Judges all turns of the games of a file. A turn that is not legal is a mismatch; those behind it are not judged. So is a line
/// with which a game breaks off in front of another one, and in a file with a game on each line one that is none.
pub(super) fn replay(mut file: GameFile, name: &str, tally: &mut Tally) -> Result<()> {
    while let Some(read) = file.next_game()? {
        interrupt::check()?;
        let mismatch = read.illegal.map(|illegal| match read.unjudged {
            0 => format!("{name}: {illegal}"),
            later => format!("{name}: {illegal}; {later} later turns of the game are not judged"),
        });
        let steps = read.game.turns.len() as u64 + u64::from(mismatch.is_some());
        add_damage(&mut file, tally);
        tally.add(steps, mismatch);
    }
    add_damage(&mut file, tally);
    Ok(())
}

/// Counts the damage that was met so far.
fn add_damage(file: &mut GameFile, tally: &mut Tally) {
    let damage = file.take_damage();
    let rest = match file.form() {
        GameForm::Json | GameForm::SelfPlay => "the line is left out",
        GameForm::Notation | GameForm::Server => "the game is read up to its last whole turn",
    };
    let told = |words: &String| format!("{}; {rest}", shortened(words));
    tally.add(0, damage.told().iter().map(told));
    tally.mismatches += (damage.len() - damage.told().len()) as u64;
}
