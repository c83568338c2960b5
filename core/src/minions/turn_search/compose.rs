//! Composing a turn: each stage offers a candidate, an old one or a new one, and the turn is played as it grows.

use heapless::Vec;

use super::ports::{
    ATTACK_CAP, AttackPlanner, AttackPolicy, Evaluator, GENERAL_CAP, GeneralPolicy, Outline, SpawnPolicy,
};
use crate::minions::tables::capacities::{CHANGES_PER_ACTION, GENERAL_ACTION_CAP};
use crate::minions::{Action, BOARD_CAP, BoardAction, Change, Game, GameTurn, GeneralAction, Piece, UndoLog};
use crate::rng::Rng;
use crate::search::stats::{FULL_WEIGHT, Puct, Stats};
use crate::search::value::{CERTAIN, Estimate};

use super::candidates::{Choice, NONE, Pool};
use super::general_stage::{Choices, choices};
use super::shared_tree::{Access, Forest};
use super::spawn_stage::{FINISH_CAP, Finish, Style, finish};
use super::{Options, Picks, Team};

/// Choices of the general that are weighed at most in one position.
const GENERALS: usize = 24;

/// Choices of the general that the evaluator is asked about, the most plausible ones.
const ADVISED: usize = 8;

/// The actions of one of the general's choices, cards included.
type GeneralActions = Vec<Action, GENERAL_ACTION_CAP, u8>;

/// Finishes of one attack at most.
const FINISHES: u32 = 12;

/// Candidates, actions and so on that one composition may need at most: asked for in advance, so that a composition
/// never fails half-way.
pub(super) fn room_for(boards: usize, pool: &Pool<'_>) -> (usize, usize) {
    let generals = generals_in(pool);
    (generals + 4 * boards, generals * (GENERAL_CAP + boards) + boards * (ATTACK_CAP + FINISH_CAP))
}

/// Choices of the general that are listed in each position: fewer where candidates are few.
fn generals_in(pool: &Pool<'_>) -> usize {
    (pool.capacity() / 80).clamp(2, GENERALS)
}

/// The stages of one position at work.
pub(super) struct Composer<'a, F, E, A, P, S, G> {
    pub(super) forest: &'a mut F,
    pub(super) team: &'a mut Team<E, A, P, S, G>,
    pub(super) options: &'a Options,
    pub(super) stages: u32,
    pub(super) game: &'a mut Game,
    pub(super) rng: Rng,
}

