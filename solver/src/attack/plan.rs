//! Planning: from goals by the solver's model to a plan whose actions are in order of play.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::list;
use barrow_core::minions::BoardAction;
use barrow_core::sort::sort_by_key;
use heapless::Vec;

use super::constraint_sink::{CountingSink, SolverSink};
use super::elements::{Friend, Hit, ModeKind};
use super::encode::{encode, stopover_lits};
use super::lits::following;
use super::margin::with_margin;
use super::model::{AttackModel, PIECE_CAP, full};
use super::recording::{self, Recording};
use crate::cdcl::{Answer, Budget, Capacity, Limits, Lit, MAX_CLOCKS, Resource, Solver};

/// Most actions of one attack. Only boards of many pieces with many attacks each could need more.
pub const PLAN_CAP: usize = 240;

/// Goal for the outcome of an attack (seed 000 "prophecy"); pieces are named by the hexes they stand on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The enemy piece is removed, by whatever means.
    Remove(Hex),
    /// The enemy piece is killed.
    Kill(Hex),
    /// The enemy piece is unsummoned.
    Unsummon(Hex),
    /// The enemy piece is left alone or survives.
    Spare(Hex),
    /// The friendly piece does not fight.
    Passive(Hex),
    /// The friendly piece fights from this hex.
    FightFrom(Hex, Hex),
    /// The friendly piece goes to this other hex without fighting, and stays there. Only for pieces that
    /// [`AttackModel::with_movers`] was given.
    Occupy(Hex, Hex),
}

/// Plan of an attack, in order of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttackPlan {
    /// Actions on the board that the game accepts.
    pub actions: Vec<BoardAction, PLAN_CAP, u8>,
    /// Enemy pieces that the plan kills.
    pub killed: HexSet,
    /// Enemy pieces that the plan unsummons.
    pub unsummoned: HexSet,
    /// Friendly pieces that attack, by the hexes they start on.
    pub fighters: HexSet,
}

/// Literals of goals, the most important first.
pub(super) type Wishes = Vec<Lit, { 4 * PIECE_CAP }, u16>;

/// Literals that distinguish attacks.
pub(super) type Signature = Vec<Lit, { 3 * PIECE_CAP }, u16>;

/// Answer to a request for a plan.
// A plan is returned once and taken apart at once; there is no allocator to box it with.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanAnswer {
    /// The best plan for the goals in their order.
    Plan(AttackPlan),
    /// All plans are forbidden.
    NoMore,
    /// The conflict budget ran out.
    Unknown,
}

/// Equivalence of plans, from coarse to fine: each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Equivalence {
    /// The same enemies are killed, the same are unsummoned.
    Removals,
    /// The same friends fight.
    Fighters,
    /// The same friends fight from the same hexes.
    FightingHexes,
    /// The same friends step aside to the same hexes, and the same blink away.
    Everything,
}

/// Planner of attacks on one board, in memory that the caller lends.
pub struct AttackSolver<'m, 's> {
    pub(super) model: &'s AttackModel<'s>,
    pub(super) solver: Solver<'m>,
    /// Words of memory taken.
    pub(super) words: usize,
}

/// Limits of the solver for a model, with room for blocking clauses.
///
/// # Errors
/// When the model is too large to be encoded.
pub fn limits_for(model: &AttackModel<'_>) -> Result<Limits, Capacity> {
    let mut count = CountingSink::new();
    encode(model, &mut count)?;
    Ok(with_margin(count.limits))
}

/// Words that [`AttackSolver::new`] needs for a model.
///
/// # Errors
/// When the model is too large to be encoded.
pub fn memory_for(model: &AttackModel<'_>) -> Result<usize, Capacity> {
    limits_for(model).map(|limits| limits.words())
}

impl<'m, 's> AttackSolver<'m, 's> {
    /// Encodes a model into a solver.
    ///
    /// # Errors
    /// When the limits or the memory are too small.
    pub fn new(model: &'s AttackModel<'s>, limits: &Limits, memory: &'m mut [u32]) -> Result<Self, Capacity> {
        let mut solver = Solver::new(memory, limits)?;
        encode(model, &mut SolverSink { solver: &mut solver })?;
        Ok(AttackSolver { model, solver, words: limits.words() })
    }

