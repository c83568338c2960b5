//! Menus, pages and prompts over the boards, each in a frame.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::menu::{Menu, Page};
use super::palette::Palette;
use super::play_state::Layer;
use super::prompt::Prompt;

/// Draws a layer in the middle of an area.
pub(super) fn draw_layer(buffer: &mut Buffer, area: Rect, layer: &Layer, palette: Palette) {
    match layer {
        Layer::Menu(menu) => draw_menu(buffer, area, menu, palette),
        Layer::Page(page) => draw_page(buffer, area, page, palette),
        Layer::Prompt(prompt) => draw_prompt(buffer, area, prompt, palette),
    }
}

/// Draws an empty frame with a title and a foot, as large as these lines need. Returns the place for the lines.
fn frame(
    buffer: &mut Buffer,
    area: Rect,
    [title, foot]: [&str; 2],
    (columns, rows): (usize, usize),
    palette: Palette,
) -> Rect {
    let columns = columns.max(title.chars().count() + 2).max(foot.chars().count() + 2);
    let width = (columns as u16).saturating_add(4).min(area.width);
    let height = (rows as u16).saturating_add(2).min(area.height);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let edge = format!("+{}+", "-".repeat(usize::from(width).saturating_sub(2)));
    for row in 0..height {
        for column in 0..width {
            if let Some(cell) = buffer.cell_mut((x + column, y + row)) {
                cell.reset();
            }
        }
        let is_edge = row == 0 || row + 1 == height;
        let line = if is_edge {
            edge.clone()
        } else {
            format!("|{}|", " ".repeat(usize::from(width).saturating_sub(2)))
        };
        buffer.set_stringn(x, y + row, line, width.into(), Style::new());
    }
    let room = usize::from(width).saturating_sub(4);
    buffer.set_stringn(x + 2, y, format!(" {title} "), room, palette.title());
    buffer.set_stringn(x + 2, y + height.saturating_sub(1), format!(" {foot} "), room, Style::new());
    Rect::new(x + 2, y + 1, width.saturating_sub(4), height.saturating_sub(2))
}

/// First of the lines shown, so that one of them is among them.
fn first_shown(chosen: usize, lines: usize, rows: usize) -> usize {
    chosen.saturating_sub(rows / 2).min(lines.saturating_sub(rows))
}

fn draw_menu(buffer: &mut Buffer, area: Rect, menu: &Menu, palette: Palette) {
    let why = menu.items.get(menu.chosen).and_then(|item| item.act.as_ref().err());
    let foot = match why {
        Some(why) => format!("not possible: {why}"),
        None if menu.closes => "Enter chooses, Esc leaves".to_owned(),
        None => "Enter chooses".to_owned(),
    };
    let widest = menu.items.iter().map(|item| item.text.chars().count() + 4).max().unwrap_or(0);
    // The frame keeps its size while the choice moves.
    let reasons = menu.items.iter().filter_map(|item| item.act.as_ref().err());
    let longest = reasons.map(|why| why.chars().count() + 16).max().unwrap_or(0);
    let size = (widest.max(longest), menu.items.len());
    let place = frame(buffer, area, [&menu.title, &foot], size, palette);
    let first = first_shown(menu.chosen, menu.items.len(), place.height.into());
    for (row, (index, item)) in
        menu.items.iter().enumerate().skip(first).take(place.height.into()).enumerate()
    {
        let is_chosen = index == menu.chosen;
        let mark = match (is_chosen, item.act.is_ok()) {
            (true, _) => "> ",
            (false, true) => "  ",
            (false, false) => "- ",
        };
        let style = match (is_chosen, item.act.is_ok()) {
            (true, _) => palette.chosen(),
            (false, true) => Style::new(),
            (false, false) => palette.faint(),
        };
        buffer.set_stringn(
            place.x,
            place.y + row as u16,
            format!("{mark}{}", item.text),
            place.width.into(),
            style,
        );
    }
}

fn draw_page(buffer: &mut Buffer, area: Rect, page: &Page, palette: Palette) {
    let widest = page.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let lines = wrapped(&page.lines, usize::from(area.width).saturating_sub(4));
    let rows = usize::from(area.height).saturating_sub(2);
    let top = page.top.min(lines.len().saturating_sub(rows));
    let foot = match (page.enter.is_some(), lines.len() > rows) {
        (true, _) => "Enter takes it, Esc leaves".to_owned(),
        (false, false) => "Esc leaves".to_owned(),
        (false, true) => {
            format!(
                "lines {} to {} of {}; arrows scroll, Esc leaves",
                top + 1,
                (top + rows).min(lines.len()),
                lines.len()
            )
        }
    };
    let place = frame(buffer, area, [&page.title, &foot], (widest, lines.len()), palette);
    for (row, line) in lines.iter().skip(top).take(place.height.into()).enumerate() {
        buffer.set_stringn(place.x, place.y + row as u16, line, place.width.into(), Style::new());
    }
}

/// The lines, each broken where it is longer than the width.
fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut broken = Vec::new();
    for line in lines {
        let letters: Vec<char> = line.chars().collect();
        if letters.len() <= width {
            broken.push(line.clone());
            continue;
        }
        let mut rest = &letters[..];
        while rest.len() > width {
            // At the last blank that fits, if there is one past the indent.
            let end = rest[..width].iter().rposition(|&letter| letter == ' ').filter(|&end| end > width / 2);
            let end = end.unwrap_or(width);
            broken.push(rest[..end].iter().collect());
            rest = &rest[end..];
            while let [' ', after @ ..] = rest {
                rest = after;
            }
        }
        broken.push(format!("  {}", rest.iter().collect::<String>()));
    }
    broken
}

fn draw_prompt(buffer: &mut Buffer, area: Rect, prompt: &Prompt, palette: Palette) {
    let rows = usize::from(area.height).saturating_sub(3);
    let known: Vec<&str> = prompt.matches().collect();
    let listed = if prompt.known.is_empty() { 0 } else { rows.min(12) };
    let foot = match known.len() {
        0 if prompt.known.is_empty() => "Enter takes it, Esc leaves".to_owned(),
        1 => "1 legal action begins like this".to_owned(),
        count => format!("{count} legal actions begin like this"),
    };
    let place = frame(buffer, area, [prompt.title(), &foot], (72, 1 + listed), palette);
    let room = usize::from(place.width).saturating_sub(3);
    let letters: Vec<char> = prompt.text.chars().collect();
    let shown: String = letters.iter().skip(letters.len().saturating_sub(room)).collect();
    buffer.set_stringn(place.x, place.y, format!("> {shown}_"), place.width.into(), palette.title());
    // In columns, as many as fit.
    let column = known.iter().map(|line| line.chars().count() + 2).max().unwrap_or(1).max(1);
    let columns = (usize::from(place.width) / column).max(1);
    for (index, line) in known.iter().take(listed * columns).enumerate() {
        let (x, y) = ((index / listed.max(1)) * column, index % listed.max(1));
        buffer.set_stringn(place.x + x as u16, place.y + 1 + y as u16, line, column, palette.faint());
    }
}