impl<'m, F, E, A, P, S, G> Composer<'_, F, E, A, P, S, G>
where
    F: Access<'m>,
    E: Evaluator,
    A: AttackPolicy,
    P: AttackPlanner,
    S: SpawnPolicy,
    G: GeneralPolicy,
{
    /// Composes a turn and plays it, except for its end. `None` when a stage finds nothing at all.
    pub(super) fn compose(&mut self) -> Option<Picks> {
        let boards = self.game.config().num_boards();
        let mut picks = Picks::default();
        let (stages, options) = (self.stages, self.options);
        let (fresh, listed) = self.forest.with(|forest| {
            let entry = forest.pool.stages(stages);
            (entry.general == NONE, entry.listed)
        });
        if fresh {
            // The first turn comes whole and is not judged: many positions never see a second one.
            let whole = self.team.general.whole_turn(self.game);
            if let Some(turn) = whole.filter(|turn| self.options.spells || !casts(turn)) {
                return self.adopt(&turn);
            }
        }
        self.team.evaluator.begin(self.game);
        if !listed {
            self.list_generals()?;
        }
        picks.general = self.forest.with(|Forest { pool, .. }| {
            let first = pool.stages(stages).general;
            explore(pool, first, options, &[])
        })?;
        replay(self.forest, picks.general, self.game)?;
        for board in 0..boards {
            picks.boards.get_mut(board)?.0 = self.pick_attack(board)?;
        }
        let split = self.split(&picks);
        for board in 0..boards {
            let souls = split.get(board).copied().unwrap_or(0);
            let slot = picks.boards.get_mut(board)?;
            slot.1 = self.pick_finish(board, picks.general, slot.0, souls)?;
        }
        picks.plausibility = self.forest.with(|forest| plausibility(&forest.pool, stages, &picks));
        Some(picks)
    }

    /// Takes a turn apart into candidates of the stages, and plays it, except for its end.
    fn adopt(&mut self, turn: &GameTurn) -> Option<Picks> {
        let mut picks = Picks::default();
        let actions: GeneralActions = turn.general_actions().map(Action::General).collect();
        let stages = self.stages;
        picks.general = self.forest.with(|Forest { pool, .. }| {
            let next = pool.stages(stages).general;
            let entry = Choice { next, prior: u16::MAX, ..Choice::EMPTY };
            let index = pool.add_choice(entry, actions)?;
            pool.stages_mut(stages)?.general = index;
            Some(index)
        })?;
        replay(self.forest, picks.general, self.game)?;
        let boards = self.game.config().num_boards();
        let cut = |board: usize| {
            let all = turn.board(board);
            all.split_at(all.iter().rposition(BoardAction::is_strike).map_or(0, |last| last + 1))
        };
        for board in 0..boards {
            let (attack, _) = cut(board);
            let enemy = self.game.side_to_move().opponent();
            let before = self.game.view(board)?.board.pieces(enemy);
            let mut outline = Outline::default();
            let mut rest = attack;
            while let Some(first) = rest.first() {
                if let BoardAction::Attack { from, .. } = *first {
                    let origin = self.game.view(board)?.board.piece(from).and_then(Piece::origin);
                    outline.fighters.insert(origin.unwrap_or(from));
                }
                let used = self.game.apply_next(board as u8, rest, &mut UndoLog::off()).ok()?;
                rest = rest.get(used..)?;
            }
            outline.killed = before - self.game.view(board)?.board.pieces(enemy);
            picks.boards.get_mut(board)?.0 = self.add_unjudged(board, attack, outline)?;
        }
        for board in 0..boards {
            let (_, finish) = cut(board);
            let before = self.game.state().souls(self.game.side_to_move());
            play_board(self.game, board as u8, finish)?;
            let spent = before.saturating_sub(self.game.state().souls(self.game.side_to_move()));
            let slot = picks.boards.get_mut(board)?;
            slot.1 = self.add_finish(board, picks.general, slot.0, (spent, spent), finish)?;
        }
        picks.plausibility = u16::MAX;
        Some(picks)
    }

    /// Lists the general's choices.
    fn list_generals(&mut self) -> Option<()> {
        let stages = self.stages;
        self.forest.with(|forest| forest.pool.stages_mut(stages).map(|stages| stages.listed = true))?;
        let mut found = Choices::new();
        let most = self.forest.with(|forest| generals_in(&forest.pool));
        choices(self.game, &mut self.team.general, most, &mut found);
        let value = self.team.evaluator.evaluate_begun(self.game);
        let mut memory = [Change::default(); (GENERAL_CAP + BOARD_CAP) * CHANGES_PER_ACTION];
        let mut log = UndoLog::new(&mut memory);
        let mut listed: Vec<(u32, i32, GeneralActions), GENERALS, u8> = Vec::new();
        for (prior, choice) in &found {
            let mut actions: GeneralActions = choice.iter().map(|&action| Action::General(action)).collect();
            let advised = self.options.counsel && listed.len() < ADVISED;
            let win = self.try_general(&mut actions, advised, &mut log).unwrap_or(value.win);
            listed.push((u32::from(*prior), win, actions)).ok()?;
        }
        let advised = ADVISED.min(listed.len());
        consult(listed.split_at_mut(advised).0);
        let sum: u32 = listed.iter().map(|entry| entry.0).sum();
        let plausible = |prior: u32| (u64::from(prior) * 65_535 / u64::from(sum.max(1))) as u16;
        let most = listed.iter().map(|entry| plausible(entry.0)).max().unwrap_or(u16::MAX);
        self.forest.with(|Forest { pool, .. }| {
            let adopted = pool.stages(stages).general;
            if let Some(adopted) = pool.choice_mut(adopted) {
                adopted.prior = most;
                adopted.stats.merge(&prior_of(value));
            }
            // Stored from the least plausible on, so that the list begins with the most plausible.
            for (prior, win, actions) in listed.into_iter().rev() {
                if adopted != NONE && pool.actions(adopted) == actions {
                    continue;
                }
                let stats = prior_of(Estimate { win, ..value });
                let next = pool.stages(stages).general;
                let entry = Choice { stats, next, prior: plausible(prior), ..Choice::EMPTY };
                let index = pool.add_choice(entry, actions)?;
                pool.stages_mut(stages)?.general = index;
            }
            Some(())
        })
    }

    /// Adds the cards to a general's choice: every board gets the one that is worth most to it. The game is left as
    /// it was. Answers what the evaluator says of the choice, if it is asked for advice.
    fn try_general(
        &mut self,
        actions: &mut GeneralActions,
        advised: bool,
        log: &mut UndoLog<'_>,
    ) -> Option<i32> {
        let spells = self.game.config().rules.spells;
        if !spells && !advised {
            return None;
        }
        let start = log.mark();
        for &action in actions.iter() {
            let _ = self.game.apply(action, log);
        }
        for board in 0..if spells { self.game.config().num_boards() } else { 0 } {
            let (game, general) = (&*self.game, &mut self.team.general);
            let state = game.state();
            let free = (0..state.row().len()).filter(|&card| !state.is_taken(card));
            let best = free.max_by_key(|&card| {
                let worth = state.row().get(card).map_or(0, |&spell| general.card(game, board, spell));
                (worth, core::cmp::Reverse(card))
            });
            if let Some(card) = best {
                let assign = GeneralAction::Assign { board: board as u8, card: card as u8 };
                let action = Action::General(assign);
                if self.game.apply(action, log).is_ok() {
                    let _ = actions.push(action);
                }
            }
        }
        let win = advised.then(|| self.team.evaluator.evaluate_general(self.game).win);
        self.game.undo(start, log);
        win
    }

    /// Offers a finish of a board after an attack for so many souls, and plays it.
    fn pick_finish(&mut self, board: usize, general: u32, attack: u32, souls: u32) -> Option<u32> {
        let exploration = self.options.exploration;
        let offer =
            self.forest.with(|forest| offer_finish(&forest.pool, general, attack, souls, exploration));
        let count = match offer {
            Offer::Known(index) if self.replay_if_legal(index) => return Some(index),
            // It needs other cards: a new one, as far from the policy as any.
            Offer::Known(_) => FINISHES,
            Offer::New(count) => count,
        };
        let mut actions = Finish::new();
        // The first follows the policy, those after it stray ever further.
        let noise = self.options.noise * count.min(4) as i32 / 4;
        let style = Style { assignment: self.options.assignment, spells: self.options.spells, noise };
        let spent =
            finish(self.game, board as u8, souls, &mut self.team.spawner, style, &mut self.rng, &mut actions);
        self.add_finish(board, general, attack, (souls, spent), &actions)
    }

    /// Plays a candidate of a board if it is legal; otherwise nothing has changed. One with cards may have been made
    /// after another choice of the general, which gave the board other cards.
    pub(super) fn replay_if_legal(&mut self, index: u32) -> bool {
        let copied =
            self.forest.with(|forest| Vec::<_, ATTACK_CAP, u16>::from_slice(forest.pool.actions(index)));
        let Ok(actions) = copied else { return false };
        let uses_cards = |action: &Action| {
            matches!(action, Action::Board(_, BoardAction::Cast { .. } | BoardAction::Discard { .. }))
        };
        if !actions.iter().any(uses_cards) {
            return play(self.game, &actions).is_some();
        }
        let mut trial = self.game.clone();
        let legal = play(&mut trial, &actions).is_some();
        if legal {
            self.game.go_to(trial.state());
        }
        legal
    }

    /// Stores a finish that has just been played, with the souls it was given and those it spent.
    fn add_finish(
        &mut self,
        board: usize,
        general: u32,
        attack: u32,
        (given, spent): (u32, u32),
        actions: &[BoardAction],
    ) -> Option<u32> {
        let entry = Choice {
            stats: Stats::default(),
            prior: general as u16,
            given: given.min(u32::from(u16::MAX)) as u16,
            spent: spent.min(u32::from(u16::MAX)) as u16,
            ..Choice::EMPTY
        };
        let actions = actions.iter().map(|&action| Action::Board(board as u8, action));
        self.forest.with(|Forest { pool, .. }| {
            let next = pool.choice(attack).below;
            let index = pool.add_choice(entry.before(next), actions)?;
            pool.choice_mut(attack)?.below = index;
            Some(index)
        })
    }
}

