//! Scenes of A Code of Ice and Fire: land, units and buildings of a position, with the commands of the turn.

use barrow_core::contests::ice_and_fire::{Cell, Ending, Game, Player, SIZE, State};

use crate::messages::{Fixture, Scene, Standing, Token};

/// Letter of the land of each player, where it is active.
const LETTERS: [char; 2] = ['A', 'B'];

/// Void squares and mine spots of a position.
pub(super) fn fixtures(state: &State) -> Vec<Fixture> {
    let fixture = |cell: Cell, kind: &str, words: &str| Fixture {
        x: cell.x().into(),
        y: cell.y().into(),
        kind: kind.to_owned(),
        facing: None,
        label: String::new(),
        words: words.to_owned(),
    };
    let void = cells().filter(|&cell| !state.open().contains(cell)).map(|cell| fixture(cell, "void", "void"));
    let spots = state.mine_spots().iter().map(|cell| fixture(cell, "mine_spot", "mine spot"));
    void.chain(spots).collect()
}

fn cells() -> impl Iterator<Item = Cell> {
    (0..SIZE).flat_map(|y| (0..SIZE).filter_map(move |x| Cell::at(x, y)))
}

/// Scene of a position, and the answer of the player to move.
pub(super) fn scene(game: &Game, answer: Option<&str>) -> Scene {
    let state = game.state();
    let title = match game.outcome() {
        None => format!("turn {}, player {}", state.turn(), state.mover().index()),
        Some(_) => format!("turn {}, over", state.turn()),
    };
    let commands = answer.into_iter().flat_map(|answer| answer.split(';'));
    let commands = commands.map(str::trim).filter(|command| !command.is_empty());
    let mut events: Vec<String> =
        commands.map(|command| format!("player {}: {command}", state.mover().index())).collect();
    if let Some(outcome) = game.outcome() {
        events.push(ending(outcome.ending, outcome.scores));
    }
    Scene { title, tokens: tokens(game), land: land(state), standings: standings(state), events }
}

fn ending(ending: Ending, scores: [i32; 2]) -> String {
    format!("{}: {} to {}", format!("{ending:?}").to_lowercase(), scores[0], scores[1])
}

fn land(state: &State) -> Vec<String> {
    let letter = |cell: Cell| {
        let owner = Player::BOTH.into_iter().find(|&player| state.owned(player).contains(cell));
        match owner {
            Some(player) if state.active(player).contains(cell) => LETTERS[player.index()],
            Some(player) => LETTERS[player.index()].to_ascii_lowercase(),
            None => '.',
        }
    };
    let row = |y| (0..SIZE).map(|x| Cell::at(x, y).map_or('.', letter)).collect();
    (0..SIZE).map(row).collect()
}

fn tokens(game: &Game) -> Vec<Token> {
    let state = game.state();
    let owner = |cell| Player::BOTH.into_iter().find(|&player| state.owned(player).contains(cell));
    let token = |cell: Cell, kind: &str, seat: Option<Player>, label: String, words: String| Token {
        x: cell.x().into(),
        y: cell.y().into(),
        kind: kind.to_owned(),
        seat: seat.map(Player::index),
        facing: None,
        label,
        words: seat.map_or(words.clone(), |player| format!("{words} of player {}", player.index())),
    };
    let quarters = Player::BOTH.map(|player| {
        token(player.headquarters(), "headquarters", Some(player), "H".to_owned(), "headquarters".to_owned())
    });
    let towers = state
        .towers()
        .iter()
        .map(|cell| token(cell, "tower", owner(cell), "T".to_owned(), "tower".to_owned()));
    let mines =
        state.mines().iter().map(|cell| token(cell, "mine", owner(cell), "M".to_owned(), "mine".to_owned()));
    let units = state.all_units().iter().filter_map(|cell| {
        let level = state.level(cell)?.number();
        Some(token(cell, "unit", owner(cell), level.to_string(), format!("unit of level {level}")))
    });
    quarters.into_iter().chain(towers).chain(mines).chain(units).collect()
}

fn standings(state: &State) -> Vec<Standing> {
    let standing = |player: Player| {
        let (gold, income, score) = (state.gold(player), state.income(player), state.score(player));
        let cells = state.active(player).len();
        let words = format!("gold {gold}, income {income}, {cells} active squares, score {score}");
        Standing { seat: player.index(), words, is_out: false }
    };
    Player::BOTH.map(standing).to_vec()
}
