//! From a game of the engine to a state of the reference, and a comparison the other way.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use barrow_core::hex::Hex;
use barrow_core::minions::{
    self as engine, Action, Builder, Game, GameConfig, GeneralAction, MapLabel, Movable, Ruleset, Side,
    SideArray, Spell, UndoLog,
};

use super::geometry::{all, at, hex, number};
use super::state::{Board, FIRST_NEW_NAME, Piece, State};

/// Stands for "another piece", of which the engine remembers only that there was one.
const SOMEBODY: u32 = 500;

/// More cards than any turn deals.
const FORECAST: usize = 60;

pub fn from_game(game: &Game) -> State {
    let mut next_name = FIRST_NEW_NAME;
    let boards = game.state().boards().iter().zip(game.config().maps());
    let boards = boards.map(|(board, &map)| board_from(board, map, &mut next_name)).collect();
    State { boards, coming: forecast(game), next_name, ..general_part(game) }
}

/// All but the boards and the cards to come.
fn general_part(game: &Game) -> State {
    let (config, state) = (game.config(), game.state());
    let length = config.techline.len() as u8;
    let levels = |levels: engine::TechLevels| (0..length).map(|index| levels.status(index)).collect();
    State {
        ruleset: config.ruleset,
        line: config.techline.techs().to_vec(),
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
        coming: Default::default(),
        next_name: FIRST_NEW_NAME,
    }
}

fn board_from(board: &engine::Board, map: MapLabel, next_name: &mut u32) -> Board {
    let mut pieces = HashMap::new();
    for (place, piece) in board.iter_all() {
        let name = piece.origin().map_or(*next_name, |origin| number(at(origin)));
        *next_name += 1;
        let mut attacked: Vec<u32> =
            piece.first_attacked().map(|first| number(at(first))).into_iter().collect();
        if piece.attacked_several() {
            attacked.push(SOMEBODY);
        }
        let copy = Piece {
            owner: piece.side(),
            unit: piece.unit(),
            name,
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

/// The cards that a game's shuffled decks will deal next, found by buying many spells in a game that has the same
/// decks and nothing else.
pub fn forecast(game: &Game) -> [VecDeque<Spell>; 2] {
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
        for _ in 0..FORECAST {
            let buy = Action::General(GeneralAction::BuySpell);
            probe.apply(buy, &mut UndoLog::off()).expect("the purse is full");
        }
        let (row, queue) = (probe.state().row(), probe.state().deck(side).queue());
        row.iter().chain(queue).copied().skip(known).collect()
    })
}

/// The first thing in which a game differs from the reference's state, if any.
pub fn difference(expected: &State, game: &Game) -> Option<String> {
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
        coming: expected.coming.clone(),
        next_name: expected.next_name,
        ..general_part(game)
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
    let theirs = Board { pieces: HashMap::new(), ..board_from(actual, map, &mut unused) };
    (plain != theirs).then(|| format!("expected {plain:?}\nbut it is {theirs:?}"))
}

fn is_same_piece(ours: &Piece, theirs: engine::Piece) -> bool {
    let origin = |hex: Hex| number(at(hex));
    let same_name = match theirs.origin() {
        Some(hex) => ours.name == origin(hex),
        None => ours.name >= FIRST_NEW_NAME,
    };
    let first = ours.attacked.first().copied();
    let several = ours.attacked.iter().any(|&name| Some(name) != first);
    same_name
        && first == theirs.first_attacked().map(origin)
        && several == theirs.attacked_several()
        && (ours.owner, ours.unit) == (theirs.side(), theirs.unit())
        && (ours.damage, ours.steps) == (u32::from(theirs.damage()), u32::from(theirs.steps()))
        && ours.attacks == u32::from(theirs.attacks())
        && (ours.moved, ours.exhausted) == (theirs.moved(), theirs.exhausted())
        && ours.modifiers == modifiers(theirs)
}
