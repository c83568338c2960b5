//! Exact answers about the next turn but one: whether a game is won at the next turn whatever the opponent replies, by
//! graveyards that cannot be taken back, or by an attack after each reply.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{BoardAction, Game, GameTurn, Side, View};
use barrow_solver::attack::Goal;

use super::proof::{Answer, Prover, necromancer};
use super::replies::Replies;

/// Whether the opponent of the side to move wins the game in the next turn at the latest, whatever the side to move
/// replies now.
pub fn wins_next(prover: &mut Prover, game: &Game) -> Answer {
    let (state, side) = (game.state(), game.side_to_move());
    let winner = side.opponent();
    if state.is_over() {
        return if state.winner() == Some(winner) { Answer::Yes(()) } else { Answer::No };
    }
    if u32::from(state.points(winner)) + 1 < u32::from(game.config().points_needed) {
        // Several boards can be won at once, of which nothing is proved here.
        return if game.config().num_boards() > 1 { Answer::Unknown } else { Answer::No };
    }
    match prover.is_safe(game) {
        Answer::Yes(()) => {}
        other => return other,
    }
    let mut answer = Answer::No;
    for board in 0..game.config().num_boards() {
        match keeps_graveyards(prover, game, board) {
            Answer::Yes(()) => return Answer::Yes(()),
            Answer::No => {}
            Answer::Unknown => answer = Answer::Unknown,
        }
    }
    match every_reply_loses(prover, game) {
        Answer::No => answer,
        other => other,
    }
}

/// Whether the opponent of the side to move holds graveyards enough to win the board at the next turn's start, and no
/// attack takes enough of them or kills the necromancer there.
pub fn keeps_graveyards(prover: &mut Prover, game: &Game, board: usize) -> Answer {
    let Some(view) = game.view(board) else { return Answer::No };
    if graveyards_of_enemy(&view).len() < GRAVEYARDS_TO_WIN {
        return Answer::No;
    }
    if let Some(necromancer) = necromancer(&view, view.side.opponent()) {
        match prover.attack(&view, &[Goal::Kill(necromancer)]) {
            Answer::Yes(_) => return Answer::No,
            Answer::Unknown => return Answer::Unknown,
            Answer::No => {}
        }
    }
    match retakes_graveyards(prover, game, board) {
        Answer::Yes(()) => Answer::No,
        Answer::No => Answer::Yes(()),
        Answer::Unknown => Answer::Unknown,
    }
}

/// Whether an attack of the side to move leaves the enemy of a board fewer graveyards than win it.
pub fn retakes_graveyards(prover: &mut Prover, game: &Game, board: usize) -> Answer {
    match game.view(board).map(|view| retake(prover, &view)) {
        Some(Answer::Yes(_)) => Answer::Yes(()),
        Some(Answer::Unknown) => Answer::Unknown,
        Some(Answer::No) | None => Answer::No,
    }
}

/// An attack that leaves the enemy fewer graveyards than win the board.
pub(crate) fn retake(prover: &mut Prover, view: &View<'_>) -> Answer<Vec<BoardAction>> {
    let held = graveyards_of_enemy(view);
    let Some(spare) = held.len().checked_sub(GRAVEYARDS_TO_WIN) else { return Answer::Yes(Vec::new()) };
    let mut answer = Answer::No;
    for set in subsets(&held.iter().collect::<Vec<Hex>>(), spare + 1) {
        let goals: Vec<Goal> = set.into_iter().map(Goal::Remove).collect();
        match prover.attack(view, &goals) {
            Answer::Yes(actions) => return Answer::Yes(actions),
            Answer::Unknown => answer = Answer::Unknown,
            Answer::No => {}
        }
    }
    answer
}

/// Whether every reply of the side to move, listed one by one, still loses to an attack of the next turn. Unknown where
/// there are too many replies to list.
pub fn every_reply_loses(prover: &mut Prover, game: &Game) -> Answer {
    match refuting_reply(prover, game, &mut Vec::new(), &mut |_| true) {
        Refutation::None => Answer::Yes(()),
        Refutation::Reply(_) => Answer::No,
        Refutation::Unknown => Answer::Unknown,
    }
}

/// Reply after which no attack of the next turn wins.
pub(super) enum Refutation {
    /// There is none: proved.
    None,
    /// The position after the reply.
    Reply(Box<Game>),
    /// Not decided.
    Unknown,
}

/// Step that the search for a refuting reply is about to take.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// Try a known turn on a reply.
    Try,
    /// Ask the solver.
    Solve,
}

/// The first reply of the side to move, in the order of [`Replies`], after which no attack of the next turn wins. Turns of
/// `winning` are tried first, and those that the solver finds are added. Ends undecided when `goes_on` says no.
pub(super) fn refuting_reply(
    prover: &mut Prover,
    game: &Game,
    winning: &mut Vec<GameTurn>,
    goes_on: &mut dyn FnMut(Look) -> bool,
) -> Refutation {
    let winner = game.side_to_move().opponent();
    let Some(mut replies) = Replies::new(game) else { return Refutation::Unknown };
    while let Some(reply) = replies.next_end() {
        if !goes_on(Look::Try) {
            return Refutation::Unknown;
        }
        if reply.state().winner() == Some(winner) {
            continue;
        }
        if reply.state().is_over() {
            return Refutation::Reply(Box::new(reply));
        }
        if let Some(known) = winning.iter().position(|turn| goes_on(Look::Try) && wins(&reply, turn, winner))
        {
            winning.swap(known, known / 2);
            continue;
        }
        if !goes_on(Look::Solve) {
            return Refutation::Unknown;
        }
        match prover.winning_attack(&reply) {
            Answer::Yes(turn) => {
                winning.insert(0, turn);
                winning.truncate(KNOWN_TURNS);
            }
            Answer::No => return Refutation::Reply(Box::new(reply)),
            Answer::Unknown => return Refutation::Unknown,
        }
    }
    if replies.is_complete() { Refutation::None } else { Refutation::Unknown }
}

/// Winning turns that are tried on the next reply before the solver is asked.
const KNOWN_TURNS: usize = 24;

/// Whether a turn wins the game for a side.
fn wins(game: &Game, turn: &GameTurn, side: Side) -> bool {
    let mut played = game.clone();
    played.play(turn).is_ok() && played.state().winner() == Some(side)
}

/// All subsets of this size.
pub(super) fn subsets(items: &[Hex], size: usize) -> Vec<Vec<Hex>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &first) in items.iter().enumerate() {
        for mut rest in subsets(&items[place + 1..], size - 1) {
            rest.push(first);
            all.push(rest);
        }
    }
    all
}

/// The enemies on graveyards of a board.
pub(crate) fn graveyards_of_enemy(view: &View<'_>) -> HexSet {
    view.board.graveyards(view.map, view.side.opponent())
}
