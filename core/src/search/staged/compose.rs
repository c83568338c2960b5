//! Composing a turn: each stage offers a candidate, an old one or a new one, and the turn is played as it grows.

use heapless::Vec;

use crate::minions::{Action, BoardAction, Game, GameTurn, GeneralAction, Piece, UndoLog};
use crate::rng::Rng;
use crate::search::ports::{
    ATTACK_CAP, Attack, AttackPlanner, AttackPolicy, CERTAIN, Estimate, Evaluator, GENERAL_CAP,
    GeneralPolicy, Outline, Planned, SpawnPolicy, Stage,
};
use crate::search::stats::{FULL_WEIGHT, Stats, puct};

use super::attack::{FAMILIES, Lesson, PEACE, aims, learn};
use super::finish::{FINISH_CAP, Finish, Style, finish};
use super::general::{Choices, choices};
use super::pool::{Choice, NONE, Pool};
use super::{Options, Picks, Team};

/// Choices of the general that are weighed at most in one position.
const GENERALS: usize = 24;

/// Attacks of one board in one position at most.
const ATTACKS: u32 = 24;

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
pub(super) struct Composer<'a, 'm, E, A, P, S, G> {
    pub(super) pool: &'a mut Pool<'m>,
    pub(super) team: &'a mut Team<E, A, P, S, G>,
    pub(super) options: &'a Options,
    pub(super) stages: u32,
    pub(super) game: &'a mut Game,
    pub(super) rng: Rng,
}

