//! Recorded games: seed, map and constants, then for each turn the lines before the turn and the answers.
//!
//! The game is replayed from its seed and the answers alone. The lines of every turn are compared byte for byte, and so
//! are the lines that each player is sent, in the player's own order.

use anyhow::{Context, Result, ensure};
use barrow_core::contests::kutulu::{
    Actions, Constants, EXPLORERS, Map, MapTables, POOL_SIZE, State, map_name, pool_map,
};

use super::state_lines::{difference, read_actions, state_lines};
use crate::contests::lines::{LineReader, numbers};

/// Turn of a recorded game, or its end.
pub struct Step<'a> {
    /// Line of the record.
    pub line: usize,
    /// Map of the game.
    pub map: &'a Map,
    /// State before the turn.
    pub state: &'a State,
    /// Answers of the turn; none at the end of the game.
    pub actions: Option<&'a Actions>,
    /// Differences of the record from the rules.
    pub difference: Option<String>,
}

/// Replays all recorded games of a text, and calls `watch` for every turn and every end.
pub fn replay(lines: &mut LineReader<'_>, watch: &mut dyn FnMut(Step<'_>)) -> Result<()> {
    while lines.peek().is_some() {
        game(lines, watch)?;
    }
    Ok(())
}

/// Reads the head of a game: the tables of its map, its first state, and the mismatch between seed and map if there is
/// one.
fn setup(lines: &mut LineReader<'_>) -> Result<(Box<MapTables>, State, Option<String>)> {
    let seed: u64 = lines.need("SEED")?.parse()?;
    let name = lines.need("MAP")?;
    let constants = Constants::read(lines.need("CONSTS")?).context("expected four constants")?;
    let recorded = (0..POOL_SIZE).find(|&index| map_name(index) == Some(name)).context("no such map")?;
    let (drawn, drawn_constants, dice) = State::draw(seed);
    let tables = Box::new(MapTables::new(&pool_map(recorded)?));
    let is_drawn = (drawn, drawn_constants) == (recorded, constants);
    let difference = (!is_drawn).then(|| "seed, map and constants do not belong together".to_owned());
    let state = State::start(tables.map(), constants, dice);
    Ok((tables, state, difference))
}

/// The map and the state before a turn of a recorded game, or the last state.
pub fn state_at(text: &str, turn: u16) -> Result<(Map, State)> {
    let mut lines = LineReader::new(text);
    let reach = |lines: &mut LineReader<'_>| -> Result<(Map, State)> {
        let (tables, mut state, _) = setup(lines)?;
        while state.turn < turn {
            let Some(rest) = lines.after("TURN") else { break };
            lines.block(numbers::<usize, 2>(rest)?[1])?;
            let actions = read_actions(lines, &tables, &state)?;
            state.play(&tables, &actions).ok().context("more minions or effects than a game has")?;
        }
        Ok((*tables.map(), state))
    };
    reach(&mut lines).with_context(|| format!("line {}", lines.number()))
}

fn game(lines: &mut LineReader<'_>, watch: &mut dyn FnMut(Step<'_>)) -> Result<()> {
    let (tables, mut state, mut setup) = setup(lines)?;
    while let Some(rest) = lines.after("TURN") {
        let [turn, count] = numbers::<usize, 2>(rest)?;
        let expected = lines.block(count)?;
        let found = setup.take().or_else(|| difference(&expected, &state_lines(&state, tables.map())));
        let found = found.or_else(|| differently_seen(&state, &tables, &expected));
        let number = usize::from(state.turn);
        let found = found.or_else(|| (number != turn).then(|| format!("turn {number}")));
        let line = lines.number();
        let actions = read_actions(lines, &tables, &state)?;
        let difference = found.map(|what| format!("turn {turn}: {what}"));
        watch(Step { line, map: tables.map(), state: &state, actions: Some(&actions), difference });
        state.play(&tables, &actions).ok().context("more minions or effects than a game has")?;
    }
    let [turn, count] = numbers::<usize, 2>(lines.need("END")?)?;
    let expected = lines.block(count)?;
    let scores: [i16; EXPLORERS] = numbers(lines.need("SCORES")?)?;
    let found = difference(&expected, &state_lines(&state, tables.map()));
    let found = found.or_else(|| (!state.is_over()).then(|| "the game is not over".to_owned()));
    let found = found.or_else(|| {
        (state.scores != scores.map(Some)).then(|| format!("expected {scores:?}, found {:?}", state.scores))
    });
    let difference = found.map(|what| format!("end after turn {turn}: {what}"));
    watch(Step { line: lines.number(), map: tables.map(), state: &state, actions: None, difference });
    ensure!(lines.peek().is_none_or(|line| line.starts_with("SEED ")), "expected the end of the file");
    Ok(())
}

/// The mismatch in the lines that each player is sent: the same lines with the player's own explorer first, then the
/// other explorers by ascending id with 0 after 3.
fn differently_seen(state: &State, tables: &MapTables, expected: &str) -> Option<String> {
    let is_explorer = |line: &&str| line.starts_with("EXPLORER ");
    let (explorers, others): (Vec<&str>, Vec<&str>) = expected.lines().partition(is_explorer);
    state.living().find_map(|viewer| {
        let place = explorers.iter().position(|line| line.starts_with(&format!("EXPLORER {viewer} ")))?;
        let (behind, first) = explorers.split_at(place);
        let sent = state.entities(tables.map(), viewer);
        let sent: Vec<String> = sent.iter().map(ToString::to_string).collect();
        let expected = [first, behind, &others].concat();
        (sent != expected).then(|| format!("explorer {viewer} is sent other lines"))
    })
}
