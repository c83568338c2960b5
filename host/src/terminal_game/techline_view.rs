//! The tech line beside a board: index, both sides' levels, tech, and what comes next.

use barrow_core::minions::Side;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::palette::Palette;
use super::play_state::PlayState;
use super::tech_choices::status_letter;

/// Narrowest width of the tech line, in columns.
pub(super) const TECHLINE_WIDTH: u16 = 16;

/// Draws as much of the tech line as fits, around what comes next.
pub(super) fn draw_techline(buffer: &mut Buffer, area: Rect, state: &PlayState, palette: Palette) {
    let (config, position) = (state.shown.config(), state.shown.state());
    let techs = config.techline.techs();
    buffer.set_stringn(area.x, area.y, "   YB techs (t)", area.width.into(), palette.title());
    let next = position.tech(state.person).first_locked(techs.len()).map_or(techs.len(), usize::from);
    let rows = usize::from(area.height).saturating_sub(1);
    let first = next.saturating_sub(rows / 2).min(techs.len().saturating_sub(rows));
    for (row, index) in (first..techs.len()).take(rows).enumerate() {
        let Some(tech) = techs.get(index) else { break };
        let [yellow, blue] = Side::ALL.map(|side| status_letter(position.tech(side).status(index as u8)));
        let mark = if index == next { '<' } else { ' ' };
        let line = format!("{index:>2} {yellow}{blue}{mark}{}", tech.name());
        let style = if index == next { palette.title() } else { palette.faint() };
        buffer.set_stringn(area.x, area.y + 1 + row as u16, line, area.width.into(), style);
    }
}
