//! Recorded games: every turn must be legal where it is played.

use anyhow::Result;

use super::tally::Tally;
use crate::interrupt;
use crate::notation::GameFile;

/// Judges all turns of the games of a file. A turn that is not legal is a mismatch; those behind it are not judged.
pub(super) fn replay(mut file: GameFile, name: &str, tally: &mut Tally) -> Result<()> {
    while let Some(read) = file.next_game()? {
        interrupt::check()?;
        let mismatch = read.illegal.map(|illegal| match read.unjudged {
            0 => format!("{name}: {illegal}"),
            later => format!("{name}: {illegal}; {later} later turns of the game are not judged"),
        });
        let steps = read.game.turns.len() as u64 + u64::from(mismatch.is_some());
        tally.add(steps, mismatch);
    }
    Ok(())
}
