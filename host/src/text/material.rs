//! The hand-written count of material in words.

use barrow_core::minions::Game;
use barrow_core::minions::players::heuristics::eval;

/// Sentence on the count of material at the start of a turn: by how many souls the side to move is ahead or behind, and
/// where.
pub fn material_line(game: &Game) -> String {
    let souls = |score: i32| f64::from(score) / 100.0;
    let boards: Vec<i32> =
        (0..game.config().num_boards()).map(|board| eval::board_score(game, board)).collect();
    let score = eval::score(game);
    let mut parts: Vec<String> = (0..)
        .zip(&boards)
        .map(|(board, &score): (usize, _)| format!("{:+.1} on board {board}", souls(score)))
        .collect();
    let rest = score - boards.iter().sum::<i32>();
    parts.push(format!("{:+.1} in purses, points and techs", souls(rest)));
    let lead = if score < 0 { "behind" } else { "ahead" };
    let side = game.side_to_move().name();
    let size = souls(score).abs();
    format!("by the count of material, {side} is {lead} by {size:.1} souls: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::{GameConfig, Side};

    use super::*;

    #[test]
    fn parts_make_the_sum_and_what_is_good_for_one_is_bad_for_the_other() {
        let mut game = Game::new(GameConfig::default(), 1);
        for side in [Side::Yellow, Side::Blue] {
            let line = material_line(&game);
            let (whole, parts) = line.split_once(" souls: ").unwrap();
            let number = |words: &str| -> f64 {
                let word = words.split(' ').find(|word| word.parse::<f64>().is_ok()).unwrap();
                word.parse().unwrap()
            };
            let (lead, size) = whole.rsplit_once(" by ").unwrap();
            let sign = if lead.ends_with("ahead") { 1.0 } else { -1.0 };
            let sum: f64 = parts
                .split(", ")
                .filter(|part| part.contains(" on ") || part.contains(" in "))
                .map(number)
                .sum();
            assert!((sum - sign * number(size)).abs() < 0.2, "{line}");
            assert!(lead.starts_with(&format!("by the count of material, {} is ", side.name())), "{line}");
            game.end_turn().unwrap();
        }
    }
}
