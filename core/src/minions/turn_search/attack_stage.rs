//! The attack stage of a turn that is being composed: a known attack, or a new one of one of the families.

use heapless::Vec;

use super::ports::{Attack, AttackPlanner, AttackPolicy, Evaluator, Menaces, Outline, Planned, Ports, Stage};
use crate::list;
use crate::minions::{Action, Board, BoardAction, View};
use crate::rng::Rng;
use crate::search::stats::Stats;
use crate::search::value::CERTAIN;

use super::attack_families::{Experience, goals, learn};
use super::candidates::{AttackCandidate, AttackIndex, BoardStages, Candidates};
use super::compose::{Composer, explore, prior_of};
use super::explored::Compared as _;
use super::family::Family;
use super::options::SearchOptions;
use super::play_actions::play_board;
use super::shared_tree::Access;
use super::spell_finish;

/// Attack candidates of one board in one position at most.
pub(super) const ATTACKS: u32 = 24;

/// Requests of a board from which on a failed spell finish exhausts its family.
const SPELL_REQUESTS: u8 = 40;

impl<'m, T: Access<'m>, P: Ports> Composer<'_, T, P> {
    /// Selects an attack of a board and plays it.
    #[inline(never)]
    pub(super) fn pick_attack(&mut self, board: usize) -> Option<AttackIndex> {
        let (stages, options) = (self.stages, self.options);
        let mut refused: Vec<AttackIndex, { ATTACKS as usize }, u8> = Vec::new();
        let mut may_ask = true;
        loop {
            // The number of attacks where another one is wanted, and whether the one selected was evaluated.
            let (mut wanted, mut evaluated) = (None, false);
            let known = self.play_selected(|candidates| {
                let attacks = candidates.board(stages, board).attacks;
                let count = candidates.list(attacks).count() as u32;
                let visits: u32 = candidates.list(attacks).map(|(_, known)| known.stats.visits()).sum();
                if may_ask && (count == 0 || count < ATTACKS && count * count <= 1 + visits) {
                    wanted = Some(count);
                    return None;
                }
                let best = explore_attacks(candidates, stages, board, options, &refused)?;
                evaluated = candidates.get(best).evaluated;
                Some(best)
            });
            may_ask = false;
            if let Some(count) = wanted {
                if let Some(index) = self.new_attack(board, count) {
                    return Some(index);
                }
                continue;
            }
            if let Some((index, true)) = known {
                if !evaluated {
                    self.judge_attack(board, index);
                }
                return Some(index);
            }
            // Where all that is known needs cards that this choice of the general does not give, peace needs none.
            if known.is_none_or(|(index, _)| refused.push(index).is_err()) {
                return self.add_attack(board, &[], Outline::default(), Family::Peace);
            }
        }
    }

    /// Requests an attack that is not a candidate yet, and plays it.
    #[inline(never)]
    fn new_attack(&mut self, board: usize, count: u32) -> Option<AttackIndex> {
        let stages = self.stages;
        let known = {
            let tree = &mut self.tree.lock(self.node);
            let stage = tree.candidates.board_mut(stages, board)?;
            let known = *stage;
            stage.asked = stage.asked.saturating_add(1);
            known
        };
        let family = self.family(board, count, &known)?;
        let mut attack = Attack::default();
        let planned = match family {
            Family::Resignation => {
                let _ = attack.actions.push(BoardAction::Resign);
                Planned::Found
            }
            _ => self.plan(board, &known, (family, count), &mut attack)?,
        };
        match planned {
            Planned::Found => {}
            Planned::NoMore | Planned::Unknown if count > 0 => {
                let tree = &mut self.tree.lock(self.node);
                let stage = tree.candidates.board_mut(stages, board)?;
                // Another card or target may do where this one did not.
                let spent = family != Family::Spells || stage.asked > SPELL_REQUESTS;
                match planned {
                    Planned::NoMore => stage.complete = true,
                    _ if spent => stage.exhausted.insert(family),
                    _ => {}
                }
                stage.complete |= stage.exhausted.is_full();
                return None;
            }
            // Nothing can be planned on this board: no piece fights.
            Planned::NoMore | Planned::Unknown => {
                attack = Attack::default();
            }
        }
        play_board(self.game, board as u8, &attack.actions)?;
        if family == Family::Resignation {
            self.tree.lock(self.node).candidates.board_mut(stages, board)?.exhausted.insert(family);
        }
        self.add_attack(board, &attack.actions, attack.outline, family)
    }

    /// Plans an attack of a family that differs from all candidates.
    #[inline(never)]
    fn plan(
        &mut self,
        board: usize,
        known: &BoardStages,
        (family, count): (Family, u32),
        attack: &mut Attack,
    ) -> Option<Planned> {
        let learns = self.options.feedback && count > 1;
        // Filled where they stand, since they are large. Attacks around cards or of other threads may be more than fit: then one
        // that is known may be found again, and is not added twice.
        let mut forbidden: Vec<Outline, { ATTACKS as usize }, u8> = Vec::new();
        {
            let candidates = &self.tree.lock(self.node).candidates;
            let outlines = candidates.list(known.attacks).map(|(_, known)| known.outline);
            let _ = list::append(&mut forbidden, outlines);
        }
        let view = self.game.view(board)?;
        if view.board.marks().spawn_phase || view.board.marks().resigned {
            return Some(Planned::NoMore);
        }
        let modes = self.ports.attack_policy().modes();
        let mode = match family {
            Family::Mode(mode) => mode,
            Family::Noise(noise) => noise % modes.max(1),
            _ => 0,
        };
        let mut fates = self.ports.attack_policy().prophesy(self.game, board, mode);
        if learns {
            // Off the stack again before the planner is asked.
            let mut experiences: Experiences = Vec::new();
            add_experiences(&self.tree.lock(self.node).candidates, known.attacks, &mut experiences);
            learn(&mut fates, &experiences);
        }
        // Another card or target each time, also after a request that failed.
        let salt = if family == Family::Spells { u64::from(known.asked) << 40 } else { 0 };
        let mut dice = Rng::new(
            self.options.seed ^ u64::from(self.game.state().turn()) << 8 ^ u64::from(family.number()) ^ salt,
        );
        let menaces = match family {
            Family::Defence => self.ports.attack_policy().menaces(self.game, board),
            _ => Menaces::default(),
        };
        let mut goals = goals(&view, &fates, &menaces, family, &mut dice);
        if family != Family::Spells {
            return Some(self.ports.attack_planner().plan(&view, &goals, &forbidden, attack));
        }
        // A plan without a cast is no new attack, and exhausted plans with a card say nothing of plans without one.
        let Some(help) = spell_finish::choose(&view, &mut dice) else { return Some(Planned::Unknown) };
        let foreseen: Board = help.foreseen(&view);
        help.put_first(&view, &mut goals);
        let planned =
            self.ports.attack_planner().plan(&View { board: &foreseen, ..view }, &goals, &forbidden, attack);
        let done = planned == Planned::Found
            && self
                .draft
                .game
                .copy(self.game)
                .is_some_and(|trial| help.play(trial, board as u8, attack).is_some());
        Some(if done { Planned::Found } else { Planned::Unknown })
    }

    /// Adds an attack that has just been played, with its value.
    pub(super) fn add_attack(
        &mut self,
        board: usize,
        actions: &[BoardAction],
        outline: Outline,
        family: Family,
    ) -> Option<AttackIndex> {
        let estimate = self.ports.evaluator().evaluate_board(self.game, board, Stage::AfterAttack);
        let entry = AttackCandidate {
            stats: prior_of(estimate),
            family,
            evaluated: true,
            outline,
            curve: self.ports.evaluator().curve(self.game, board),
            ..AttackCandidate::EMPTY
        };
        self.keep_attack(board, entry, actions)
    }

    /// Adds an attack of a whole turn that has just been played, without a value.
    pub(super) fn add_unjudged(
        &mut self,
        board: usize,
        actions: &[BoardAction],
        outline: Outline,
    ) -> Option<AttackIndex> {
        let family = Family::WholeTurn;
        self.keep_attack(board, AttackCandidate { family, outline, ..AttackCandidate::EMPTY }, actions)
    }

    /// Evaluates an attack that has just been played and was not evaluated before.
    fn judge_attack(&mut self, board: usize, attack: AttackIndex) {
        let estimate = self.ports.evaluator().evaluate_board(self.game, board, Stage::AfterAttack);
        let curve = self.ports.evaluator().curve(self.game, board);
        let prior = prior_of(estimate);
        let tree = &mut self.tree.lock(self.node);
        if let Some(known) = tree.candidates.get_mut(attack).filter(|known| !known.evaluated) {
            known.evaluated = true;
            known.curve = curve;
            known.stats.merge(&prior);
        }
    }

    fn keep_attack(
        &mut self,
        board: usize,
        entry: AttackCandidate,
        actions: &[BoardAction],
    ) -> Option<AttackIndex> {
        let actions = actions.iter().map(|&action| Action::Board(board as u8, action));
        let stages = self.stages;
        let candidates = &mut self.tree.lock(self.node).candidates;
        let next = candidates.board(stages, board).attacks;
        // Another thread may have found the same in the meantime.
        let twin = |index: AttackIndex, known: &AttackCandidate| {
            known.outline == entry.outline && candidates.actions(index).iter().copied().eq(actions.clone())
        };
        if let Some((known, _)) = candidates.list(next).find(|&(index, known)| twin(index, known)) {
            return Some(known);
        }
        let index = candidates.add(entry, next, actions)?;
        candidates.board_mut(stages, board)?.attacks = index;
        share_priors(candidates, index);
        Some(index)
    }

    /// Family of the next request. First the prophecy as it is, peace, and on a board in danger the defence and, last
    /// of these, resignation; the other modes of the prophecy, where none of these came instead; then refinements of the best
    /// attack so far (fine), noisy prophecies (coarse) and spells by turns, as far as they are allowed and not exhausted. `None`
    /// where no plan is left, and no card either.
    fn family(&mut self, board: usize, count: u32, known: &BoardStages) -> Option<Family> {
        let open = |family: Family| !known.exhausted.contains(family);
        if known.asked == 0 {
            return Some(Family::Foretold);
        }
        let plans = !known.complete;
        if known.asked == 1 && open(Family::Peace) && plans {
            return Some(Family::Peace);
        }
        if matches!(known.asked, 2 | 4) {
            let menaces = self.ports.attack_policy().menaces(self.game, board);
            if known.asked == 2 && self.options.defence && menaces.is_danger() && plans {
                return Some(Family::Defence);
            }
            if known.asked == 4 && menaces.lethal && self.may_resign() && open(Family::Resignation) {
                return Some(Family::Resignation);
            }
        }
        let mode = known.asked.saturating_sub(1);
        if (1..self.ports.attack_policy().modes()).contains(&mode) && plans {
            return Some(Family::Mode(mode));
        }
        let helped = self.options.spells
            && open(Family::Spells)
            && self.game.view(board).is_some_and(|view| spell_finish::may_help(&view));
        if !helped && !plans {
            return None;
        }
        let (best, rates) = {
            let candidates = &self.tree.lock(self.node).candidates;
            let rates = self.options.rates.then(|| RefinementRates::of(candidates, known.attacks));
            (best_family(candidates, known.attacks), rates.unwrap_or(RefinementRates::EVEN))
        };
        if helped && (!plans || self.rng.chance(rates.spells, rates.sum())) {
            return Some(Family::Spells);
        }
        // What spells or a whole turn found is refined as the prophecy is: their own requests ask for other things each time.
        let family = match best {
            Family::Spells | Family::Resignation | Family::WholeTurn => Family::Foretold,
            family => family,
        };
        let fine = self.options.fine && open(family);
        let fresh = Family::noises_after(count).find(|&noise| self.options.coarse && open(noise));
        match (fine, fresh) {
            (true, Some(fresh)) => {
                let again = self.rng.chance(rates.fine, rates.fine + rates.coarse);
                Some(if again { family } else { fresh })
            }
            (true, None) => Some(family),
            (false, Some(fresh)) => Some(fresh),
            // Where noise is used up, or not asked for, there is still the prophecy as turns have corrected it.
            (false, None) if self.options.fine || self.options.coarse => {
                open(Family::Foretold).then_some(Family::Foretold)
            }
            (false, None) => None,
        }
    }

    /// Whether the resignation of a board would not lose the game.
    fn may_resign(&self) -> bool {
        let enemy = self.game.side_to_move().opponent();
        let next = self.game.state().points(enemy).saturating_add(1);
        self.options.resignation && next < self.game.config().points_needed
    }
}

