//! Features of positions: different rows for different positions, the same rows for a position seen from the other
//! side, and the rows that the small layout shares.

mod injective;
mod mutations;
mod perspectives;
mod signature;

use barrow_core::minions::{Builder, Deck, Game, MapLabel, Ruleset, Side};
use barrow_core::rng::Rng;
use barrow_nnue::features::Stage;
use barrow_nnue::layout::{Layout, Row, board_rows, global_rows};

use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::positions::position;
use barrow_testing::random_play::random_game;

/// The active rows of every board and of the general, each list sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Seen {
    boards: Vec<Vec<Row>>,
    general: Vec<u16>,
}

fn seen<L: Layout>(game: &Game, stage: Stage, side: Side) -> Seen {
    let boards = game.state().boards().iter().zip(game.config().maps()).map(|(board, &map)| {
        let mut rows = Vec::new();
        board_rows::<L>(map, board, stage, side, |row| rows.push(row));
        rows.sort_unstable();
        rows
    });
    let boards = boards.collect();
    let mut general = Vec::new();
    global_rows::<L>(game, side, |row| general.push(row));
    general.sort_unstable();
    Seen { boards, general }
}

/// Position without everything that no rule depends on: hands and row in the order of the spell table, decks without
/// the state of their generator.
fn plain(game: &Game) -> Game {
    let state = game.state();
    let mut builder = Builder::from_game(game.clone());
    for index in 0..state.boards().len() {
        let board = builder.board(index).unwrap();
        for side in Side::ALL {
            let mut hand = board.hand(side).clone();
            while board.remove_card(side, 0).is_some() {}
            hand.sort_unstable();
            hand.iter().for_each(|&card| board.push_card(side, card).unwrap());
        }
    }
    let mut row: Vec<_> =
        (0..state.row().len()).map(|card| (state.row()[card], state.is_taken(card))).collect();
    row.sort_unstable();
    let taken =
        row.iter().enumerate().filter(|(_, (_, taken))| *taken).fold(0, |bits, (at, _)| bits | 1 << at);
    let row: Vec<_> = row.into_iter().map(|(spell, _)| spell).collect();
    builder.row(&row, taken).unwrap();
    for side in Side::ALL {
        let deck = state.deck(side);
        builder.deck(side, Deck::with(deck.queue(), *deck.left(), 0).unwrap());
    }
    builder.build().unwrap()
}

fn bytes(dice: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| dice.next_u64() as u8).collect()
}

/// Positions of random play, in the middle of turns, and invented ones, under both rulesets.
fn positions(seed: u64, count: usize) -> Vec<Game> {
    let mut dice = Rng::new(seed);
    (0..count)
        .map(|index| {
            let ruleset = if index % 3 == 2 { Ruleset::Spooky } else { Ruleset::Server };
            if index % 4 == 0 {
                let maps: Vec<MapLabel> =
                    (0..=dice.below(2)).map(|_| *dice.choose(&MapLabel::ALL).unwrap()).collect();
                let (turns, rest) = (dice.below(16), dice.below(40));
                random_game(dice.next_u64(), ruleset, &maps, turns, rest)
            } else {
                let data = bytes(&mut dice, 800);
                position(&mut Choices::new(&data), ruleset)
            }
        })
        .collect()
}
