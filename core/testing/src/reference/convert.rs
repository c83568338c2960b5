//! Conversion of a game of the engine to a state of the reference, and comparison of the two.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use barrow_core::hex::Hex;
use barrow_core::minions::{
    self as engine, Action, Builder, Game, GameConfig, GeneralAction, MapLabel, Movable, Ruleset, Side,
    SideArray, Spell, UndoLog,
};

use super::geometry::{all, at, hex, number};
use super::state::{Board, FIRST_CREATED_ID, Piece, State};

/// Identity for an attacked piece of which the engine records only that it was not the first one.
const UNKNOWN_TARGET: u32 = 500;

/// Number of cards to read from a deck, more than a turn deals.
const UPCOMING_CARDS: usize = 60;

/// Converts a game to a state of the reference.
pub fn from_game(game: &Game) -> State {
    let mut next_id = FIRST_CREATED_ID;
    let boards = game.state().boards().iter().zip(game.config().maps());
    let boards = boards.map(|(board, &map)| board_of(board, map, &mut next_id)).collect();
    State { boards, upcoming: upcoming_cards(game), next_id, ..without_boards(game) }
}

/// Converts everything but the boards and the upcoming cards.
fn without_boards(game: &Game) -> State {
    let (config, state) = (game.config(), game.state());
    let length = config.techline.len() as u8;
    let levels = |levels: engine::TechLevels| (0..length).map(|index| levels.status(index)).collect();
    State {
        ruleset: config.ruleset,
        techline: config.techline.techs().to_vec(),
        points_needed: u32::from(config.points_needed),
        extra_souls: Side::ALL.map(|side| u32::from(config.extra_souls[side])),
        boards: Vec::new(),
        side: state.side_to_move(),
        winner: state.winner(),
        turn: state.turn(),
        points: Side::ALL.map(|side| u32::from(state.points(side))),
        souls: Side::ALL.map(|side| state.souls(side)),
        tech: Side::ALL.map(|side| levels(state.tech(side))),
        tech_start: Side::ALL.map(|side| levels(state.tech_at_start(side))),
        tech_points: u32::from(state.budget().tech_points),
        bought: u32::from(state.budget().bought),
        sold: state.budget().sold,
        row: state.row().to_vec(),
        taken: (0..state.row().len()).filter(|&card| state.is_taken(card)).collect(),
        queue: Side::ALL.map(|side| state.deck(side).queue().iter().copied().collect()),
        upcoming: Default::default(),
        next_id: FIRST_CREATED_ID,
    }
}

fn board_of(board: &engine::Board, map: MapLabel, next_id: &mut u32) -> Board {
    let mut pieces = HashMap::new();
    for (place, piece) in board.iter_all() {
        let id = piece.origin().map_or(*next_id, |origin| number(at(origin)));
        *next_id += 1;
        let mut attacked: Vec<u32> =
            piece.first_attacked().map(|first| number(at(first))).into_iter().collect();
        if piece.attacked_several() {
            attacked.push(UNKNOWN_TARGET);
        }
        let copy = Piece {
            owner: piece.side(),
            unit: piece.unit(),
            id,
            damage: u32::from(piece.damage()),
            modifiers: modifiers(piece),
            steps: u32::from(piece.steps()),
            attacks: u32::from(piece.attacks()),
            moved: piece.moved(),
            exhausted: piece.exhausted(),
            attacked,
        };
        pieces.insert(at(place), copy);
    }
    let marks = board.marks();
    Board {
        map,
        pieces,
        movable: movable(board),
        reserves: Side::ALL.map(|side| reserves(board, side)),
        hands: Side::ALL.map(|side| board.hand(side).to_vec()),
        pending: Side::ALL.map(|side| u32::from(board.pending(side))),
        mana: i32::from(board.mana()),
        free: Side::ALL.map(|side| u32::from(board.free(side))),
        candidates: Side::ALL.map(|side| board.candidates(side).collect::<BTreeSet<_>>()),
        state: board.state(),
        spawn_phase: marks.spawn_phase,
        won: marks.won,
        lost: marks.lost,
        resigned: marks.resigned,
        tile_used: marks.tile_used,
        set_up: marks.set_up,
        picks: u32::from(marks.picks),
    }
}