/// Selects the attack candidate of a board to explore, except those in `refused`.
fn explore_attacks(
    candidates: &Candidates<'_>,
    stages: u32,
    board: usize,
    options: &SearchOptions,
    refused: &[AttackIndex],
) -> Option<AttackIndex> {
    explore(candidates, candidates.board(stages, board).attacks, options, refused)
}

/// The family of the attack of a list with the highest mean; of several the newest counts.
fn best_family(candidates: &Candidates<'_>, first: AttackIndex) -> Family {
    let best = candidates.list(first).max_by_key(|(index, known)| (known.fair_mean(), *index));
    best.map_or(Family::Foretold, |(_, known)| known.family)
}

/// Success rates of what the attacks of a list came from, in 1/65,536: how many are better than the average of the list, one
/// success and one failure added to each kind (seed 001, "track refinement success rates").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RefinementRates {
    /// Fine refinements: requests of a family that had an attack already.
    fine: u32,
    /// Coarse refinements: first requests of a family with noise, which are the new families.
    coarse: u32,
    /// Requests with a card.
    spells: u32,
}

impl RefinementRates {
    /// Equal rates.
    const EVEN: RefinementRates = RefinementRates { fine: 1, coarse: 1, spells: 1 };

    fn of(candidates: &Candidates<'_>, first: AttackIndex) -> RefinementRates {
        let mut all = Stats::default();
        for (_, known) in candidates.list(first) {
            all.merge(&known.stats);
        }
        let (mut fine, mut coarse, mut spells) = ((1, 2), (1, 2), (1, 2));
        for (index, known) in candidates.list(first) {
            let refines = |(_, older): (AttackIndex, &AttackCandidate)| older.family == known.family;
            let count = match known.family {
                Family::Spells => &mut spells,
                Family::Resignation | Family::WholeTurn => continue,
                _ if candidates.list(index).skip(1).any(refines) => &mut fine,
                Family::Noise(_) => &mut coarse,
                _ => continue,
            };
            count.0 += u32::from(known.fair_mean() > all.mean());
            count.1 += 1;
        }
        let rate = |(successes, requests): (u32, u32)| (successes << 16) / requests.max(1);
        RefinementRates { fine: rate(fine), coarse: rate(coarse), spells: rate(spells) }
    }

