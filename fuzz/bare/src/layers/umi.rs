//! Turns as text, read and printed.

use core::hint::black_box;

use barrow_core::minions::text::umi::{EndLine, TurnReader, TurnText, UmiError};
use barrow_core::minions::{Game, Side};

use crate::input::{print, text, use_up};

/// Everything that is offered for turns as text.
pub fn run() {
    let mut game = crate::input::game();
    if let Err(error) = read(&mut game) {
        print(error);
    }
    print(EndLine(black_box(Some(Side::Yellow))));
}

fn read(game: &mut Game) -> Result<(), UmiError> {
    let mut reader = TurnReader::new(game, text())?;
    for _ in 0..black_box(3) {
        reader.read(text())?;
    }
    let turn = reader.finish(game)?;
    print(TurnText::new(game, &turn));
    use_up(game.play(&turn).is_ok());
    Ok(())
}
