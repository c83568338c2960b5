//! Turns of a search tree: the best ones, each once, and the answer that is expected.

use barrow_core::minions::turn_search::{Line, SharedTree};
use barrow_core::minions::{Game, GameTurn};

/// Largest number of turns, before those that lead to the same position are merged.
const MAX_CANDIDATES: usize = 16;

/// The best turns with the statistics of their edges. Turns that lead to the same position are merged: their visits add
/// up.
pub fn distinct_turns(tree: &SharedTree<'_>, game: &Game) -> Vec<(GameTurn, Line)> {
    let mut lines = [Line::default(); MAX_CANDIDATES];
    let count = tree.lines(&mut lines);
    let mut found: Vec<(u64, Line)> = Vec::with_capacity(count);
    let mut after = game.clone();
    for line in lines.iter().take(count) {
        after.go_to(game.state());
        // The search has played every turn it composed, so none is illegal; a defect there must not cost a game.
        if tree.play(&mut after, line).is_none() || after.end_turn().is_err() {
            continue;
        }
        let key = after.state().key();
        match found.iter_mut().find(|known| known.0 == key) {
            Some((_, known)) => known.stats.merge(&line.stats),
            None => found.push((key, *line)),
        }
    }
    found.sort_by_key(|(_, line)| std::cmp::Reverse(line.order()));
    found.into_iter().filter_map(|(_, line)| Some((tree.turn(game, &line)?, line))).collect()
}

/// The turn of the line `answer` in the position after a turn; the tree is the stripe that holds this position.
pub fn reply_of(game: &Game, turn: &GameTurn, (tree, answer): (&SharedTree<'_>, &Line)) -> Option<GameTurn> {
    let mut after = game.clone();
    after.play(turn).ok()?;
    tree.turn(&after, answer)
}