/// Lets the evaluator's opinion of the general's choices, their win chances, count in their plausibility: a
/// sixteenth of a game above the average doubles it.
fn consult(listed: &mut [(u32, i32, GeneralActions)]) {
    let sum: i64 = listed.iter().map(|entry| i64::from(entry.1)).sum();
    let mean = sum / (listed.len() as i64).max(1);
    for (prior, win, _) in listed {
        let factor = i64::from(CERTAIN) + 16 * (i64::from(*win) - mean);
        let factor = factor.clamp(i64::from(CERTAIN) / 8, i64::from(CERTAIN) * 8);
        *prior = (i64::from(*prior) * factor / i64::from(CERTAIN)).max(1) as u32;
    }
}

/// The candidate of a list to explore, those refused left out: by what came of each, or by priors alone.
pub(super) fn explore(pool: &Pool<'_>, first: u32, options: &Options, refused: &[u32]) -> Option<u32> {
    let total: u64 = pool.list(first).map(|(_, choice)| u64::from(choice.stats.weight())).sum();
    let open = pool.list(first).filter(|(index, choice)| !choice.pruned && !refused.contains(index));
    let puct = Puct::new(total, options.exploration);
    let worth = |choice: &Choice| {
        if options.feedback {
            puct.value(&choice.stats, choice.stats.mean(), u32::from(choice.prior))
        } else {
            i64::from(choice.prior)
        }
    };
    // The newest come first in a list; of equals the oldest is taken.
    open.max_by_key(|(index, choice)| (worth(choice), core::cmp::Reverse(*index))).map(|(index, _)| index)
}

