//! Card turns (server rules §14): where one attack more would decide the game and none does without a card, every card of
//! the hand and of the row is tried on every enemy that is in the way, and a turn is composed around the first that does.

use core::ops::ControlFlow;

use heapless::Vec;

use super::attack_families::Goals;
use super::candidates::{Candidates, GeneralCandidate, GeneralIndex};
use super::card_progress::{CardProgress, Slice};
use super::compose::{Composer, GeneralActions, prior_of, replay};
use super::family::Family;
use super::picks::Picks;
use super::play_actions::play_board;
use super::ports::{Attack, AttackGoal, AttackPlanner, AttackPolicy, Outline, Planned, Ports};
use super::shared_tree::Access;
use super::spell_finish::Help;
use crate::hex::Hex;
use crate::list;
use crate::minions::tables::config::GRAVEYARDS_TO_WIN;
use crate::minions::tables::spell::SPELL_COUNT;
use crate::minions::{Action, Attack as MinionAttack, Game, GeneralAction, Spell, TileType, UndoLog, View};
use crate::search::value::Estimate;
use crate::sort::sort_by_key;

/// Aim of an attack that would decide the game on a board.
#[derive(Clone, Copy)]
enum Aim {
    /// The necromancer on this hex is killed.
    Kill(Hex),
    /// The enemy holds fewer graveyards than win the board.
    Retake,
}

/// A card for a board, with its place in the row where it is not in the hand.
type Card = (Spell, Option<u8>);

/// An attack with a card that decides the game.
struct Decision {
    board: usize,
    card: Card,
    attack: Attack,
}

