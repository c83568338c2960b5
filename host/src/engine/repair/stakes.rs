//! Stakes of a position: how near each side is to a loss that decides the game. Where nothing is near, a repair costs nothing.

use barrow_core::hex::HexSet;
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{Attack, Game, GameTurn, Side, TileType, View};

use super::effort::Effort;
use crate::engine::proof::{Prover, necromancer};
use crate::engine::replies::Replies;

/// Graveyards that may be missing before a turn that holds enough of them.
const MISSING: usize = 3;

/// Steps that are added to a piece's own: its target may come nearer.
const APPROACH: u8 = 1;

/// Parts of a search's time of which some are kept.
pub(super) const PARTS: u32 = 32;

/// Stakes: decisions that may fall by the turns of this side and the next.
#[derive(Clone, Default, Debug)]
pub(super) struct Stakes {
    /// Whether attacks of the opponent might win the game after this turn.
    pub near: bool,
    /// Whether they do if nothing is done.
    pub threatened: bool,
    /// Boards on which eight graveyards might be held, those first on which most are.
    pub sieges: Vec<usize>,
    /// Whether the opponent has so little that all of his replies can be listed.
    pub net: bool,
}

impl Stakes {
    /// The stakes of a position at the start of a turn.
    pub(super) fn new(game: &Game, prover: &mut Prover, effort: &mut Effort) -> Stakes {
        let (state, needed, side) = (game.state(), game.config().points_needed, game.side_to_move());
        let boards = || (0..game.config().num_boards()).filter_map(|board| game.view(board));
        let missing = usize::from(needed.saturating_sub(state.points(side.opponent())));
        let near = boards().filter(|view| is_exposed(view, side)).count() >= missing;
        let (mut sieges, mut net) = (Vec::new(), false);
        if state.points(side) + 1 >= needed {
            let held = |board: &usize| {
                game.view(*board).map_or(0, |view| view.board.graveyards(view.map, side).len())
            };
            let indexed = boards().enumerate().filter(|(_, view)| has_graveyards_in_reach(view));
            sieges = indexed.map(|(board, _)| board).collect();
            sieges.sort_by_key(|board| std::cmp::Reverse(held(board)));
            net = Replies::are_few(game, side.opponent());
        }
        Stakes { near, threatened: near && is_threatened(game, prover, effort), sieges, net }
    }

    /// Whether there is anything to decide.
    pub(super) fn are_none(&self) -> bool {
        !self.near && !self.wins_are_near()
    }

    /// Whether a win at the next turn might be proved.
    pub(super) fn wins_are_near(&self) -> bool {
        self.net || !self.sieges.is_empty()
    }

    /// Parts of a search's time that are kept for what follows it, of [`PARTS`].
    pub(super) fn parts(&self) -> u32 {
        if self.net {
            12
        } else if !self.sieges.is_empty() {
            2
        } else {
            u32::from(self.near)
        }
    }
}

/// Whether the enemies near a side's necromancer could together do as much damage as kills it.
pub(super) fn is_exposed(view: &View<'_>, side: Side) -> bool {
    let Some(necromancer) = necromancer(view, side) else { return false };
    let defense = view.board.piece(necromancer).map_or(0, |piece| view.current(piece).defense);
    let mut damage = 0;
    for (at, piece) in view.board.iter(side.opponent()) {
        let now = view.current(piece);
        let steps = if now.lumbering { 0 } else { now.speed };
        if now.range > 0 && at.distance(necromancer) <= steps + now.range + APPROACH {
            damage += match now.attack {
                Attack::Damage(damage) => u16::from(damage) * u16::from(now.num_attacks),
                Attack::Unsummon => u16::from(now.num_attacks),
                Attack::Deathtouch | Attack::None => 0,
            };
        }
    }
    damage >= defense
}

/// Whether attacks of the opponent win the game after a turn in which nothing is done.
fn is_threatened(game: &Game, prover: &mut Prover, effort: &mut Effort) -> bool {
    let mut passed = game.clone();
    passed.play(&GameTurn::new()).is_ok()
        && !passed.state().is_over()
        && is_lost(&passed, game.side_to_move(), prover, effort)
}

/// Whether the game is lost for a side after its turn, or attacks of the opponent are proved to win it.
pub(super) fn is_lost(after: &Game, side: Side, prover: &mut Prover, effort: &mut Effort) -> bool {
    let state = after.state();
    if state.is_over() {
        return state.winner() == Some(side.opponent());
    }
    let missing = after.config().points_needed.saturating_sub(state.points(side.opponent()));
    let boards = (0..after.config().num_boards()).filter_map(|board| Some((board, after.view(board)?)));
    let exposed: Vec<usize> =
        boards.filter(|(_, view)| is_exposed(view, side)).map(|(board, _)| board).collect();
    let mut asks = |board: usize| exposed.contains(&board) && effort.request();
    exposed.len() >= usize::from(missing) && prover.winning_attack_on(after, &mut asks).is_yes()
}

/// Whether the side to move stands on so many graveyards, and can reach so many more, that it might hold enough.
fn has_graveyards_in_reach(view: &View<'_>) -> bool {
    let held = view.board.graveyards(view.map, view.side);
    if view.awaits_setup() || held.len() + MISSING < GRAVEYARDS_TO_WIN {
        return false;
    }
    let walkers = view.board.pieces(view.side) - held;
    let walks = walkers.into_iter().fold(HexSet::EMPTY, |all, at| all | view.reach(at));
    let reached = (held | walks.grown().grown() | view.spawn_zone()) & view.map.all(TileType::Graveyard);
    reached.len() >= GRAVEYARDS_TO_WIN
}
