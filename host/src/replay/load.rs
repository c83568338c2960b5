//! Conversion between positions of traces and games of the rules.

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::{
    Board, Builder, Deck, Game, GameConfig, MapLabel, Ruleset, Side, SideArray, Tech, TechLevels, Techline,
};

use super::names;
use super::trace_format::{ByName, PerSide, TraceBoard, TraceConfig, TraceMidTurn, TracePosition};

/// Configuration of a recorded game.
pub(super) fn config(constants: &TraceConfig) -> Result<GameConfig> {
    let ruleset = Ruleset::from_name(&constants.rules)
        .ok_or_else(|| anyhow!("`{}` is not a ruleset", constants.rules))?;
    let maps = constants.maps.iter().map(|name| names::map(name)).collect::<Result<Vec<MapLabel>>>()?;
    let techs = constants.line.iter().map(|name| names::tech(name)).collect::<Result<Vec<Tech>>>()?;
    let techline = Techline::new(&techs).ok_or_else(|| anyhow!("a tech line has 1 to 25 techs"))?;
    let mut config = GameConfig::new(ruleset, &maps)
        .ok_or_else(|| anyhow!("a game has 1 to 8 boards"))?
        .with_points(constants.target)
        .with_techline(techline);
    config.extra_souls = SideArray(constants.extra_souls);
    Ok(config)
}

/// Game at the start of a turn. Its decks hold the recorded queues only, since traces deal the cards.
pub(super) fn game(config: GameConfig, position: &TracePosition) -> Result<Game> {
    ensure!(position.boards.len() == config.num_boards(), "as many boards as maps are needed");
    let mut builder = Builder::new(config, 0);
    let levels = SideArray([names::tech_levels(&position.tech[0])?, names::tech_levels(&position.tech[1])?]);
    builder
        .turn(names::side(position.side)?, position.turn)
        .winner(position.winner.map(names::side).transpose()?)
        .souls(SideArray(position.souls))
        .points(SideArray(position.points))
        .tech(levels, levels);
    builder.row(&names::spells(&position.row)?, 0).ok_or_else(|| anyhow!("the spell row is too long"))?;
    for (side, queue) in Side::ALL.into_iter().zip(&position.queue) {
        let queue = names::spells(queue)?;
        let deck = Deck::with(&queue, Default::default(), 0).ok_or_else(|| anyhow!("a queue is too long"))?;
        builder.deck(side, deck);
    }
    for (index, shape) in position.boards.iter().enumerate() {
        let board = builder.board(index).ok_or_else(|| anyhow!("too many boards"))?;
        fill_board(board, shape).with_context(|| format!("board {index}"))?;
    }
    builder.build().map_err(|invalid| anyhow!("{invalid}"))
}

/// Sets a board as the trace has it.
fn fill_board(board: &mut Board, shape: &TraceBoard) -> Result<()> {
    board.set_state(names::board_state(&shape.state)?);
    board.set_mana(shape.mana);
    for (index, side) in Side::ALL.into_iter().enumerate() {
        board.set_pending(side, shape.pending[index]);
        board.set_free(side, shape.free[index]);
        for name in &shape.cand[index] {
            board.add_candidate(side, names::unit(name)?);
        }
        for card in &shape.hand[index] {
            board.push_card(side, names::spell(card)?).ok_or_else(|| anyhow!("a hand is too large"))?;
        }
    }
    fill_reserves(board, &shape.reinf)?;
    fill_movable(board, &shape.movable)?;
    fill_pieces(board, &shape.pieces)
}

/// Sets the reinforcements of both sides, by unit name.
pub(super) fn fill_reserves(board: &mut Board, reserves: &PerSide<ByName<u8>>) -> Result<()> {
    for (side, counts) in Side::ALL.into_iter().zip(reserves) {
        for (name, &count) in counts {
            board.set_reserve(side, names::unit(name)?, count);
        }
    }
    Ok(())
}

/// Sets the movable tiles, by letter.
pub(super) fn fill_movable(board: &mut Board, tiles: &ByName<String>) -> Result<()> {
    for (letter, at) in tiles {
        board.set_movable(names::tile_letter(letter)?, Some(names::hex(at)?));
    }
    Ok(())
}

/// Sets the pieces. Fails when two stand on one hex.
pub(super) fn fill_pieces(board: &mut Board, pieces: &[String]) -> Result<()> {
    for text in pieces {
        let (at, piece) = names::piece(text)?;
        ensure!(board.set_piece(at, Some(piece)).is_none(), "two pieces stand on {at}");
    }
    Ok(())
}

/// Trace of a game at the start of a turn.
pub(super) fn position(game: &Game) -> TracePosition {
    let state = game.state();
    let queue =
        Side::ALL.map(|side| state.deck(side).queue().iter().map(|card| card.name().into()).collect());
    TracePosition {
        turn: state.turn(),
        side: state.side_to_move().index() as u8,
        points: Side::ALL.map(|side| state.points(side)),
        winner: state.winner().map(|side| side.index() as u8),
        souls: Side::ALL.map(|side| state.souls(side)),
        tech: tech(game),
        row: state.row().iter().map(|card| card.name().into()).collect(),
        queue,
        boards: state.boards().iter().map(|board| trace_board(board, false)).collect(),
    }
}

/// Trace of a game in the middle of a turn.
pub(super) fn mid_turn(game: &Game) -> TraceMidTurn {
    TraceMidTurn {
        souls: Side::ALL.map(|side| game.state().souls(side)),
        tech: tech(game),
        boards: game.state().boards().iter().map(|board| trace_board(board, true)).collect(),
    }
}

/// Tech levels of both sides as letters.
fn tech(game: &Game) -> PerSide<String> {
    let len = game.config().techline.len() as u8;
    let letters = |levels: TechLevels| (0..len).map(|index| levels.status(index).letter() as char).collect();
    Side::ALL.map(|side| letters(game.state().tech(side)))
}

/// Trace of a board, at the start or in the middle of a turn.
fn trace_board(board: &Board, mid: bool) -> TraceBoard {
    let marks = board.marks();
    let tiles = barrow_core::minions::Movable::ALL.into_iter();
    let tiles = tiles
        .filter_map(|kind| Some(((kind.letter() as char).to_string(), board.movable(kind)?.to_string())));
    TraceBoard {
        state: names::board_state_name(board.state()).into(),
        mana: board.mana(),
        pending: Side::ALL.map(|side| board.pending(side)),
        free: Side::ALL.map(|side| board.free(side)),
        cand: Side::ALL.map(|side| board.candidates(side).map(|unit| unit.name().into()).collect()),
        reinf: Side::ALL
            .map(|side| board.reserves(side).map(|(unit, count)| (unit.name().into(), count)).collect()),
        hand: Side::ALL.map(|side| board.hand(side).iter().map(|card| card.name().into()).collect()),
        movable: tiles.collect(),
        pieces: board.iter_all().map(|(at, piece)| names::piece_text(at, piece)).collect(),
        won: mid.then_some(marks.won),
        lost: mid.then_some(marks.resigned),
        tile_used: mid.then_some(marks.tile_used),
    }
}
