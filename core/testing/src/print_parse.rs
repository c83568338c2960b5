//! Printing and parsing: what is printed of a position or of a legal turn is read back as the same.

use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::{Game, GameTurn};

/// Reads a turn from its lines, the line `turn` first.
pub fn read_turn(game: &Game, text: &str) -> Result<GameTurn, umi::UmiError> {
    let mut lines = text.lines();
    let mut reader = umi::TurnReader::new(game, lines.next().unwrap_or(""))?;
    lines.try_for_each(|line| reader.read(line))?;
    reader.finish(game)
}

/// Prints a turn, reads the text and returns the position to which the turn read leads. Panics unless a legal turn is
/// read as a turn that leads to the same position and is printed and read unchanged from then on. Returns `None` where
/// the turn is illegal.
pub fn check_turn(game: &Game, turn: &GameTurn) -> Option<Game> {
    let mut played = game.clone();
    played.play(turn).ok()?;
    let position = || fen::Extended(game).to_string();
    let text = umi::TurnText::new(game, turn).to_string();
    assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{text}");
    let read = read_turn(game, &text).unwrap_or_else(|error| panic!("{error} in\n{text}\nof {}", position()));
    let mut replayed = game.clone();
    if let Err(error) = replayed.play(&read) {
        panic!("{error} in\n{text}\nof {}", position());
    }
    assert!(replayed == played, "another position after\n{text}\nof {}", position());
    let again = umi::TurnText::new(game, &read).to_string();
    assert_eq!(again, text, "the turn read is printed in other words, of {}", position());
    assert_eq!(read_turn(game, &again).as_ref(), Ok(&read), "{again}\nof {}", position());
    Some(played)
}

/// Panics unless both forms of a position's line are read back: the extended form as the same position, Spooky's,
/// under rules without spells, as one that is printed in the same words.
pub fn check_position(game: &Game) {
    let extended = fen::Extended(game).to_string();
    assert!(extended.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{extended}");
    let read = fen::parse(&extended, game.config());
    assert!(read.as_ref() == Ok(game), "{extended} is read as another position");
    assert_eq!(read.map(|read| fen::Extended(&read).to_string()), Ok(extended));
    let plain = fen::Display(game).to_string();
    match fen::parse(&plain, game.config()) {
        // With spells the letters of a board stand for more than one list (fen §19).
        Ok(read) if !game.config().rules.spells => assert_eq!(fen::Display(&read).to_string(), plain),
        Ok(_) => {}
        Err(error) => panic!("{error} in {plain}"),
    }
}