impl<E, A, P, S, G> Composer<'_, '_, E, A, P, S, G>
where
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
        self.team.evaluator.begin(self.game);
        if self.pool.stages(self.stages).general == NONE {
            self.list_generals()?;
            if let Some(turn) = self.team.general.whole_turn(self.game) {
                return self.adopt(&turn);
            }
        }
        picks.general = self.explore(self.pool.stages(self.stages).general)?;
        replay(self.pool, picks.general, self.game)?;
        for board in 0..boards {
            picks.boards.get_mut(board)?.0 = self.pick_attack(board)?;
        }
        let split = self.split(&picks);
        for board in 0..boards {
            let souls = split.get(board).copied().unwrap_or(0);
            let slot = picks.boards.get_mut(board)?;
            slot.1 = self.pick_finish(board, picks.general, slot.0, souls)?;
        }
        picks.plausibility = self.plausibility(&picks);
        Some(picks)
    }

    /// Takes a turn apart into candidates of the stages, and plays it, except for its end.
    fn adopt(&mut self, turn: &GameTurn) -> Option<Picks> {
        let mut picks = Picks::default();
        let actions: Vec<Action, 40, u8> = turn.general_actions().map(Action::General).collect();
        let head = self.pool.stages(self.stages).general;
        let known =
            self.pool.list(head).map(|(index, _)| index).find(|&index| self.pool.actions(index) == actions);
        let most = self.pool.list(head).map(|(_, choice)| choice.prior).max().unwrap_or(u16::MAX);
        picks.general = if let Some(index) = known {
            index
        } else {
            let stats = self.pool.choice(head).stats;
            let entry = Choice { stats, next: head, ..Choice::EMPTY };
            let index = self.pool.add_choice(entry, actions)?;
            self.pool.stages_mut(self.stages)?.general = index;
            index
        };
        self.pool.choice_mut(picks.general)?.prior = most;
        replay(self.pool, picks.general, self.game)?;
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
            picks.boards.get_mut(board)?.0 = self.add_attack(board, attack, outline, 0)?;
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

    /// Product over the stages of each candidate's prior as a share of the best one's.
    fn plausibility(&self, picks: &Picks) -> u16 {
        let stages = self.pool.stages(self.stages);
        let share = |head: u32, pick: u32| {
            let best = self.pool.list(head).map(|(_, choice)| choice.prior).max().unwrap_or(1).max(1);
            u64::from(self.pool.choice(pick).prior) * 65_535 / u64::from(best)
        };
        let mut product = share(stages.general, picks.general);
        for (board, &(attack, finish)) in stages.boards.iter().zip(&picks.boards) {
            if attack == NONE {
                break;
            }
            product = product * share(board.attacks, attack) / 65_535;
            // Finishes made later stray further from the policy; the list begins with the newest.
            let age = self.pool.list(finish).skip(1).count() as u64;
            product = product * 4 / (4 + age.min(8));
        }
        product as u16
    }

    fn explore(&self, first: u32) -> Option<u32> {
        let total: u64 = self.pool.list(first).map(|(_, choice)| u64::from(choice.stats.weight())).sum();
        let open = self.pool.list(first).filter(|(_, choice)| !choice.pruned);
        let worth = |choice: &Choice| {
            if self.options.feedback {
                puct(
                    &choice.stats,
                    choice.stats.mean(),
                    u32::from(choice.prior),
                    total,
                    self.options.exploration,
                )
            } else {
                i64::from(choice.prior)
            }
        };
        // The newest come first in a list; of equals the oldest is taken.
        open.max_by_key(|(index, choice)| (worth(choice), core::cmp::Reverse(*index))).map(|(index, _)| index)
    }

    /// Lists the general's choices.
    fn list_generals(&mut self) -> Option<()> {
        let mut found = Choices::new();
        choices(self.game, &mut self.team.general, &mut found);
        found.truncate(generals_in(self.pool));
        let sum: u32 = found.iter().map(|entry| u32::from(entry.0)).sum();
        let mut head = NONE;
        let value = self.team.evaluator.evaluate(self.game);
        // Stored from the least plausible on, so that the list begins with the most plausible.
        for (prior, choice) in found.iter().rev() {
            let mut actions: Vec<Action, 40, u8> =
                choice.iter().map(|&action| Action::General(action)).collect();
            self.deal_cards(&mut actions);
            let entry = Choice {
                stats: prior_of(value),
                next: head,
                prior: (u32::from(*prior) * 65_535 / sum.max(1)) as u16,
                ..Choice::EMPTY
            };
            head = self.pool.add_choice(entry, actions)?;
        }
        self.pool.stages_mut(self.stages)?.general = head;
        Some(())
    }

    /// Adds the cards to a general's choice: every board gets the one that is worth most to it.
    fn deal_cards(&mut self, actions: &mut Vec<Action, 40, u8>) {
        if !self.game.config().rules.spells {
            return;
        }
        let mut game = self.game.clone();
        for &action in actions.iter() {
            let _ = game.apply(action, &mut UndoLog::off());
        }
        for board in 0..game.config().num_boards() {
            let state = game.state();
            let general = &mut self.team.general;
            let free = (0..state.row().len()).filter(|&card| !state.is_taken(card));
            let best = free.max_by_key(|&card| {
                let worth = state.row().get(card).map_or(0, |&spell| general.card(&game, board, spell));
                (worth, core::cmp::Reverse(card))
            });
            if let Some(card) = best {
                let assign = GeneralAction::Assign { board: board as u8, card: card as u8 };
                let action = Action::General(assign);
                if game.apply(action, &mut UndoLog::off()).is_ok() {
                    let _ = actions.push(action);
                }
            }
        }
    }

    fn pick_attack(&mut self, board: usize) -> Option<u32> {
        let known = *self.pool.stages(self.stages).boards.get(board)?;
        let count = self.pool.list(known.attacks).count() as u32;
        let visits: u32 = self.pool.list(known.attacks).map(|(_, choice)| choice.stats.visits()).sum();
        let wanted = count == 0 || count < ATTACKS && count * count <= 1 + visits;
        if wanted
            && !known.complete
            && let Some(index) = self.new_attack(board, count)
        {
            return Some(index);
        }
        let head = self.pool.stages(self.stages).boards.get(board)?.attacks;
        let index = self.explore(head)?;
        replay(self.pool, index, self.game)?;
        Some(index)
    }

    /// Asks the solver for an attack that is not known yet, and plays it.
    fn new_attack(&mut self, board: usize, count: u32) -> Option<u32> {
        let known = *self.pool.stages(self.stages).boards.get(board)?;
        let family = self.family(board, count, known.asked, known.exhausted);
        if let Some(entry) = self.pool.stages_mut(self.stages)?.boards.get_mut(board) {
            entry.asked = entry.asked.saturating_add(1);
        }
        let forbidden: Vec<Outline, { ATTACKS as usize }, u8> =
            self.pool.list(known.attacks).map(|(_, choice)| choice.outline).take(ATTACKS as usize).collect();
        let view = self.game.view(board)?;
        let mut attack = Attack::default();
        let planned = if view.board.marks().spawn_phase || view.board.marks().resigned {
            Planned::NoMore
        } else {
            let mut fates = self.team.prophet.prophesy(self.game, board);
            if self.options.feedback && count > 1 {
                learn(&mut fates, &self.lessons(known.attacks));
            }
            let mut dice =
                Rng::new(self.options.seed ^ u64::from(self.game.state().turn()) << 8 ^ u64::from(family));
            let aims = aims(&view, &fates, family, &mut dice);
            self.team.planner.plan(&view, &aims, &forbidden, &mut attack)
        };
        match planned {
            Planned::Found => {}
            Planned::NoMore if count == 0 => {}
            Planned::NoMore | Planned::Unknown if count > 0 => {
                let entry = self.pool.stages_mut(self.stages)?.boards.get_mut(board)?;
                if planned == Planned::NoMore {
                    entry.complete = true;
                } else {
                    entry.exhausted |= 1 << family;
                    entry.complete |= entry.exhausted == u16::MAX;
                }
                return None;
            }
            // Nothing can be planned on this board: everybody stays peaceful.
            Planned::NoMore | Planned::Unknown => {
                attack = Attack::default();
            }
        }
        play_board(self.game, board as u8, &attack.actions)?;
        self.add_attack(board, &attack.actions, attack.outline, family)
    }

    /// Stores an attack that has just been played.
    fn add_attack(
        &mut self,
        board: usize,
        actions: &[BoardAction],
        outline: Outline,
        family: u8,
    ) -> Option<u32> {
        let head = self.pool.stages(self.stages).boards.get(board)?.attacks;
        let estimate = self.team.evaluator.evaluate_board(self.game, board, Stage::AfterAttack);
        let entry = Choice {
            stats: prior_of(estimate),
            next: head,
            family,
            outline,
            curve: self.team.evaluator.curve(self.game, board),
            ..Choice::EMPTY
        };
        let actions = actions.iter().map(|&action| Action::Board(board as u8, action));
        let index = self.pool.add_choice(entry, actions)?;
        self.pool.stages_mut(self.stages)?.boards.get_mut(board)?.attacks = index;
        self.share_priors(index);
        Some(index)
    }

    /// Priors of attacks from their values after the attack: proportional to how far they are above the worst.
    fn share_priors(&mut self, head: u32) {
        let values: Vec<(u32, i32), { ATTACKS as usize + 1 }, u8> = self
            .pool
            .list(head)
            .map(|(index, choice)| (index, choice.stats.mean()))
            .take(ATTACKS as usize + 1)
            .collect();
        let lowest = values.iter().map(|entry| entry.1).min().unwrap_or(0);
        let weight = |value: i32| i64::from(value - lowest) + i64::from(CERTAIN) / 64;
        let sum: i64 = values.iter().map(|entry| weight(entry.1)).sum();
        for (index, value) in values {
            if let Some(choice) = self.pool.choice_mut(index) {
                choice.prior = (weight(value) * 65_535 / sum.max(1)) as u16;
            }
        }
    }

    /// Which family the next attack is asked of: the prophecy as it is, then peace, then refinements of the best
    /// attack so far (fine) and noisy prophecies (coarse) in turn, as far as they are allowed and not exhausted.
    fn family(&mut self, board: usize, count: u32, asked: u8, exhausted: u16) -> u8 {
        if asked == 0 {
            return 0;
        }
        if asked == 1 && exhausted & (1 << PEACE) == 0 {
            return PEACE;
        }
        let head = self.pool.stages(self.stages).boards.get(board).map_or(NONE, |entry| entry.attacks);
        let best = self.pool.list(head).max_by_key(|(index, choice)| (choice.stats.mean(), *index));
        let family = best.map_or(0, |(_, choice)| choice.family);
        let fine = self.options.fine && exhausted & (1 << family) == 0;
        let fresh = (2 + count as u8 % (FAMILIES - 2)).min(FAMILIES - 1);
        let coarse = self.options.coarse;
        match (fine, coarse) {
            (true, true) => {
                if self.rng.chance(1, 2) {
                    family
                } else {
                    fresh
                }
            }
            (true, false) => family,
            (false, true) => fresh,
            (false, false) => 0,
        }
    }

    fn lessons(&self, head: u32) -> Vec<Lesson, { ATTACKS as usize }, u8> {
        let mut all = Stats::default();
        for (_, choice) in self.pool.list(head) {
            all.merge(&choice.stats);
        }
        let lesson = |(_, choice): (u32, &Choice)| Lesson {
            outline: choice.outline,
            gain: choice.stats.mean() - all.mean(),
            weight: choice.stats.visits(),
        };
        self.pool.list(head).map(lesson).take(ATTACKS as usize).collect()
    }

    fn pick_finish(&mut self, board: usize, general: u32, attack: u32, souls: u32) -> Option<u32> {
        let head = self.pool.choice(attack).below;
        let same = |choice: &Choice| u32::from(choice.prior) == general & 0xffff && near(choice.given, souls);
        let fitting = self.pool.list(head).filter(|(_, choice)| same(choice));
        let (mut count, mut visits, mut weight) = (0u32, 0u32, 0u64);
        for (_, choice) in self.pool.list(head).filter(|(_, choice)| same(choice)) {
            count += 1;
            visits += choice.stats.visits();
            weight += u64::from(choice.stats.weight());
        }
        let mut best: Option<(i64, u32)> = None;
        let expected = self.pool.choice(attack).stats.mean();
        // The list begins with the newest; the oldest follows the policy most closely.
        for (order, (index, choice)) in fitting.enumerate() {
            let prior = 65_536 / (2 + count - order as u32);
            let bound = puct(&choice.stats, expected, prior, weight, self.options.exploration);
            if u32::from(choice.spent) <= souls && best.is_none_or(|known| bound >= known.0) {
                best = Some((bound, index));
            }
        }
        let total = self.pool.list(head).count() as u32;
        let wanted = best.is_none() || count * count <= visits && total < FINISHES * 4 && count < FINISHES;
        if !wanted && let Some((_, index)) = best {
            replay(self.pool, index, self.game)?;
            return Some(index);
        }
        let mut actions = Finish::new();
        // The first follows the policy, those after it stray ever further.
        let noise = self.options.noise * count.min(4) as i32 / 4;
        let style = Style { assignment: self.options.assignment, noise };
        let spent =
            finish(self.game, board as u8, souls, &mut self.team.spawner, style, &mut self.rng, &mut actions);
        self.add_finish(board, general, attack, (souls, spent), &actions)
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
            next: self.pool.choice(attack).below,
            prior: general as u16,
            given: given.min(u32::from(u16::MAX)) as u16,
            spent: spent.min(u32::from(u16::MAX)) as u16,
            ..Choice::EMPTY
        };
        let actions = actions.iter().map(|&action| Action::Board(board as u8, action));
        let index = self.pool.add_choice(entry, actions)?;
        self.pool.choice_mut(attack)?.below = index;
        Some(index)
    }
}

/// Whether a finish made for one sum serves another.
fn near(given: u16, souls: u32) -> bool {
    u32::from(given).abs_diff(souls) <= 1 + souls / 8
}

/// The first opinion of a candidate: the evaluator's, as one visit.
fn prior_of(estimate: Estimate) -> Stats {
    Stats::prior(estimate.win, estimate.error, FULL_WEIGHT)
}

/// Plays the actions of a candidate.
pub(super) fn replay(pool: &Pool<'_>, index: u32, game: &mut Game) -> Option<()> {
    play(game, pool.actions(index))
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

fn play_board(game: &mut Game, board: u8, actions: &[BoardAction]) -> Option<()> {
    let mut rest = actions;
    while !rest.is_empty() {
        let used = game.apply_next(board, rest, &mut UndoLog::off()).ok()?;
        rest = rest.get(used..)?;
    }
    Some(())
}
