//! The screen: where boards, tech line, lines about both sides, news and keys stand for a size of the terminal.

use barrow_core::minions::Side;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::board_view::{BOARD_HEIGHT, BOARD_WIDTH, draw_board};
use super::layer_view::draw_layer;
use super::palette::Palette;
use super::play_state::PlayState;
use super::side_view::{hex_lines, money_line, row_line, status_line, supplies_line};
use super::techline_view::{TECHLINE_WIDTH, draw_techline};

/// Smallest width of the screen in columns.
pub const MIN_WIDTH: u16 = 80;

/// Smallest height of the screen in rows.
pub const MIN_HEIGHT: u16 = 24;

/// Rows of the lines above the boards.
const HEAD: u16 = 2;

/// Rows of the lines below the boards: hex, row of cards, news, keys.
const FOOT: u16 = 7;

/// Rows of one row of boards: the boards and both sides' supplies.
const BLOCK: u16 = BOARD_HEIGHT + 2;

/// Columns that Yellow's points and money have at least.
const YELLOW_WIDTH: u16 = 42;

const KEYS: &str =
    "Enter choose  t techs  b buy  p place  c cards  e end turn  u undo  h hint  ? help  q quit";

const SHORT_KEYS: &str = "Enter choose  t techs  b buy  p place  c cards  e end  u undo  ? help  q quit";

/// Whether the game fits a terminal of this size.
pub(super) fn fits(width: u16, height: u16) -> bool {
    width >= MIN_WIDTH && height >= MIN_HEIGHT
}

/// Draws the whole screen.
pub fn draw(buffer: &mut Buffer, state: &PlayState, palette: Palette) {
    let area = *buffer.area();
    if !fits(area.width, area.height) {
        return draw_too_small(buffer, area);
    }
    let line = |buffer: &mut Buffer, y: u16, text: &str, style: Style| {
        buffer.set_stringn(area.x, y, text, area.width.into(), style);
    };
    line(buffer, 0, &status_line(state), palette.title());
    let [yellow, blue] = Side::ALL.map(|side| money_line(state, side));
    line(buffer, 1, &yellow, palette.side(Side::Yellow));
    let right = (area.width / 2).max(YELLOW_WIDTH);
    buffer.set_stringn(right, 1, &blue, (area.width - right).into(), palette.side(Side::Blue));
    let below = draw_boards(buffer, area, state, palette);
    let lines = hex_lines(state);
    for (row, text) in (0..).zip(&lines) {
        line(buffer, below + row, text, if row == 0 { palette.title() } else { Style::new() });
    }
    line(buffer, below + 3, &row_line(state), Style::new());
    let last = area.height - 1;
    line(buffer, last - 1, &news(state), palette.title());
    let keys = if usize::from(area.width) < KEYS.len() { SHORT_KEYS } else { KEYS };
    line(buffer, last, keys, palette.faint());
    let over = Rect::new(0, 1, area.width, area.height - 3);
    if let Some(layer) = state.layers.last() {
        draw_layer(buffer, over, layer, palette);
    }
}

/// Draws as many boards as there is room for, the one under the cursor among them. Returns the first row below.
fn draw_boards(buffer: &mut Buffer, area: Rect, state: &PlayState, palette: Palette) -> u16 {
    let boards = state.game.config().num_boards();
    let across = usize::from((area.width - TECHLINE_WIDTH) / BOARD_WIDTH).clamp(1, boards);
    let down = usize::from((area.height - HEAD - FOOT) / BLOCK).clamp(1, boards.div_ceil(across));
    let shown = across * down;
    // In whole screens, so that a board keeps its place while the cursor moves among those shown.
    let first = state.board / shown * shown;
    for place in 0..shown.min(boards - first) {
        let (column, row) = ((place % across) as u16, (place / across) as u16);
        let corner = Rect::new(area.x + column * BOARD_WIDTH, HEAD + row * BLOCK, BOARD_WIDTH, BLOCK);
        draw_board(buffer, corner, state, first + place, palette);
        // The last board's lines may be longer than the board is wide.
        let is_last = place + 1 == shown.min(boards - first) || column as usize + 1 == across;
        let width = if is_last { area.width - corner.x } else { BOARD_WIDTH - 1 };
        for (offset, side) in (0..).zip(Side::ALL) {
            let text = supplies_line(state, first + place, side);
            let y = corner.y + BOARD_HEIGHT + offset;
            buffer.set_stringn(corner.x, y, shortened_to(&text, width.into()), width.into(), Style::new());
        }
    }
    let beside = across as u16 * BOARD_WIDTH;
    let techline = Rect::new(beside, HEAD, area.width - beside, BOARD_HEIGHT);
    draw_techline(buffer, techline, state, palette);
    HEAD + down as u16 * BLOCK
}

/// The text, with dots where it goes on beyond this many characters.
fn shortened_to(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(8)).collect::<String>() + "... (v)"
}

/// The news, or what Enter would do on a lit hex.
fn news(state: &PlayState) -> String {
    let target = state.aim.as_ref().filter(|aim| aim.board == state.board);
    match target.and_then(|aim| aim.target(state.hex)).map(|target| &target.items[..]) {
        Some([only]) => format!("Enter: {}", only.text),
        Some([first, others @ ..]) => format!("Enter: {}, or {} more", first.text, others.len()),
        _ => state.message.clone(),
    }
}

fn draw_too_small(buffer: &mut Buffer, area: Rect) {
    let lines = [
        format!("This terminal has {} x {} characters;", area.width, area.height),
        format!("the game needs {MIN_WIDTH} x {MIN_HEIGHT}."),
        "Make it larger, or press q to leave".to_owned(),
        "(the game is saved), or play with".to_owned(),
        "barrow play --plain".to_owned(),
    ];
    for (row, text) in (0..area.height).zip(&lines) {
        buffer.set_stringn(area.x, area.y + row, text, area.width.into(), Style::new());
    }
}
