//! A board as a rhombus of 63 columns and 13 rows with the cursor, the piece chosen and the lit hexes.

use barrow_core::hex::Hex;
use barrow_core::minions::{TileType, View};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::menu::{Aim, TargetKind};
use super::palette::Palette;
use super::play_state::PlayState;
use crate::text::picture::{letter, sign};

/// Columns of a board.
pub(super) const BOARD_WIDTH: u16 = 64;

/// Rows of a board: its title, the columns' letters twice, and ten rows of hexes.
pub(super) const BOARD_HEIGHT: u16 = 13;

/// Draws a board with its upper left corner at the one of the area.
pub(super) fn draw_board(buffer: &mut Buffer, area: Rect, state: &PlayState, board: usize, palette: Palette) {
    let Some(view) = state.shown.view(board) else { return };
    let title_style = if state.board == board { palette.title() } else { palette.faint() };
    buffer.set_stringn(area.x, area.y, title(state, board), BOARD_WIDTH.into(), title_style);
    let columns = ('a'..='j').map(String::from).collect::<Vec<_>>().join("   ");
    let last = u16::from(Hex::WIDTH) - 1;
    buffer.set_string(area.x + 4, area.y + 1, &columns, palette.faint());
    buffer.set_string(area.x + 4 + 2 * last, area.y + 3 + last, &columns, palette.faint());
    for row in 0..=last {
        let (x, y) = (area.x + 2 * row, area.y + 2 + row);
        buffer.set_string(x, y, row.to_string(), palette.faint());
        buffer.set_string(x + 4 + 4 * (last + 1), y, row.to_string(), palette.faint());
    }
    for hex in Hex::all() {
        let (column, row) = (u16::from(hex.x()), u16::from(hex.y()));
        let (x, y) = (area.x + 3 + 4 * column + 2 * row, area.y + 2 + row);
        draw_hex(buffer, (x, y), state, (&view, board, hex), palette);
    }
}

fn title(state: &PlayState, board: usize) -> String {
    let name = state.game.config().maps().get(board).map_or("", |map| map.name());
    let phase = state.shown.view(board).map_or_else(String::new, |view| format!("{:?}", view.board.state()));
    let mark = if state.board == board { '>' } else { ' ' };
    let last = state.game.config().num_boards().saturating_sub(1);
    format!("{mark} board {board} of 0 to {last}: {name}, {phase}")
}

/// Draws a hex: mark, piece or terrain, terrain under a piece, mark.
fn draw_hex(
    buffer: &mut Buffer,
    (x, y): (u16, u16),
    state: &PlayState,
    (view, board, hex): (&View<'_>, usize, Hex),
    palette: Palette,
) {
    let tile = view.board.tile(view.map, hex);
    let ground = sign(tile).0;
    let is_cursor = state.board == board && state.hex == hex;
    let [left, right] = marks(state.aim.as_ref().filter(|aim| aim.board == board), hex, is_cursor);
    let light = light(state.aim.as_ref().filter(|aim| aim.board == board), hex, palette);
    let over = if is_cursor { palette.chosen() } else { Style::new() };
    let mark = light.unwrap_or_default().patch(over);
    match view.board.piece(hex) {
        Some(piece) => {
            let under = if tile == TileType::Ground { ' ' } else { ground };
            let style = palette.side(piece.side()).patch(over);
            buffer.set_string(x + 1, y, letter(piece.unit(), piece.side()).to_string(), style);
            buffer.set_string(x + 2, y, under.to_string(), palette.terrain(tile).patch(over));
        }
        None => {
            buffer.set_string(x + 1, y, ground.to_string(), palette.terrain(tile).patch(mark));
        }
    }
    if left != ' ' {
        buffer.set_string(x, y, left.to_string(), mark);
        buffer.set_string(x + if right == ' ' { 2 } else { 3 }, y, right.to_string(), mark);
    }
}

/// Signs to the left and right of a hex.
fn marks(aim: Option<&Aim>, hex: Hex, is_cursor: bool) -> [char; 2] {
    if is_cursor {
        return ['[', ']'];
    }
    let Some(aim) = aim else { return [' ', ' '] };
    match aim.target(hex).map(|target| target.kind) {
        Some(TargetKind::Go) => ['(', ')'],
        Some(TargetKind::Hit) => ['>', '<'],
        None if aim.from == Some(hex) => ['=', '='],
        None => [' ', ' '],
    }
}

fn light(aim: Option<&Aim>, hex: Hex, palette: Palette) -> Option<Style> {
    let target = aim?.target(hex)?;
    Some(match target.kind {
        TargetKind::Go => palette.go(),
        TargetKind::Hit => palette.hit(),
    })
}