    /// Encodes a model into a solver of the size that it needs. This is faster than [`limits_for`] and
    /// [`AttackSolver::new`], as the model is encoded once, if the memory has room for a recording of it as well.
    ///
    /// # Errors
    /// When the memory is too small, and how many words suffice.
    pub fn prepare(model: &'s AttackModel<'s>, memory: &'m mut [u32]) -> Result<Self, Capacity> {
        AttackSolver::prepare_with(model, memory, |limits, _| with_margin(limits))
    }

    /// Encodes a model as [`AttackSolver::prepare`] does, with a margin of its own to what the constraints take,
    /// from these limits and the words that there are.
    // Apart, so that the stack of the caller does not hold what only this needs.
    #[inline(never)]
    pub(super) fn prepare_with(
        model: &'s AttackModel<'s>,
        memory: &'m mut [u32],
        margin: fn(Limits, usize) -> Limits,
    ) -> Result<Self, Capacity> {
        let (least, len) = record(model, memory)?;
        // A recording is worth more than a wider margin: without it the model is encoded several times.
        let left = |len: &usize| memory.len().saturating_sub(*len);
        let len = len.filter(|len| margin(least, left(len)).words() <= left(len));
        let limits = margin(least, left(&len.unwrap_or(0)));
        let words = len.unwrap_or(0).saturating_add(limits.words());
        let (paper, room) = memory.split_at_mut(len.unwrap_or(0).min(memory.len()));
        let solver = Solver::new(room, &limits)?;
        let mut planner = AttackSolver { model, solver, words };
        match len {
            Some(_) => recording::replay(paper, &mut SolverSink { solver: &mut planner.solver })?,
            None => recording::encode_in_parts(model, &mut planner.solver)?,
        }
        Ok(planner)
    }
}

/// Records the constraints of a model in memory. Returns the least limits of a solver for them, which are counted
/// meanwhile, and the words written if they fit.
#[inline(never)]
fn record(model: &AttackModel<'_>, memory: &mut [u32]) -> Result<(Limits, Option<usize>), Capacity> {
    let mut recording = Recording::new(memory);
    encode(model, &mut recording)?;
    Ok((recording.count.limits, recording.len()))
}

impl AttackSolver<'_, '_> {
    /// Literal of a goal; none when the goal is about pieces that cannot take part.
    pub(super) fn lit(&self, goal: Goal) -> Option<Lit> {
        let foe = |at: Hex| self.model.foes.iter().find(|foe| foe.at == at).map(|foe| &foe.lits);
        let friend = |at: Hex| self.model.friends.iter().find(|friend| friend.at == at);
        match goal {
            Goal::Remove(at) => Some(foe(at)?.removed),
            Goal::Kill(at) => foe(at)?.killed,
            Goal::Unsummon(at) => foe(at)?.unsummoned,
            Goal::Spare(at) => Some(!foe(at)?.removed),
            Goal::Passive(at) => Some(friend(at)?.lits.passive),
            Goal::FightFrom(at, from) => self.mode_lit(friend(at)?, from, true),
            Goal::Occupy(at, to) if at == to => None,
            Goal::Occupy(at, to) => self.mode_lit(friend(at)?, to, false),
        }
    }

    /// Literal of the mode in which a friend fights from a hex, or steps aside to it.
    fn mode_lit(&self, friend: &Friend, hex: Hex, fights: bool) -> Option<Lit> {
        let modes = self.model.modes.get(AttackModel::mode_range(friend, fights))?;
        modes.iter().find(|mode| mode.hex == hex).map(|mode| mode.lit)
    }

