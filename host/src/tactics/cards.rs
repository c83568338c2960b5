//! Positions in which a card is the only way: a spell that makes an enemy's fall possible, found by planning on a board on
//! which the spell has taken effect already, and shown by playing the plan with the spell at every place of it. And
//! positions in which the opponent's cards change nothing, so that the solver's answers hold.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{BoardAction, Builder, CastParams, Deck, Game, GameTurn, Spell, TargetShape};
use barrow_core::rng::Rng;
use barrow_solver::attack::Goal;

use crate::engine::proof::{Answer, Prover, changes_attacks};

/// Purpose of a card on a board.
pub(super) struct Want {
    /// The board.
    pub board: usize,
    /// The necromancer to be killed; otherwise one of the victims is to go.
    pub necromancer: Option<Hex>,
    /// Minions that the card may be cast on.
    pub victims: HexSet,
}

/// A row with a card that does what is wanted, and the turn that does it. `done` says of the position after the turn
/// whether it did.
pub(super) fn by_card(
    game: &Game,
    want: &Want,
    prover: &mut Prover,
    rng: &mut Rng,
    done: impl Fn(&Game) -> bool,
) -> Option<(Game, GameTurn)> {
    let mut victims: Vec<Hex> = want.victims.iter().collect();
    rng.shuffle(&mut victims);
    for victim in victims {
        // Without the victim nothing is harder: if that does not help, no card on it does.
        let gone = with_damage(game, want.board, victim, None)?;
        if let Some(necromancer) = want.necromancer
            && !prover.attack(&gone.view(want.board)?, &[Goal::Kill(necromancer)]).is_yes()
        {
            continue;
        }
        let mut spells: Vec<Spell> =
            Spell::ALL.into_iter().filter(|&spell| spell.copies() > 0 && changes_attacks(spell)).collect();
        rng.shuffle(&mut spells);
        for spell in spells {
            let Some(changed) = with_card(game, spell, rng) else { continue };
            for plan in plans(&changed, want, victim, spell, prover) {
                if let Some(turn) = insert(&changed, want.board, victim, spell, &plan, &done) {
                    return Some((changed, turn));
                }
            }
        }
    }
    None
}

/// The position with this damage on a piece; `None` takes the piece away.
fn with_damage(game: &Game, board: usize, at: Hex, damage: Option<u16>) -> Option<Game> {
    let piece = game.view(board)?.board.piece(at)?;
    let mut builder = Builder::from_game(game.clone());
    builder.board(board)?.set_piece(at, damage.map(|damage| piece.with_damage(damage)));
    builder.build().ok()
}

/// The position with this card in the row, in the place of another one.
fn with_card(game: &Game, spell: Spell, rng: &mut Rng) -> Option<Game> {
    let mut row = game.state().row().to_vec();
    if row.contains(&spell) {
        return Some(game.clone());
    }
    let place = rng.below(row.len().try_into().ok()?) as usize;
    *row.get_mut(place)? = spell;
    let mut builder = Builder::from_game(game.clone());
    builder.row(&row, 0)?;
    builder.build().ok()
}

/// Attacks that do what is wanted once a spell has taken effect on its victim.
fn plans(game: &Game, want: &Want, victim: Hex, spell: Spell, prover: &mut Prover) -> Vec<Vec<BoardAction>> {
    let Some(view) = game.view(want.board) else { return Vec::new() };
    let Some(piece) = view.board.piece(victim) else { return Vec::new() };
    let defense = view.current(piece).defense;
    let wounds: &[Option<u16>] = match spell {
        Spell::Fester | Spell::Cleave => &[Some(1), None],
        Spell::Sunder => &[Some(2), None],
        Spell::Dismember => &[Some(3), Some(2), Some(1)],
        // A blow is needed, and one is enough.
        Spell::Unsummon | Spell::Stumble => &[Some(u16::MAX)],
        _ => &[],
    };
    let mut goals = vec![Goal::Remove(victim)];
    goals.extend(want.necromancer.map(Goal::Kill));
    let mut all = Vec::new();
    for &wound in wounds {
        let wound = wound.map(|wound| wound.min(defense.saturating_sub(1)));
        let Some(changed) = with_damage(game, want.board, victim, wound) else { continue };
        let Some(view) = changed.view(want.board) else { continue };
        let wanted = if wound.is_none() { &goals[1..] } else { &goals[..] };
        if wanted.is_empty() {
            continue;
        }
        if let Answer::Yes(plan) = prover.attack(&view, wanted) {
            all.push(plan);
        }
    }
    all
}

/// The plan as a turn, with the spell cast on its victim wherever that works.
fn insert(
    game: &Game,
    board: usize,
    victim: Hex,
    spell: Spell,
    plan: &[BoardAction],
    done: &impl Fn(&Game) -> bool,
) -> Option<GameTurn> {
    let card = game.state().row().iter().position(|&other| other == spell)?;
    let params: Vec<CastParams> = match spell.shape() {
        TargetShape::PieceHex => {
            victim.neighbours().iter().map(|&to| CastParams::PieceHex(victim, to)).collect()
        }
        _ => vec![CastParams::Piece(victim)],
    };
    for place in 0..=plan.len() {
        for &params in &params {
            let mut turn = GameTurn::new();
            turn.board_spells.push((board as u8, card as u8)).ok()?;
            let (before, behind) = plan.split_at(place);
            for &action in before.iter().chain(&[BoardAction::Cast { spell, params }]).chain(behind) {
                turn.push(board, action)?;
            }
            let mut played = game.clone();
            if played.play(&turn).is_ok() && done(&played) {
                return Some(turn);
            }
        }
    }
    None
}

/// Position with other cards for the opponent: none of them changes what an attack removes.
pub(super) fn with_harmless_cards(game: Game, rng: &mut Rng) -> Option<Game> {
    if !game.config().rules.spells {
        return Some(game);
    }
    let enemy = game.side_to_move().opponent();
    let harmless: Vec<Spell> =
        Spell::ALL.into_iter().filter(|&spell| spell.copies() > 0 && !changes_attacks(spell)).collect();
    let deck = game.state().deck(enemy).clone();
    let mut queue = Vec::new();
    for &spell in deck.queue() {
        queue.push(if changes_attacks(spell) { *rng.choose(&harmless)? } else { spell });
    }
    let boards = game.config().num_boards();
    let mut builder = Builder::from_game(game);
    builder.deck(enemy, Deck::with(&queue, *deck.left(), deck.rng())?);
    for index in 0..boards {
        let board = builder.board(index)?;
        while let Some(place) = board.hand(enemy).iter().position(|&spell| changes_attacks(spell)) {
            board.remove_card(enemy, place)?;
        }
    }
    builder.build().ok()
}