impl<'m, T: Access<'m>, P: Ports> Composer<'_, T, P> {
    /// Composes a turn around a card that decides the game, where there is one, and plays it, except for its end. Otherwise the
    /// game stays as it was.
    #[inline(never)]
    pub(super) fn card_turn(&mut self) -> ControlFlow<Option<Picks>> {
        let Some(decision) = self.decision_by_card() else { return ControlFlow::Continue(()) };
        // Without room for one more choice of the general the turn is composed as others are.
        let Some(general) = self.deal(&decision) else { return ControlFlow::Continue(()) };
        ControlFlow::Break(self.compose_around(&decision, general))
    }

    /// An attack with a card that decides the game on some board, at the root, where the search for it has not ended: its next
    /// slice.
    fn decision_by_card(&mut self) -> Option<Decision> {
        if !self.is_root || !self.options.cards || !self.options.spells || !self.game.config().rules.spells {
            return None;
        }
        let effort = self.ports.attack_planner().effort();
        let mut slice = self.replace_card_progress(CardProgress::END)?.next(effort)?;
        for board in 0..self.game.config().num_boards() {
            for &aim in &self.aims(board) {
                if let Some(decision) = self.decide(board, aim, &mut slice) {
                    return Some(decision);
                }
                if slice.is_over(self.ports.attack_planner().effort()) {
                    self.replace_card_progress(slice.progress())?;
                    return None;
                }
            }
        }
        None
    }

    /// Replaces the progress of the search for a card in this position.
    fn replace_card_progress(&mut self, progress: CardProgress) -> Option<CardProgress> {
        let tree = &mut self.tree.lock(self.node);
        let stages = tree.candidates.stages_mut(self.stages)?;
        Some(core::mem::replace(&mut stages.cards, progress))
    }

    /// Composes a turn around a decision, and plays it, except for its end. The choice of the general deals the card.
    fn compose_around(&mut self, decision: &Decision, general: GeneralIndex) -> Option<Picks> {
        let mut picks = Picks { general, ..Picks::default() };
        replay(self.tree, self.node, picks.general, self.game)?;
        for board in 0..self.game.config().num_boards() {
            picks.boards.get_mut(board)?.0 = if board == decision.board {
                let Attack { actions, outline } = &decision.attack;
                play_board(self.game, board as u8, actions)?;
                self.add_attack(board, actions, *outline, Family::Spells)?
            } else {
                self.pick_attack(board)?
            };
        }
        self.finish(&mut picks)?;
        Some(picks)
    }

    /// An attack with a card that decides the game on a board, if there is none without a card, as far as this slice goes.
    fn decide(&mut self, board: usize, aim: Aim, slice: &mut Slice) -> Option<Decision> {
        let view = self.game.view(board)?;
        let victims = aim.victims(&view);
        let first = slice.skip(victims.len());
        let mut attack = Attack::default();
        if first == 0 && !slice.is_amid_cards() {
            slice.request();
            if self.is_reached_without(None, (board, aim), &mut attack) {
                slice.pass(victims.len());
                return None;
            }
        }
        let cards = cards(self.game, &self.game.view(board)?);
        for (place, &victim) in victims.iter().enumerate().skip(first) {
            // Every slice deals with something, however much the aim alone has taken.
            if place > first && slice.is_over(self.ports.attack_planner().effort()) {
                return None;
            }
            let tried = slice.take_tried();
            if tried == 0 {
                slice.request();
                // Without the victim nothing is harder: where that does not help, no card on it does.
                if !self.is_reached_without(Some(victim), (board, aim), &mut attack) {
                    slice.pass(1);
                    continue;
                }
            }
            for (place, &card) in cards.iter().enumerate().skip(tried) {
                let view = self.game.view(board)?;
                let Some(help) = Help::of(&view, card.0, victim) else { continue };
                if place > 0 && slice.is_effort_spent(self.ports.attack_planner().effort()) {
                    slice.interrupt(place);
                    return None;
                }
                slice.request();
                if self.decides((board, aim), help, card.1, &mut attack) {
                    return Some(Decision { board, card, attack });
                }
            }
            slice.pass(1);
        }
        None
    }

    /// Whether an attack without a card would reach an aim if this enemy were gone.
    fn is_reached_without(
        &mut self,
        victim: Option<Hex>,
        (board, aim): (usize, Aim),
        attack: &mut Attack,
    ) -> bool {
        let Some(view) = self.game.view(board) else { return false };
        if !aim.is_conceivable(&view) {
            return false;
        }
        let goals = aim.goals(&view);
        let mut left = view.board.clone();
        if let Some(victim) = victim {
            left.set_piece(victim, None);
        }
        let view = View { board: &left, ..view };
        self.ports.attack_planner().plan(&view, &goals, &[], attack) == Planned::Found
            && aim.is_reached(&view, attack)
    }

    /// Whether a card, `dealt` from this place of the row, makes an attack possible that reaches an aim: the one that is left in
    /// `attack`.
    fn decides(
        &mut self,
        (board, aim): (usize, Aim),
        help: Help,
        dealt: Option<u8>,
        attack: &mut Attack,
    ) -> bool {
        let Some(view) = self.game.view(board) else { return false };
        let mut goals = aim.goals(&view);
        help.put_first(&view, &mut goals);
        let foreseen = help.foreseen(&view);
        let foreseen = View { board: &foreseen, ..view };
        self.ports.attack_planner().plan(&foreseen, &goals, &[], attack) == Planned::Found
            && self.is_carried_out((board, aim), help, dealt, attack)
    }

    /// Whether an attack that was planned for a card reaches its aim with the card, wherever the target is pushed: the attack with
    /// the card is left in its place.
    // Apart, so that the copy of the plan is on the stack only here.
    #[inline(never)]
    fn is_carried_out(
        &mut self,
        (board, aim): (usize, Aim),
        help: Help,
        dealt: Option<u8>,
        attack: &mut Attack,
    ) -> bool {
        let planned = attack.clone();
        help.pushes().any(|help| {
            attack.clone_from(&planned);
            self.carry_out((board, aim), help, dealt, attack) == Some(true)
        })
    }

    /// Whether an attack that was planned for a card reaches its aim with the card; the attack with the card takes its place.
    /// `None` where the card cannot be played so.
    fn carry_out(
        &mut self,
        (board, aim): (usize, Aim),
        help: Help,
        dealt: Option<u8>,
        attack: &mut Attack,
    ) -> Option<bool> {
        let trial = self.draft.game.copy(self.game)?;
        if let Some(card) = dealt {
            let assign = GeneralAction::Assign { board: board as u8, card };
            trial.apply(Action::General(assign), &mut UndoLog::off()).ok()?;
        }
        help.play(trial, board as u8, attack)?;
        Some(aim.is_reached_at(&trial.view(board)?, attack))
    }

    /// Aims on a board that can still be attacked on: victory before defence.
    fn aims(&mut self, board: usize) -> Vec<Aim, 2, u8> {
        let (game, state, mut aims) = (&*self.game, self.game.state(), Vec::new());
        let Some(view) = game.view(board) else { return aims };
        let marks = view.board.marks();
        if marks.spawn_phase || marks.resigned || view.awaits_setup() {
            return aims;
        }
        let enemy = view.side.opponent();
        let short = |side| state.points(side).saturating_add(1) >= game.config().points_needed;
        let necromancer = view.board.iter(enemy).find(|(_, piece)| view.unit(*piece).necromancer);
        if short(view.side)
            && let Some((necromancer, _)) = necromancer
        {
            let _ = aims.push(Aim::Kill(necromancer));
        }
        if short(enemy) && !self.ports.attack_policy().menaces(game, board).seats.is_empty() {
            let _ = aims.push(Aim::Retake);
        }
        aims
    }

    /// A choice of the general that deals the card of a decision to its board: the most plausible one, where it does not, with the
    /// card dealt otherwise.
    fn deal(&mut self, decision: &Decision) -> Option<GeneralIndex> {
        let stages = self.stages;
        let candidates = &mut self.tree.lock(self.node).candidates;
        let best = most_plausible(candidates, stages)?;
        let Some(card) = decision.card.1 else { return Some(best) };
        let board = decision.board as u8;
        let others = candidates.actions(best).iter().copied().filter(|action| {
            !matches!(*action, Action::General(GeneralAction::Assign { board: to, card: dealt })
                if to == board || dealt == card)
        });
        let mut actions: GeneralActions = list::all(others).ok()?;
        actions.push(Action::General(GeneralAction::Assign { board, card })).ok()?;
        // What is expected of it is what the other one is worth, with the weight of one visit.
        let known = candidates.get(best);
        let stats = prior_of(Estimate { win: known.stats.mean(), error: known.stats.deviation() });
        let entry = GeneralCandidate { stats, prior: known.prior, ..GeneralCandidate::EMPTY };
        candidates.add_general(stages, entry, actions.iter().copied())
    }
}

