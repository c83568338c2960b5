//! Composition of a turn: each stage selects a known candidate or makes a new one, and the turn is played as it
//! grows.

use core::mem;
use core::ops::ControlFlow;

use heapless::Vec;

use super::ports::{ATTACK_CAP, Evaluator, GeneralPolicy, Ports, SpawnPolicy};
use crate::list;
use crate::minions::tables::capacities::{BOARD_ACTION_CAP, GENERAL_ACTION_CAP};
use crate::minions::{Action, BoardAction, DraftMemory, Game, GeneralAction};
use crate::rng::Rng;
use crate::search::stats::{FULL_WEIGHT, Puct, Stats};
use crate::search::value::{CERTAIN, Estimate};

use super::arena::Index;
use super::candidates::{
    AttackIndex, Candidates, GeneralCandidate, GeneralIndex, SpawnCandidate, SpawnIndex, StageCandidate,
};
use super::explored::Explored;
use super::general_stage::{GeneralChoices, list_choices_in};
use super::options::SearchOptions;
use super::picks::Picks;
use super::play_actions::play;
use super::room::{GENERALS, generals_in};
use super::shared_tree::Access;
use super::spawn_stage::{SpawnActions, SpawnOptions, compose_spawn};

/// Choices of the general that the evaluator values, the most plausible ones, at most.
const ADVISED: usize = 8;

/// Actions of one general candidate, cards included.
pub(super) type GeneralActions = Vec<Action, GENERAL_ACTION_CAP, u8>;

/// Actions of one board.
pub(super) type BoardActions = Vec<BoardAction, BOARD_ACTION_CAP, u8>;

/// Actions of one candidate.
type CandidateActions = Vec<Action, ATTACK_CAP, u16>;

/// Spawn candidates of one attack for one sum of money and choice of techs at most. With four times as many for all of them a
/// new one is made only where none can be paid.
const SPAWNS: u32 = 12;

/// Widening of an attack's spawn candidates for one sum of money: the square of their number is at most this many sixteenths of
/// their visits.
const SPAWN_WIDENING: u32 = 19;

/// Noise on worths at most, in hundredths of a soul: far beyond any worth, and four times it is still a number.
const NOISE_CAP: i32 = 1 << 24;

/// The composition of one turn in one position.
pub(super) struct Composer<'a, T, P> {
    pub(super) tree: &'a mut T,
    pub(super) ports: &'a mut P,
    pub(super) options: &'a SearchOptions,
    /// Index of the position.
    pub(super) node: u32,
    /// Index of the stages of the position.
    pub(super) stages: u32,
    /// Whether the position is the root of the search.
    pub(super) is_root: bool,
    pub(super) game: &'a mut Game,
    /// Memory to try actions out in.
    pub(super) draft: &'a mut DraftMemory,
    pub(super) rng: Rng,
}