    /// The best plan that is not forbidden, for goals in falling order of importance, within a budget of conflicts: a goal is
    /// denied only if the goals granted before it exclude it. Goals about pieces that cannot take part are skipped.
    ///
    /// # Errors
    /// When there are more goals than a list of wishes holds, or the plan has more than [`PLAN_CAP`] actions
    /// ([`AttackSolver::best_plan`] then denies goals until it has not).
    pub fn plan(&mut self, goals: &[Goal], budget: u64) -> Result<PlanAnswer, Capacity> {
        let mut plan = AttackPlan::default();
        Ok(match self.plan_in(goals, (budget, u64::MAX), &mut plan)? {
            Answer::Unsat => PlanAnswer::NoMore,
            Answer::Unknown => PlanAnswer::Unknown,
            Answer::Sat => PlanAnswer::Plan(plan),
        })
    }

    /// Literals of goals, those about pieces that cannot take part left out.
    ///
    /// # Errors
    /// When there are too many.
    pub(super) fn wishes(&self, goals: &[Goal]) -> Result<Wishes, Capacity> {
        let mut lits = Wishes::new();
        let available = lits.capacity();
        for &goal in goals {
            // A repeated goal is decided by then, and so is its contrary.
            if let Some(lit) = self.lit(goal).filter(|lit| lits.iter().all(|known| known.var() != lit.var()))
            {
                let more = Capacity { what: Resource::Vars, needed: available + 1, available };
                lits.push(lit).map_err(|_| more)?;
            }
        }
        Ok(lits)
    }

    /// Plans as [`AttackSolver::plan`] does, within so many conflicts and propagations, in a plan that is lent and empty.
    #[inline(never)]
    pub(super) fn plan_in(
        &mut self,
        goals: &[Goal],
        (conflicts, propagations): (u64, u64),
        plan: &mut AttackPlan,
    ) -> Result<Answer, Capacity> {
        let lits = self.wishes(goals)?;
        let answer = self.solver.solve_within(&[], &lits, Budget { conflicts, propagations })?;
        if answer == Answer::Sat && self.extract(plan).is_none() {
            self.solver.forget_model();
            return Err(full(Resource::Actions, PLAN_CAP));
        }
        Ok(answer)
    }

    /// Whether the last plan grants a goal. No plan grants none, and no plan grants a goal about a piece that cannot take part,
    /// not even that it is spared.
    pub fn grants(&self, goal: Goal) -> bool {
        self.lit(goal).is_some_and(|lit| self.solver.held(lit))
    }

