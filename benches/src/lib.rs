//! Positions for the benches in `benches/benches`: middle games of the Spooky engine against itself on the default two
//! boards, and one turn of medium length. A bench file answers one question of a user; `cargo bench -p barrow-benches`
//! runs all of them.

use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};
use barrow_testing::BENCH_POSITIONS;

/// A position in FEN, then the lines of a turn in UMI.
const TURN: &str = include_str!("../data/turn.umi");

/// Returns the configuration of all positions.
pub fn config() -> GameConfig {
    GameConfig::default().with_ruleset(Ruleset::Spooky)
}

/// Parses the positions of [`BENCH_POSITIONS`].
///
/// # Panics
/// If the vendored text cannot be parsed.
pub fn positions() -> Vec<Game> {
    let config = config();
    BENCH_POSITIONS.lines().map(|line| fen::parse(line, &config).expect("a vendored position")).collect()
}

/// Parses a middle game and a legal turn on both of its boards.
///
/// # Panics
/// If the vendored text cannot be parsed.
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