impl<'m, T: Access<'m>, P: Ports> Composer<'_, T, P> {
    /// Composes a turn and plays it, except for its end. `None` when a stage finds nothing at all.
    pub(super) fn compose(&mut self) -> Option<Picks> {
        let boards = self.game.config().num_boards();
        let mut picks = Picks::default();
        let (stages, options) = (self.stages, self.options);
        if self.tree.lock(self.node).candidates.stages(stages).general.is_none() {
            // The first turn comes whole and is not judged: many positions never see a second one.
            if self.draft_first_turn() {
                return self.adopt();
            }
        }
        self.ports.evaluator().begin(self.game);
        self.list_generals()?;
        if let ControlFlow::Break(turn) = self.card_turn() {
            return turn;
        }
        let general = self.play_selected(|candidates| explore_generals(candidates, stages, options));
        picks.general = general.filter(|&(_, played)| played)?.0;
        for board in 0..boards {
            picks.boards.get_mut(board)?.0 = self.pick_attack(board)?;
        }
        self.finish(&mut picks)?;
        Some(picks)
    }

    /// Completes a turn whose techs and attacks are played: splits the money and selects what each board does with it.
    pub(super) fn finish(&mut self, picks: &mut Picks) -> Option<()> {
        let split = self.split(picks);
        for board in 0..self.game.config().num_boards() {
            let souls = split.get(board).copied().unwrap_or(0);
            let slot = picks.boards.get_mut(board)?;
            slot.1 = self.pick_spawn(board, picks.general, slot.0, souls)?;
        }
        picks.plausibility = plausibility(&self.tree.lock(self.node).candidates, self.stages, picks);
        Some(())
    }

    /// Lists the general candidates of the position, unless they are listed. Where another thread is at it, what is known so
    /// far has to do.
    fn list_generals(&mut self) -> Option<()> {
        let most = {
            let candidates = &mut self.tree.lock(self.node).candidates;
            if mem::replace(&mut candidates.stages_mut(self.stages)?.listed, true) {
                return Some(());
            }
            generals_in(candidates)
        };
        self.list_most_plausible_generals(most)
    }

    /// Lists that many general candidates of the position.
    #[inline(never)]
    fn list_most_plausible_generals(&mut self, most: usize) -> Option<()> {
        let stages = self.stages;
        let mut found = GeneralChoices::new();
        list_choices_in(self.game, &mut self.draft.log(), self.ports.general_policy(), most, &mut found);
        let value = self.ports.evaluator().evaluate_begun(self.game);
        let mut listed: Vec<(u32, i32, GeneralActions), GENERALS, u8> = Vec::new();
        for (prior, choice) in &found {
            let choice = choice.iter().map(|&action| Action::General(action));
            let mut actions: GeneralActions = list::all(choice).ok()?;
            let advised = self.options.counsel && listed.len() < ADVISED;
            let win = self.try_general(&mut actions, advised).unwrap_or(value.win);
            listed.push((u32::from(*prior), win, actions)).ok()?;
        }
        let advised = ADVISED.min(listed.len());
        consult(listed.get_mut(..advised).unwrap_or_default());
        let sum: u32 = listed.iter().map(|entry| entry.0).sum();
        let plausible = |prior: u32| (u64::from(prior) * 65_535 / u64::from(sum.max(1))) as u16;
        let most = listed.iter().map(|entry| plausible(entry.0)).max().unwrap_or(u16::MAX);
        let candidates = &mut self.tree.lock(self.node).candidates;
        let adopted = candidates.stages(stages).general;
        if let Some(adopted) = candidates.get_mut(adopted) {
            adopted.prior = most;
            adopted.stats.merge(&prior_of(value));
        }
        // Stored from the least plausible on, advice aside, so that of equal ones the most plausible is met first.
        for &(prior, win, ref actions) in listed.iter().rev() {
            if !adopted.is_none() && candidates.actions(adopted) == actions {
                continue;
            }
            let stats = prior_of(Estimate { win, ..value });
            let entry = GeneralCandidate { stats, prior: plausible(prior), ..GeneralCandidate::EMPTY };
            candidates.add_general(stages, entry, actions.iter().copied())?;
        }
        Some(())
    }

    /// Adds cards to a choice of the general: every board gets the card with the greatest worth for it. Returns the
    /// win chance of the choice if it is `advised`. The game stays as it was.
    fn try_general(&mut self, actions: &mut GeneralActions, advised: bool) -> Option<i32> {
        let spells = self.game.config().rules.spells;
        if !spells && !advised {
            return None;
        }
        let log = &mut self.draft.log();
        let start = log.mark();
        for &action in actions.iter() {
            let _ = self.game.apply(action, log);
        }
        for board in 0..if spells { self.game.config().num_boards() } else { 0 } {
            let (game, general) = (&*self.game, self.ports.general_policy());
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
        let win = advised.then(|| self.ports.evaluator().evaluate_general(self.game).win);
        self.game.undo(start, log);
        win
    }

    /// Selects a spawn candidate of a board after an attack for that many souls, and plays it.
    #[inline(never)]
    fn pick_spawn(
        &mut self,
        board: usize,
        general: GeneralIndex,
        attack: AttackIndex,
        souls: u32,
    ) -> Option<SpawnIndex> {
        let exploration = self.options.stage_exploration;
        let (mut count, mut room) = (0, 0);
        let known = self.play_selected(|candidates| {
            room = room_after(candidates, attack);
            match offer_spawn(candidates, general, attack, souls, exploration) {
                Offer::Known(index) => Some(index),
                Offer::New(known) => {
                    count = known;
                    None
                }
            }
        });
        match known {
            Some((index, true)) => return Some(index),
            // It needs other cards: a new one, as far from the policy as any.
            Some((_, false)) => count = SPAWNS,
            None => {}
        }
        let mut actions = SpawnActions::new();
        // The first follows the policy, those after it stray ever further.
        let noise = self.options.noise.clamp(0, NOISE_CAP) * count.min(4) as i32 / 4;
        let options =
            SpawnOptions { assignment: self.options.assignment, spells: self.options.spells, noise, room };
        let (policy, rng) = (self.ports.spawn_policy(), &mut self.rng);
        policy.begin_finish(count);
        let spent =
            compose_spawn(self.game, board as u8, souls, policy, options, rng, self.draft, &mut actions);
        self.add_spawn(board, general, attack, (souls, spent, count == 0), &actions)
    }

    /// Selects a candidate, if there is one to select, and plays it if it is legal; otherwise changes nothing. Returns
    /// it and whether it was played. A candidate with cards may be illegal: it may have been made with another general
    /// candidate, which gave the board other cards.
    // Apart, so that the copy of the actions is off the stack again.
    #[inline(never)]
    pub(super) fn play_selected<C: StageCandidate>(
        &mut self,
        select: impl FnOnce(&Candidates<'_>) -> Option<Index<C>>,
    ) -> Option<(Index<C>, bool)> {
        let (index, actions) = selected(self.tree, self.node, select)?;
        let Some(actions) = actions else { return Some((index, false)) };
        let uses_cards = |action: &Action| {
            matches!(action, Action::Board(_, BoardAction::Cast { .. } | BoardAction::Discard { .. }))
        };
        if !actions.iter().any(uses_cards) {
            return Some((index, play(self.game, &actions).is_some()));
        }
        let Some(trial) = self.draft.game.copy(self.game) else { return Some((index, false)) };
        let legal = play(trial, &actions).is_some();
        if legal {
            self.game.go_to(trial.state());
        }
        Some((index, legal))
    }

    /// Adds a spawn candidate that has just been played, with the souls it was given and those it spent. The first one for its
    /// money is not added where another thread has found the same in the meantime; later ones count even if noise changed nothing.
    pub(super) fn add_spawn(
        &mut self,
        board: usize,
        general: GeneralIndex,
        attack: AttackIndex,
        (given, spent, is_first): (u32, u32, bool),
        actions: &[BoardAction],
    ) -> Option<SpawnIndex> {
        let entry = SpawnCandidate {
            general,
            given: given.min(u32::from(u16::MAX)) as u16,
            spent: spent.min(u32::from(u16::MAX)) as u16,
            ..SpawnCandidate::EMPTY
        };
        let actions = actions.iter().map(|&action| Action::Board(board as u8, action));
        let candidates = &mut self.tree.lock(self.node).candidates;
        let twin = |index: SpawnIndex, known: &SpawnCandidate| {
            (known.general, known.given, known.spent) == (general, entry.given, entry.spent)
                && candidates.actions(index).iter().copied().eq(actions.clone())
        };
        let newest = candidates.get(attack).spawns;
        let known = candidates.list(newest).find(|&(index, known)| is_first && twin(index, known));
        match known {
            Some((index, _)) => Some(index),
            None => candidates.add_spawn(attack, entry, actions),
        }
    }
}

/// Actions of a board that an attack leaves room for in a turn.
// Apart, so that it is in the program once, whatever the ports.
#[inline(never)]
fn room_after(candidates: &Candidates<'_>, attack: AttackIndex) -> usize {
    BOARD_ACTION_CAP.saturating_sub(candidates.actions(attack).len())
}

/// Multiplies the plausibility of choices of the general by a factor of their win chances: a sixteenth of a game
/// above the average doubles it.
fn consult(listed: &mut [(u32, i32, GeneralActions)]) {
    let sum: i64 = listed.iter().map(|entry| i64::from(entry.1)).sum();
    let mean = sum / (listed.len() as i64).max(1);
    for (prior, win, _) in listed {
        let factor = i64::from(CERTAIN) + 16 * (i64::from(*win) - mean);
        let factor = factor.clamp(i64::from(CERTAIN) / 8, i64::from(CERTAIN) * 8);
        *prior = (i64::from(*prior) * factor / i64::from(CERTAIN)).max(1) as u32;
    }
}

/// Selects the general candidate to explore.
fn explore_generals(
    candidates: &Candidates<'_>,
    stages: u32,
    options: &SearchOptions,
) -> Option<GeneralIndex> {
    explore(candidates, candidates.stages(stages).general, options, &[])
}

/// Selects the candidate of a list to explore, except those in `refused`: by PUCT, or by priors alone without
/// feedback.
pub(super) fn explore<T: Explored>(
    candidates: &Candidates<'_>,
    first: Index<T>,
    options: &SearchOptions,
    refused: &[Index<T>],
) -> Option<Index<T>> {
    let total: u64 = candidates.list(first).map(|(_, known)| u64::from(known.stats().weight())).sum();
    let open = candidates.list(first).filter(|(index, known)| !known.is_pruned() && !refused.contains(index));
    let puct = Puct::new(total, options.stage_exploration);
    let worth = |known: &T| {
        if options.feedback {
            i64::from(known.fair_mean()) + puct.bonus(known.stats().weight(), u32::from(known.prior()))
        } else {
            i64::from(known.prior())
        }
    };
    // The newest come first in a list; of equals the oldest is taken.
    open.max_by_key(|(index, known)| (worth(known), core::cmp::Reverse(*index))).map(|(index, _)| index)
}

/// Product over the stages of each candidate's prior as a share of the best one's.
fn plausibility(candidates: &Candidates<'_>, stages: u32, picks: &Picks) -> u16 {
    let stages = candidates.stages(stages);
    let mut product = share_of_best(candidates, stages.general, picks.general);
    for (board, &(attack, spawn)) in stages.boards.iter().zip(&picks.boards) {
        if attack.is_none() {
            break;
        }
        product = product * share_of_best(candidates, board.attacks, attack) / 65_535;
        // Spawn candidates made later stray further from the policy; the list begins with the newest.
        let age = candidates.list(spawn).skip(1).count() as u64;
        product = product * 4 / (4 + age.min(8));
    }
    product as u16
}

/// The prior of a candidate as a share of the largest prior of its list, 0..=65,535.
fn share_of_best<T: Explored>(candidates: &Candidates<'_>, first: Index<T>, index: Index<T>) -> u64 {
    let best = candidates.list(first).map(|(_, known)| known.prior()).max().unwrap_or(1).max(1);
    u64::from(candidates.get(index).prior()) * 65_535 / u64::from(best)
}

/// Selection of the spawn stage.
enum Offer {
    /// A known candidate.
    Known(SpawnIndex),
    /// A new one, beyond this many for the same money.
    New(u32),
}

/// Selects a spawn candidate by PUCT, or a new one. Drawing known ones by chance, as seed 000 has it, wins nothing
/// (docs/search-history.md).
fn offer_spawn(
    candidates: &Candidates<'_>,
    general: GeneralIndex,
    attack: AttackIndex,
    souls: u32,
    exploration: u32,
) -> Offer {
    let attack = candidates.get(attack);
    let same = |known: &SpawnCandidate| known.general == general && near(known.given, souls);
    let (mut count, mut visits, mut weight) = (0u32, 0u32, 0u64);
    for (_, known) in candidates.list(attack.spawns).filter(|(_, known)| same(known)) {
        count += 1;
        visits += known.stats.visits();
        weight += u64::from(known.stats.weight());
    }
    let mut best: Option<(i64, SpawnIndex)> = None;
    let expected = attack.stats.mean();
    let puct = Puct::new(weight, exploration);
    // The list begins with the newest; the oldest follows the policy most closely.
    for (order, (index, known)) in candidates.list(attack.spawns).filter(|(_, known)| same(known)).enumerate()
    {
        let prior = 65_536 / (2 + count - order as u32).max(1);
        let bound = puct.value(&known.stats, expected, prior);
        if u32::from(known.spent) <= souls && best.is_none_or(|best| bound >= best.0) {
            best = Some((bound, index));
        }
    }
    let total = candidates.list(attack.spawns).count() as u32;
    match best {
        Some((_, index))
            if 16 * count * count > SPAWN_WIDENING.saturating_mul(visits)
                || total >= SPAWNS * 4
                || count >= SPAWNS =>
        {
            Offer::Known(index)
        }
        _ => Offer::New(count),
    }
}

/// Whether a spawn candidate made for one sum of souls serves another sum.
fn near(given: u16, souls: u32) -> bool {
    u32::from(given).abs_diff(souls) <= 1 + souls / 8
}

/// The prior of a candidate: the evaluator's estimate, with the weight of one visit.
pub(super) fn prior_of(estimate: Estimate) -> Stats {
    Stats::prior(estimate.win, estimate.error, FULL_WEIGHT)
}

/// Plays the actions of a candidate of a position.
pub(super) fn replay<'m, T: StageCandidate>(
    tree: &mut impl Access<'m>,
    node: u32,
    index: Index<T>,
    game: &mut Game,
) -> Option<()> {
    let (_, actions) = selected(tree, node, |_| Some(index))?;
    play(game, &actions?)
}

/// Candidate of a position, and a copy of its actions if they fit, so that the tree is locked once and not while they are
/// played.
fn selected<'m, T: StageCandidate>(
    tree: &mut impl Access<'m>,
    node: u32,
    select: impl FnOnce(&Candidates<'_>) -> Option<Index<T>>,
) -> Option<(Index<T>, Option<CandidateActions>)> {
    let candidates = &tree.lock(node).candidates;
    let index = select(candidates)?;
    Some((index, CandidateActions::from_slice(candidates.actions(index)).ok()))
}