fn modifiers(piece: engine::Piece) -> Vec<(engine::Modifier, u32)> {
    piece.modifiers().iter().map(|(modifier, counter)| (modifier, u32::from(counter))).collect()
}

fn movable(board: &engine::Board) -> BTreeMap<Movable, (i32, i32)> {
    Movable::ALL.into_iter().filter_map(|kind| Some((kind, at(board.movable(kind)?)))).collect()
}

fn reserves(board: &engine::Board, side: Side) -> BTreeMap<engine::UnitLabel, u32> {
    board.reserves(side).map(|(unit, count)| (unit, u32::from(count))).collect()
}

/// Returns the cards that the shuffled decks of a game will deal next, per side, found by buying many spells in a game
/// with the same decks and empty boards.
pub fn upcoming_cards(game: &Game) -> [VecDeque<Spell>; 2] {
    if game.config().ruleset == Ruleset::Spooky {
        return [VecDeque::new(), VecDeque::new()];
    }
    Side::ALL.map(|side| {
        let maps = [MapLabel::AllLand; engine::BOARD_CAP];
        let config =
            GameConfig::new(Ruleset::Server, maps.get(..game.config().num_boards()).unwrap_or(&maps));
        let mut builder = Builder::new(config.expect("one board or more"), 0);
        let deck = game.state().deck(side).clone();
        let known = deck.queue().len();
        builder.turn(side, 0).souls(SideArray::new(100_000, 100_000)).deck(side, deck);
        builder.row(&[], 0).expect("an empty row fits");
        let mut probe = builder.build().expect("an empty game is valid");
        for _ in 0..UPCOMING_CARDS {
            let buy = Action::General(GeneralAction::BuySpell);
            probe.apply(buy, &mut UndoLog::off()).expect("the purse is full");
        }
        let (row, queue) = (probe.state().row(), probe.state().deck(side).queue());
        row.iter().chain(queue).copied().skip(known).collect()
    })
}

/// Describes the first difference between a state of the reference and a game; `None` if they are equal.
pub(crate) fn difference(expected: &State, game: &Game) -> Option<String> {
    if expected.boards.len() != game.state().boards().len() {
        return Some("number of boards".into());
    }
    for (b, (board, theirs)) in expected.boards.iter().zip(game.state().boards()).enumerate() {
        if let Some(text) = board_difference(board, theirs) {
            return Some(format!("board {b}: {text}"));
        }
    }
    let theirs = State {
        boards: expected.boards.clone(),
        upcoming: expected.upcoming.clone(),
        next_id: expected.next_id,
        ..without_boards(game)
    };
    (*expected != theirs).then(|| format!("expected {expected:?}\nbut it is {theirs:?}"))
}

fn board_difference(expected: &Board, actual: &engine::Board) -> Option<String> {
    for place in all() {
        let (ours, theirs) = (expected.pieces.get(&place), actual.piece(hex(place)));
        let same = match (ours, theirs) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => is_same_piece(ours, theirs),
            _ => false,
        };
        if !same {
            return Some(format!("{}: expected {ours:?}\nbut it is {theirs:?}", hex(place)));
        }
    }
    let mut unused = 0;
    let map = expected.map;
    let plain = Board { pieces: HashMap::new(), ..expected.clone() };
    let theirs = Board { pieces: HashMap::new(), ..board_of(actual, map, &mut unused) };
    (plain != theirs).then(|| format!("expected {plain:?}\nbut it is {theirs:?}"))
}

fn is_same_piece(ours: &Piece, theirs: engine::Piece) -> bool {
    let origin = |hex: Hex| number(at(hex));
    let same_id = match theirs.origin() {
        Some(hex) => ours.id == origin(hex),
        None => ours.id >= FIRST_CREATED_ID,
    };
    let first = ours.attacked.first().copied();
    let several = ours.attacked.iter().any(|&id| Some(id) != first);
    same_id
        && first == theirs.first_attacked().map(origin)
        && several == theirs.attacked_several()
        && (ours.owner, ours.unit) == (theirs.side(), theirs.unit())
        && (ours.damage, ours.steps) == (u32::from(theirs.damage()), u32::from(theirs.steps()))
        && ours.attacks == u32::from(theirs.attacks())
        && (ours.moved, ours.exhausted) == (theirs.moved(), theirs.exhausted())
        && ours.modifiers == modifiers(theirs)
}