    /// Sum of the rates.
    fn sum(self) -> u32 {
        self.fine + self.coarse + self.spells
    }
}

/// Experiences with the attacks of a board.
type Experiences = Vec<Experience, { ATTACKS as usize }, u8>;

/// Adds the experience with the attacks of a list.
fn add_experiences(candidates: &Candidates<'_>, first: AttackIndex, experiences: &mut Experiences) {
    let mut all = Stats::default();
    for (_, known) in candidates.list(first) {
        all.merge(&known.stats);
    }
    let experience = |(_, known): (AttackIndex, &AttackCandidate)| Experience {
        outline: known.outline,
        gain: known.fair_mean() - all.mean(),
        weight: known.stats.visits(),
    };
    let _ = list::append(experiences, candidates.list(first).map(experience));
}

/// Sets the priors of the attacks of a list, in proportion to how far their values are above the worst.
fn share_priors(candidates: &mut Candidates<'_>, first: AttackIndex) {
    let values = candidates.list(first).map(|(index, known)| (index, known.stats.mean()));
    let values: Vec<(AttackIndex, i32), { ATTACKS as usize + 1 }, u8> = list::first(values);
    let lowest = values.iter().map(|entry| entry.1).min().unwrap_or(0);
    let weight = |value: i32| i64::from(value - lowest) + i64::from(CERTAIN) / 64;
    let sum: i64 = values.iter().map(|entry| weight(entry.1)).sum();
    for &(index, value) in &values {
        if let Some(known) = candidates.get_mut(index) {
            known.prior = (weight(value) * 65_535 / sum.max(1)) as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::Slot;
    use super::super::candidates::{GeneralCandidate, MoneyCandidate, SpawnCandidate, Stages};
    use super::super::picks::Picks;
    use super::super::slices::{MemoryUsage, SearchSlices};
    use super::*;
    use crate::minions::GeneralAction;
    use crate::search::stats::FULL_WEIGHT;
    use crate::search::tree::{Edge, Node};

    #[test]
    fn refinements_succeed_where_they_are_better_than_the_average() {
        let memory = SearchSlices {
            nodes: &mut [Node::EMPTY],
            edges: &mut [Edge::vacant(Picks::default())],
            table: &mut [0; 2],
            stages: &mut [Stages::EMPTY],
            generals: &mut [Slot::<GeneralCandidate>::EMPTY],
            attacks: &mut [Slot::<AttackCandidate>::EMPTY; 9],
            money: &mut [Slot::<MoneyCandidate>::EMPTY],
            spawns: &mut [Slot::<SpawnCandidate>::EMPTY],
            actions: &mut [Action::General(GeneralAction::Sell); 1],
        };
        let mut candidates = memory.into_parts(MemoryUsage::default()).1;
        let mut first = AttackIndex::NONE;
        let mut rates_with = |family, percent: i32| {
            let mut entry = AttackCandidate { family, ..AttackCandidate::EMPTY };
            entry.stats.add(percent * CERTAIN / 100, FULL_WEIGHT);
            first = candidates.add(entry, first, []).unwrap();
            let RefinementRates { fine, coarse, spells } = RefinementRates::of(&candidates, first);
            [fine, coarse, spells]
        };
        let (half, third) = (1 << 15, 65_536 / 3);
        assert_eq!(rates_with(Family::WholeTurn, 50), [half; 3]);
        assert_eq!(rates_with(Family::Foretold, 40), [half; 3]);
        // The same family again is a fine refinement, noise for the first time a coarse one, a card by itself.
        assert_eq!(rates_with(Family::Foretold, 60), [2 * 65_536 / 3, half, half]);
        assert_eq!(rates_with(Family::Noise(0), 30), [2 * 65_536 / 3, third, half]);
        assert_eq!(rates_with(Family::Noise(0), 70), [3 * 65_536 / 4, third, half]);
        assert_eq!(rates_with(Family::Noise(1), 20), [3 * 65_536 / 4, 65_536 / 4, half]);
        assert_eq!(rates_with(Family::Spells, 42), [3 * 65_536 / 4, 65_536 / 4, third]);
        assert_eq!(rates_with(Family::Spells, 80), [3 * 65_536 / 4, 65_536 / 4, half]);
        assert_eq!(rates_with(Family::Resignation, 90), [3 * 65_536 / 4, 65_536 / 4, half]);
    }
}
