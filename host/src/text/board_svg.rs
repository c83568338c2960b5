//! Boards as SVG, for documents and pages: hexes by terrain, pieces as discs with the letters of FEN, marked hexes.

use std::fmt::Write;

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Piece, Side, TileType, View};

use super::marks::Marks;
use super::picture::{letter, sign};

/// Distance of the middles of two neighbouring hexes in a row.
const STEP: f64 = 40.0;
/// Distance of two rows: a side and a half of a hex of that width.
const ROW: f64 = 34.64;
/// Side of a hex.
const SIDE: f64 = 23.09;
/// Room around the hexes, for the names of columns and rows.
const MARGIN: f64 = 30.0;
/// Room for the title above them.
const TITLE: f64 = 24.0;

const WIDTH: f64 = 2.0 * MARGIN + STEP * 14.5;
const HEIGHT: f64 = TITLE + 2.0 * MARGIN + ROW * 9.0 + 2.0 * SIDE;

/// Boards of a position below each other as the text of an SVG file; `only` is the index of a single board to draw.
///
/// ```
/// use barrow::text::board_svg::board_svg;
/// use barrow_core::minions::{Game, GameConfig};
/// let svg = board_svg(&Game::new(GameConfig::default(), 1), Some(0), None);
/// assert!(svg.starts_with("<svg ") && svg.contains("BlackenedShores"));
/// ```
pub fn board_svg(game: &Game, only: Option<usize>, marks: Option<&Marks>) -> String {
    let boards: Vec<usize> =
        (0..game.config().num_boards()).filter(|index| only.is_none_or(|only| only == *index)).collect();
    let height = HEIGHT * boards.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fdfcf8\"/>\n"
    );
    for (place, &index) in boards.iter().enumerate() {
        let Some(view) = game.view(index) else { continue };
        let _ = writeln!(svg, "<g transform=\"translate(0 {:.0})\">", HEIGHT * place as f64);
        let map = game.config().maps().get(index).map_or("", |map| map.name());
        text(&mut svg, (WIDTH / 2.0, TITLE), 16, "#333", &format!("board {index}: {map}"));
        names(&mut svg);
        let marks = marks.filter(|marks| marks.board == index);
        for hex in Hex::all() {
            draw_hex(&mut svg, &view, hex, marks);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Middle of the hex in a column and a row, which may lie outside the board.
fn middle(column: f64, row: f64) -> (f64, f64) {
    (MARGIN + STEP * (0.5 + column + row / 2.0), TITLE + MARGIN + SIDE + ROW * row)
}

/// Writes a word whose middle is at a place.
fn text(svg: &mut String, (x, y): (f64, f64), size: u8, fill: &str, word: &str) {
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\">{word}</text>");
}

/// Writes the names of columns above and below the hexes and those of rows on both sides.
fn names(svg: &mut String) {
    for (number, name) in (0_u8..10).zip('a'..) {
        let place = f64::from(number);
        for (column, row) in [(place + 0.5, -1.0), (place - 0.5, 10.0)] {
            let (x, y) = middle(column, row);
            let nearer = if row < 0.0 { 4.0 } else { 5.0 };
            text(svg, (x, y + nearer), 13, "#777", &name.to_string());
        }
        for column in [-0.8, 9.8] {
            let (x, y) = middle(column, place);
            text(svg, (x, y + 5.0), 13, "#777", &number.to_string());
        }
    }
}

/// Colour of a terrain.
const fn fill(tile: TileType) -> &'static str {
    match tile {
        TileType::Ground => "#efe9d9",
        TileType::Graveyard => "#c9b4dd",
        TileType::Water => "#a9cfe8",
        TileType::Firestorm => "#f0b5a0",
        TileType::Wall => "#8a8a8a",
        _ => "#cfe3bd",
    }
}

fn draw_hex(svg: &mut String, view: &View<'_>, hex: Hex, marks: Option<&Marks>) {
    let tile = view.board.tile(view.map, hex);
    let (x, y) = middle(f64::from(hex.x()), f64::from(hex.y()));
    let (half, part) = (STEP / 2.0, SIDE / 2.0);
    let corners = [(0.0, -SIDE), (half, -part), (half, part), (0.0, SIDE), (-half, part), (-half, -part)];
    let corners: Vec<String> =
        corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
    let _ = writeln!(
        svg,
        "<polygon points=\"{}\" fill=\"{}\" stroke=\"#b8b09a\"/>",
        corners.join(" "),
        fill(tile)
    );
    match view.board.piece(hex) {
        Some(piece) => draw_piece(svg, piece, (x, y)),
        None if tile != TileType::Ground => {
            text(svg, (x, y + 6.0), 18, "#555", &escaped_sign(tile));
        }
        None => {}
    }
    let Some(marks) = marks else { return };
    if marks.free.contains(hex) {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"#2e8b57\"/>");
    }
    if marks.targets.contains(hex) {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"18\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"3\"/>"
        );
    }
}

fn draw_piece(svg: &mut String, piece: Piece, (x, y): (f64, f64)) {
    let (disc, word) = match piece.side() {
        Side::Yellow => ("#f2c94c", "#222"),
        Side::Blue => ("#2f5fb3", "#fff"),
    };
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"14\" fill=\"{disc}\" stroke=\"#333\"/>");
    text(svg, (x, y + 6.0), 17, word, &letter(piece.unit(), piece.side()).to_string());
}

/// Sign of a terrain, as in pictures in text, for XML.
fn escaped_sign(tile: TileType) -> String {
    crate::chart::escaped(&sign(tile).0.to_string())
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::GameConfig;

    use super::*;

    #[test]
    fn everything_lies_within_the_picture_and_every_piece_is_there() {
        let game = Game::new(GameConfig::default(), 1);
        let marks = Marks::of_piece(&game, 1, Hex::named("d1").unwrap()).unwrap();
        let svg = board_svg(&game, None, Some(&marks));
        assert_eq!(svg.matches("<polygon").count(), 200);
        // Two necromancers with six zombies each on either board.
        assert_eq!(svg.matches("r=\"14\"").count(), 28);
        assert_eq!(svg.matches("r=\"7\"").count(), marks.free.len());
        assert!(!svg.contains("NaN") && svg.contains("board 1: MidnightLake"));
        let numbers = |name: &str| {
            let start = format!(" {name}=\"");
            let parts = svg.split(&start).skip(1);
            parts.filter_map(|part| part.split('"').next()?.parse::<f64>().ok()).collect::<Vec<_>>()
        };
        assert!(numbers("cx").iter().chain(&numbers("x")).all(|x| (0.0..=WIDTH).contains(x)));
        assert!(numbers("cy").iter().chain(&numbers("y")).all(|y| (0.0..=HEIGHT).contains(y)));
        let single = board_svg(&game, Some(1), None);
        assert!(!single.contains("BlackenedShores") && single.matches("<polygon").count() == 100);
    }

    #[test]
    fn signs_of_terrain_are_escaped() {
        assert_eq!(escaped_sign(TileType::Teleporter), "&amp;");
    }
}
