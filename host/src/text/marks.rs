//! Marks of a picture: where a piece can go and whom it can attack, or where a unit can be placed.

use anyhow::{Context, Result, anyhow};
use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Action, BoardAction, Game, UndoLog, UnitLabel, View};

/// Hexes of one board that a picture marks, with a sentence on them.
#[derive(Clone, Debug)]
pub struct Marks {
    /// Index of the board.
    pub board: usize,
    /// Hexes where somebody can be next.
    pub free: HexSet,
    /// Enemy pieces that can be attacked.
    pub targets: HexSet,
    /// The same in words.
    pub words: String,
}

impl Marks {
    /// Hexes to which the piece of the side to move on `from` can walk, and the enemies that it can attack in this turn,
    /// before or after walking.
    pub fn of_piece(game: &Game, board: usize, from: Hex) -> Result<Marks> {
        let view = board_view(game, board)?;
        let side = view.side.name();
        let piece = view
            .friend(from)
            .map_err(|_| anyhow!("{from} on board {board} has no piece of {side}, who is to move"))?;
        let free = view.reach(from);
        let standing = view.targets(from);
        let mut walking = HexSet::EMPTY;
        for to in free {
            let mut next = game.clone();
            if next
                .apply(Action::Board(board as u8, BoardAction::walk(from, to)), &mut UndoLog::off())
                .is_ok()
            {
                walking |= next.view(board).map_or(HexSet::EMPTY, |view| view.targets(to));
            }
        }
        let name = piece.unit().name();
        let words = format!(
            "{side}'s {name} {from} can walk to {}; without a step it can attack {}, after walking {}",
            listed(free, "no hex"),
            listed(standing, "nobody"),
            listed(walking, "nobody")
        );
        Ok(Marks { board, free, targets: standing | walking, words })
    }

    /// Hexes where the side to move can place a unit of a type now, provided that it has one in its reinforcements.
    pub fn of_placing(game: &Game, board: usize, unit: UnitLabel) -> Result<Marks> {
        let view = board_view(game, board)?;
        let free = view.spawn_hexes(unit);
        let words = format!("{} can place a {} on {}", view.side.name(), unit.name(), listed(free, "no hex"));
        Ok(Marks { board, free, targets: HexSet::EMPTY, words })
    }
}

fn board_view(game: &Game, board: usize) -> Result<View<'_>> {
    game.view(board).with_context(|| format!("there is no board {board}"))
}

fn listed(hexes: HexSet, none: &str) -> String {
    let names: Vec<String> = hexes.iter().map(|hex| hex.to_string()).collect();
    if names.is_empty() { none.to_owned() } else { names.join(" ") }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;

    /// A warg on c5, an enemy zombie three steps away on f5, another beside the warg.
    fn game() -> Game {
        let config = fen::parse_config("1 AllLand W,Z", Ruleset::Server).unwrap();
        fen::parse("0|0 0|0 LL|LL n|Z||||0/2N7/0/0/2z7/2W2z4/0/0/7n2/0 0 5", &config).unwrap()
    }

    #[test]
    fn a_piece_walks_and_attacks_by_the_rules() {
        let game = game();
        let hex = |name| Hex::named(name).unwrap();
        let marks = Marks::of_piece(&game, 0, hex("c5")).unwrap();
        let view = game.view(0).unwrap();
        assert_eq!(marks.free, view.reach(hex("c5")));
        assert!(marks.free.contains(hex("d5")) && !marks.free.contains(hex("c4")), "{}", marks.words);
        assert_eq!(marks.targets.iter().map(|hex| hex.to_string()).collect::<Vec<_>>(), ["c4", "f5"]);
        assert!(
            marks.words.ends_with("without a step it can attack c4, after walking c4 f5"),
            "{}",
            marks.words
        );
        for (at, reason) in [("f5", "no piece of Yellow"), ("a0", "no piece of Yellow")] {
            let error = Marks::of_piece(&game, 0, hex(at)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(Marks::of_piece(&game, 1, hex("c5")).is_err());
    }

    #[test]
    fn units_are_placed_beside_spawners() {
        let marks = Marks::of_placing(&game(), 0, UnitLabel::Zombie).unwrap();
        let near = HexSet::ball(Hex::named("c1").unwrap(), 1);
        assert!(near.contains(Hex::named("d0").unwrap()) && marks.free.contains(Hex::named("d0").unwrap()));
        assert!(!marks.free.contains(Hex::named("h7").unwrap()), "{}", marks.words);
        // Nobody is placed in the first turn.
        let first = Marks::of_placing(&Game::new(GameConfig::default(), 1), 0, UnitLabel::Zombie).unwrap();
        assert_eq!(first.words, "Yellow can place a zombie on no hex");
    }
}