    /// Forbids the last plan and all that are equivalent to it; nothing before there is a plan, and nothing new when it is
    /// asked for again.
    ///
    /// # Errors
    /// When there is no room for the clause.
    pub fn forbid(&mut self, same: Equivalence) -> Result<(), Capacity> {
        if !self.solver.keep_last_model() {
            return Ok(());
        }
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u16> = Vec::new();
        let mut add = |lit: Lit, solver: &Solver<'_>| {
            let _ = block.push(if solver.is_kept(lit) { !lit } else { lit });
        };
        for friend in self.model.friends.iter() {
            let lits = &friend.lits;
            let state = match same {
                Equivalence::Removals => None,
                Equivalence::Fighters => Some(lits.passive),
                Equivalence::FightingHexes if self.solver.is_kept(lits.passive) => Some(lits.passive),
                Equivalence::FightingHexes | Equivalence::Everything => {
                    Some(self.state(friend, |lit| self.solver.is_kept(lit)))
                }
            };
            if let Some(state) = state {
                add(state, &self.solver);
            }
            if let Some(blinks) = lits.blinks.filter(|_| same == Equivalence::Everything) {
                add(blinks, &self.solver);
            }
        }
        for foe in self.model.foes.iter() {
            let lits = &foe.lits;
            add(lits.removed, &self.solver);
            if let (Some(_), Some(unsummoned)) = (lits.killed, lits.unsummoned) {
                add(unsummoned, &self.solver);
            }
        }
        self.solver.add_clause(&block)
    }

    /// Literals that hold in the last plan and together determine which friends fight from which hexes and which
    /// enemies are removed.
    pub(super) fn signature(&self) -> Signature {
        let mut all = Signature::new();
        for friend in self.model.friends.iter() {
            let passive = self.solver.holds(friend.lits.passive);
            let _ = all.push(if passive {
                friend.lits.passive
            } else {
                self.state(friend, |lit| self.solver.holds(lit))
            });
        }
        for foe in self.model.foes.iter() {
            for lit in [Some(foe.lits.removed), foe.lits.unsummoned].into_iter().flatten() {
                let _ = all.push(if self.solver.holds(lit) { lit } else { !lit });
            }
        }
        all
    }

    /// Whether all of these literals can hold.
    pub(super) fn can_hold(&mut self, lits: &[Lit]) -> Result<bool, Capacity> {
        Ok(self.solver.solve(lits)? == Answer::Sat)
    }

    /// Literal that a friend fights from its hex, steps aside to its hex, or stays, as it holds in a plan.
    fn state(&self, friend: &Friend, holds: impl Fn(Lit) -> bool) -> Lit {
        let true_mode = |fights| {
            let modes = self.model.modes.get(AttackModel::mode_range(friend, fights))?;
            modes.iter().map(|mode| mode.lit).find(|&lit| holds(lit))
        };
        true_mode(true).or_else(|| true_mode(false)).unwrap_or(friend.lits.stays)
    }

    /// Words of memory that solver and recording take.
    pub const fn words(&self) -> usize {
        self.words
    }

    /// Words in use of the limits `clauses`, `store` and `learnt`, for reports.
    pub fn used_words(&self) -> [usize; 3] {
        self.solver.used_words()
    }

    /// Counters of the solver.
    pub fn statistics(&self) -> crate::cdcl::Statistics {
        self.solver.statistics()
    }

    /// Fills an empty plan from the solver's model. `None` when it has more actions than a plan can hold.
    #[inline(never)]
    pub(super) fn extract(&self, plan: &mut AttackPlan) -> Option<()> {
        let mut times = [0u8; MAX_CLOCKS];
        self.solver.times(&mut times);
        let mut schedule = Schedule { walks: Vec::new(), friendly: self.model.friendly };
        for mode in self.model.modes.iter().filter(|mode| self.solver.holds(mode.lit)) {
            let friend = self.model.friends.get(usize::from(mode.friend))?;
            let lits = &friend.lits;
            let mut from = friend.at;
            let stops = [
                (self.stop(friend.first_stopovers, lits.first_stopover), lits.leaves_at),
                (self.stop(friend.second_stopovers, lits.second_stopover), lits.continues_at),
                (Some(mode.hex), lits.arrives_at),
            ];
            for (stop, clock) in stops {
                let Some(to) = stop.filter(|&to| to != from) else { continue };
                let at = *times.get(usize::from(clock))?;
                schedule.walks.push(Walk { from, to, kind: mode.kind, at }).ok()?;
                from = to;
            }
        }
        let last = times.iter().fold(0, |last, &time| last.max(time));
        let mut needs = [0u16; PIECE_CAP];
        for (need, foe) in needs.iter_mut().zip(self.model.foes.iter()) {
            *need = foe.need;
        }
        for now in 0..=last {
            schedule.play(now, plan)?;
            self.fight(now, &times, &mut needs, plan)?;
            self.blink(now, &times, &mut schedule, plan)?;
        }
        Some(())
    }

    /// Hex of a friend's stopover in the solver's model, if it makes one.
    fn stop(&self, hexes: HexSet, stops: Option<Lit>) -> Option<Hex> {
        let holds = stops.is_some_and(|lit| self.solver.holds(lit));
        let mut all = stopover_lits(hexes, stops).filter(|_| holds);
        all.find(|(_, lit)| self.solver.holds(*lit)).map(|(hex, _)| hex)
    }

    /// Hex from which a friend fights in the solver's model, if it fights.
    fn stand(&self, friend: &Friend) -> Option<Hex> {
        let modes = self.model.modes.get(AttackModel::mode_range(friend, true))?;
        modes.iter().find(|mode| self.solver.holds(mode.lit)).map(|mode| mode.hex)
    }

    /// Adds the attacks of one time: for every target the weakest hits first, so that hits on dead targets are left
    /// out.
    fn fight(&self, now: u8, times: &[u8], needs: &mut [u16], plan: &mut AttackPlan) -> Option<()> {
        for (foe_index, foe) in self.model.foes.iter().enumerate() {
            let mut hits: Vec<(Hit, usize, u8), PIECE_CAP, u8> = Vec::new();
            for pair in self.model.pairs.iter().filter(|pair| usize::from(pair.foe) == foe_index) {
                let due = *times.get(usize::from(pair.at))? == now;
                if due && self.solver.holds(pair.first) {
                    let holds = |&more: &u8| self.solver.holds(following(pair.first, more));
                    let count = (0..pair.hits).filter(holds).count();
                    hits.push((pair.hit, usize::from(pair.friend), count as u8)).ok()?;
                }
            }
            sort_by_key(&mut hits, |&(hit, friend, _)| match hit {
                Hit::Damage(amount) => (amount, friend),
                Hit::Unsummon => (u16::MAX, friend),
            });
            for &(hit, friend, count) in &hits {
                let friend = self.model.friends.get(friend)?;
                let (from, stand) = (friend.at, self.stand(friend)?);
                let need = needs.get_mut(foe_index)?;
                for _ in 0..count {
                    if *need == 0 {
                        break;
                    }
                    plan.actions.push(BoardAction::Attack { from: stand, to: foe.at }).ok()?;
                    plan.fighters.insert(from);
                    match hit {
                        Hit::Damage(amount) => *need = need.saturating_sub(amount),
                        Hit::Unsummon => *need = 0,
                    }
                    if *need == 0 {
                        let unsummoned = foe.soulbound || hit == Hit::Unsummon;
                        let removed = if unsummoned { &mut plan.unsummoned } else { &mut plan.killed };
                        removed.insert(foe.at);
                    }
                }
            }
        }
        Some(())
    }

    /// Adds the blinks of one time.
    fn blink(&self, now: u8, times: &[u8], schedule: &mut Schedule, plan: &mut AttackPlan) -> Option<()> {
        for friend in self.model.friends.iter() {
            let lits = &friend.lits;
            if lits.blinks.is_some_and(|lit| self.solver.holds(lit))
                && *times.get(usize::from(lits.blinks_at))? == now
            {
                let at = self.stand(friend).unwrap_or(friend.at);
                plan.actions.push(BoardAction::Blink { at }).ok()?;
                schedule.friendly.remove(at);
            }
        }
        Some(())
    }
}

