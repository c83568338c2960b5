//! Recorded games: the seed, then the input and the answer of every player turn.

use anyhow::{Context, Result, bail};
use barrow_core::contests::ice_and_fire::{Game, Map, Player, Rules};

use super::input_line::{differ, input_line};
use crate::contests::lines::LineReader;

/// The word behind the seed of a game by the constants of the contest.
pub const CONTEST: &str = "contest";

/// Turn of a player in a recorded game, or the end of the game.
pub struct Step<'a> {
    /// Line of the record.
    pub line: usize,
    /// Game before the turn.
    pub game: &'a Game,
    /// Answer of the player to move; none at the end of the game.
    pub answer: Option<&'a str>,
    /// Differences of the record from the rules.
    pub difference: Option<String>,
}

/// Replays all recorded games of a text, and calls `watch` for every turn of a player and every end.
pub fn replay(lines: &mut LineReader<'_>, watch: &mut dyn FnMut(Step<'_>)) -> Result<()> {
    while lines.peek().is_some() {
        replay_game(lines, watch)?;
    }
    Ok(())
}

/// The player of a number, 0 or 1.
pub fn player(number: usize) -> Result<Player> {
    Player::BOTH.get(number).copied().with_context(|| format!("no player {number}"))
}

/// Reads the seed of a game and the variant of its rules.
fn setup(lines: &mut LineReader<'_>) -> Result<(Map, Rules)> {
    let seed = lines.need("SEED")?.trim();
    let (seed, rules) = match seed.split_once(' ') {
        Some((seed, CONTEST)) => (seed, Rules::CONTEST),
        _ => (seed, Rules::PERMANENT),
    };
    Ok((Map::generate(seed.parse()?, &rules), rules))
}

fn replay_game(lines: &mut LineReader<'_>, watch: &mut dyn FnMut(Step<'_>)) -> Result<()> {
    let (map, rules) = setup(lines)?;
    let spots = map.mine_spots.iter().map(|cell| format!("{} {}", cell.x(), cell.y()));
    let engine: Vec<String> = [map.mine_spots.len().to_string()].into_iter().chain(spots).collect();
    let mut difference = differ("mine spots", lines.need("INIT")?, &engine.join(","));
    let mut game = Game::new(&map);
    while let Some(turn) = lines.after("T") {
        let line = lines.number();
        let (place, told) = turn.split_once(" IN ").context("expected IN")?;
        let (number, who) = place.split_once(" P ").context("expected P")?;
        let mover = player(who.parse()?)?;
        let state = *game.state();
        if difference.is_none() && game.outcome().is_some() {
            difference = Some("the game is over in the engine".to_owned());
        }
        let engine = (state.turn().to_string(), state.mover());
        if difference.is_none() && engine != (number.to_owned(), mover) {
            difference = Some(format!("turn {place}, engine {} {}", engine.0, engine.1.index()));
        }
        difference = difference.or_else(|| differ("input", told, &input_line(&game, mover)));
        let answer = lines.need("OUT")?;
        watch(Step { line, game: &game, answer: Some(answer), difference: difference.take() });
        let _ = game.execute(&rules, answer);
        game.pass();
    }
    let line = lines.number();
    let end = lines.need("END")?;
    let scores = lines.need("SCORES")?;
    let Some(over) = game.outcome() else { bail!("the game goes on in the engine") };
    let difference = differ("end", end, &game.state().turn().to_string())
        .or_else(|| differ("scores", scores, &format!("{} {}", over.scores[0], over.scores[1])));
    watch(Step { line, game: &game, answer: None, difference });
    Ok(())
}

/// The game of a trace before the first player turn of `turn`, or the finished game.
pub fn game_at(text: &str, turn: u8) -> Result<Game> {
    let mut lines = LineReader::new(text);
    let mut answers = || -> Result<Game> {
        let (map, rules) = setup(&mut lines)?;
        let mut game = Game::new(&map);
        lines.need("INIT")?;
        while lines.after("T").is_some() && game.state().turn() < turn {
            let _ = game.execute(&rules, lines.need("OUT")?);
            game.pass();
        }
        Ok(game)
    };
    answers().with_context(|| format!("line {}", lines.number()))
}