/// Product over the stages of each candidate's prior as a share of the best one's.
fn plausibility(pool: &Pool<'_>, stages: u32, picks: &Picks) -> u16 {
    let stages = pool.stages(stages);
    let share = |head: u32, pick: u32| {
        let best = pool.list(head).map(|(_, choice)| choice.prior).max().unwrap_or(1).max(1);
        u64::from(pool.choice(pick).prior) * 65_535 / u64::from(best)
    };
    let mut product = share(stages.general, picks.general);
    for (board, &(attack, finish)) in stages.boards.iter().zip(&picks.boards) {
        if attack == NONE {
            break;
        }
        product = product * share(board.attacks, attack) / 65_535;
        // Finishes made later stray further from the policy; the list begins with the newest.
        let age = pool.list(finish).skip(1).count() as u64;
        product = product * 4 / (4 + age.min(8));
    }
    product as u16
}

/// What the spawn stage offers.
enum Offer {
    /// A known finish.
    Known(u32),
    /// A new one, beyond this many for the same money.
    New(u32),
}

fn offer_finish(pool: &Pool<'_>, general: u32, attack: u32, souls: u32, exploration: u32) -> Offer {
    let head = pool.choice(attack).below;
    let same = |choice: &Choice| u32::from(choice.prior) == general & 0xffff && near(choice.given, souls);
    let (mut count, mut visits, mut weight) = (0u32, 0u32, 0u64);
    for (_, choice) in pool.list(head).filter(|(_, choice)| same(choice)) {
        count += 1;
        visits += choice.stats.visits();
        weight += u64::from(choice.stats.weight());
    }
    let mut best: Option<(i64, u32)> = None;
    let expected = pool.choice(attack).stats.mean();
    let puct = Puct::new(weight, exploration);
    // The list begins with the newest; the oldest follows the policy most closely.
    for (order, (index, choice)) in pool.list(head).filter(|(_, choice)| same(choice)).enumerate() {
        let prior = 65_536 / (2 + count - order as u32);
        let bound = puct.value(&choice.stats, expected, prior);
        if u32::from(choice.spent) <= souls && best.is_none_or(|known| bound >= known.0) {
            best = Some((bound, index));
        }
    }
    let total = pool.list(head).count() as u32;
    match best {
        Some((_, index)) if count * count > visits || total >= FINISHES * 4 || count >= FINISHES => {
            Offer::Known(index)
        }
        _ => Offer::New(count),
    }
}

/// Whether a turn has spells in it.
fn casts(turn: &GameTurn) -> bool {
    let cast = |action: &BoardAction| matches!(action, BoardAction::Cast { .. });
    (0..BOARD_CAP).any(|board| turn.board(board).iter().any(cast))
}

/// Whether a finish made for one sum serves another.
fn near(given: u16, souls: u32) -> bool {
    u32::from(given).abs_diff(souls) <= 1 + souls / 8
}

/// The first opinion of a candidate: the evaluator's, as one visit.
pub(super) fn prior_of(estimate: Estimate) -> Stats {
    Stats::prior(estimate.win, estimate.error, FULL_WEIGHT)
}

/// Plays the actions of a candidate. They are copied first, so that nobody waits for the rules.
pub(super) fn replay<'m>(forest: &mut impl Access<'m>, index: u32, game: &mut Game) -> Option<()> {
    let actions: Vec<Action, ATTACK_CAP, u16> =
        forest.with(|forest| Vec::from_slice(forest.pool.actions(index)).ok())?;
    play(game, &actions)
}

/// Plays actions of the general or of one board.
pub(super) fn play(game: &mut Game, actions: &[Action]) -> Option<()> {
    let mut rest = actions;
    while let Some((&first, more)) = rest.split_first() {
        let Action::Board(board, action) = first else {
            game.apply(first, &mut UndoLog::off()).ok()?;
            rest = more;
            continue;
        };
        if !action.is_joined() {
            game.apply(first, &mut UndoLog::off()).ok()?;
            rest = more;
            continue;
        }
        let mut group: Vec<BoardAction, { crate::hex::Hex::COUNT }, u8> = Vec::new();
        for action in rest {
            if let Action::Board(_, action) = action {
                group.push(*action).ok()?;
                if !action.is_joined() {
                    break;
                }
            }
        }
        let used = game.apply_next(board, &group, &mut UndoLog::off()).ok()?;
        rest = rest.get(used..)?;
    }
    Some(())
}

pub(super) fn play_board(game: &mut Game, board: u8, actions: &[BoardAction]) -> Option<()> {
    let mut rest = actions;
    while !rest.is_empty() {
        let used = game.apply_next(board, rest, &mut UndoLog::off()).ok()?;
        rest = rest.get(used..)?;
    }
    Some(())
}