/// Walk of a friend from one hex to the next stopover or to its mode's hex, at a time.
#[derive(Clone, Copy)]
struct Walk {
    from: Hex,
    to: Hex,
    kind: ModeKind,
    at: u8,
}

/// Most walks: no piece makes more than two stopovers.
const WALK_CAP: usize = 3 * PIECE_CAP;

/// Walks with their times, and the hexes of friends at the present time.
struct Schedule {
    walks: Vec<Walk, WALK_CAP, u16>,
    friendly: HexSet,
}

impl Schedule {
    /// Adds the walks of one time: friends whose target hex is free go first; those left over stand on each other's
    /// target hexes, in rings, and go together.
    fn play(&mut self, now: u8, plan: &mut AttackPlan) -> Option<()> {
        let due = self.walks.iter().filter(|walk| walk.at == now).copied();
        let mut due: Vec<Walk, WALK_CAP, u16> = list::all(due).ok()?;
        while !due.is_empty() {
            if let Some(index) = due.iter().position(|walk| !self.friendly.contains(walk.to)) {
                let Walk { from, to, kind, .. } = due.swap_remove(index);
                self.friendly = self.friendly.without(from).with(to);
                let jump = BoardAction::Teleport { from, to };
                let action = if kind == ModeKind::Teleport { jump } else { BoardAction::walk(from, to) };
                plan.actions.push(action).ok()?;
                continue;
            }
            let start = due.first()?.from;
            let mut from = start;
            loop {
                let index = due.iter().position(|walk| walk.from == from)?;
                let to = due.swap_remove(index).to;
                let joined = to != start;
                plan.actions.push(BoardAction::Move { from, to, joined }).ok()?;
                if !joined {
                    break;
                }
                from = to;
            }
        }
        Some(())
    }
}