/// The most plausible choice of the general.
// Apart, so that it is in the program once, whatever the ports.
#[inline(never)]
fn most_plausible(candidates: &Candidates<'_>, stages: u32) -> Option<GeneralIndex> {
    let listed = candidates.list(candidates.stages(stages).general);
    listed.max_by_key(|(index, known)| (known.prior, *index)).map(|(index, _)| index)
}

impl Aim {
    /// Enemies that a card could be cast on, those nearest to the necromancer first.
    fn victims(self, view: &View<'_>) -> Vec<Hex, { Hex::COUNT }, u8> {
        let enemy = view.side.opponent();
        match self {
            Aim::Kill(necromancer) => {
                let mut victims: Vec<Hex, { Hex::COUNT }, u8> =
                    list::first(view.board.iter(enemy).map(|(at, _)| at));
                sort_by_key(&mut victims, |at: &Hex| (at.distance(necromancer), *at));
                victims
            }
            Aim::Retake => list::first(view.board.graveyards(view.map, enemy)),
        }
    }

    /// Goals of the attack.
    fn goals(self, view: &View<'_>) -> Goals {
        match self {
            Aim::Kill(necromancer) => list::first([AttackGoal::Kill(necromancer)]),
            Aim::Retake => {
                let seats = view.board.graveyards(view.map, view.side.opponent());
                list::first(seats.iter().map(AttackGoal::Remove))
            }
        }
    }

    /// Whether an attack without cards could reach the aim if no enemy were in the way. It cannot where all friends that are
    /// near enough together do too little damage, and need not be planned.
    fn is_conceivable(self, view: &View<'_>) -> bool {
        let Aim::Kill(at) = self else { return true };
        let Ok(target) = view.enemy(at) else { return false };
        let unit = view.unit(target);
        let damage = view.board.iter(view.side).map(|(from, piece)| {
            let Ok(now) = view.ready_to_attack(piece) else { return 0 };
            let steps = if now.lumbering { 0 } else { view.steps_left(piece).unwrap_or(0) };
            let range = if unit.flying { now.range_flying } else { now.range };
            let leaps = view.board.tile(view.map, from) == TileType::Teleporter;
            if range == 0 || !leaps && from.distance(at) > steps.saturating_add(range) {
                return 0;
            }
            let hits = u32::from(now.num_attacks.saturating_sub(piece.attacks()));
            hits * match now.attack {
                MinionAttack::None => 0,
                MinionAttack::Damage(amount) => u32::from(amount),
                MinionAttack::Unsummon if unit.persistent => 1,
                MinionAttack::Deathtouch if unit.necromancer => 0,
                MinionAttack::Unsummon | MinionAttack::Deathtouch => u32::from(u16::MAX),
            }
        });
        let missing = view.current(target).defense.saturating_sub(target.damage()).max(1);
        damage.sum::<u32>() >= u32::from(missing)
    }

    /// Whether an attack that was planned on this board reaches the aim.
    fn is_reached(self, view: &View<'_>, attack: &Attack) -> bool {
        let Outline { killed, unsummoned, .. } = attack.outline;
        match self {
            Aim::Kill(necromancer) => killed.contains(necromancer),
            Aim::Retake => {
                let seats = view.board.graveyards(view.map, view.side.opponent());
                (seats - (killed | unsummoned)).len() < GRAVEYARDS_TO_WIN
            }
        }
    }

    /// Whether the aim is reached on the board after an attack.
    fn is_reached_at(self, after: &View<'_>, attack: &Attack) -> bool {
        match self {
            Aim::Kill(necromancer) => attack.outline.killed.contains(necromancer),
            Aim::Retake => after.board.graveyards(after.map, after.side.opponent()).len() < GRAVEYARDS_TO_WIN,
        }
    }
}

/// Cards that a board has or can be dealt, each name once.
fn cards(game: &Game, view: &View<'_>) -> Vec<Card, { SPELL_COUNT }, u8> {
    let mut cards: Vec<Card, { SPELL_COUNT }, u8> = Vec::new();
    let state = game.state();
    let hand = view.board.hand(view.side).iter().map(|&spell| (spell, None));
    let row = state.row().iter().zip(0..).filter(|&(_, card)| !state.is_taken(usize::from(card)));
    for card in hand.chain(row.map(|(&spell, card)| (spell, Some(card)))) {
        if cards.iter().all(|known| known.0 != card.0) {
            let _ = cards.push(card);
        }
    }
    cards
}
