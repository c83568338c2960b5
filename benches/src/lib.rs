//! What the benches in `benches/benches` ask their questions about: middle games of the Spooky engine against
//! itself on the default two boards, and one turn of medium length. One bench file answers one question that a
//! user asks; run them with `cargo bench -p barrow-benches`.

use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};

/// Twenty positions, one a line.
pub const MIDGAME: &str = include_str!("../data/midgame.fen");

/// A position, then a turn in it, as a UMI session has them.
const TURN: &str = include_str!("../data/turn.umi");

/// The constants of all these games.
pub fn config() -> GameConfig {
    GameConfig::default().with_ruleset(Ruleset::Spooky)
}

/// The positions of [`MIDGAME`].
///
/// # Panics
/// When the vendored text is not what it should be.
pub fn positions() -> Vec<Game> {
    let config = config();
    MIDGAME.lines().map(|line| fen::parse(line, &config).expect("a vendored position")).collect()
}

/// A middle game and a whole turn on both of its boards that is legal there.
///
/// # Panics
/// When the vendored text is not what it should be.
pub fn turn() -> (Game, GameTurn) {
    let mut lines = TURN.lines();
    let game = fen::parse(lines.next().unwrap_or(""), &config()).expect("a vendored position");
    let mut reader = TurnReader::new(&game, lines.next().unwrap_or("")).expect("a turn line");
    for line in lines.take_while(|line| *line != "endturn") {
        reader.read(line).expect("a vendored action");
    }
    let turn = reader.finish(&game).expect("a vendored turn");
    (game, turn)
}
