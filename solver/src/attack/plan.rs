//! Planning: from goals by the solver's model to a plan whose actions are in order of play.

use core::ops::Deref;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::list;
use barrow_core::minions::BoardAction;
use barrow_core::sort::sort_by_key;
use heapless::Vec;

use super::constraint_sink::{CountingSink, SolverSink};
use super::encode::{OwnVariables, VariableMap, encode, following, stopover_lits};
use super::model::{AttackModel, Hit, ModeKind, PIECE_CAP};
use super::recording::{self, Recording};
use crate::cdcl::{Answer, Capacity, Limits, Lit, MAX_CLOCKS, Solver};

/// Most actions of one attack: every piece moves, blinks and attacks several targets.
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

/// Literals that distinguish attacks.
pub(super) type Signature = Vec<Lit, { 3 * PIECE_CAP }, u8>;

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

/// Planner of attacks on one board, in memory that the caller lends. `V` is where its variables are noted.
pub struct AttackSolver<'m, 's, V = OwnVariables> {
    pub(super) model: &'s AttackModel,
    pub(super) variables: V,
    pub(super) solver: Solver<'m>,
}

/// Words for learnt clauses beyond two of full length: conflicts are rare, and forgetting costs time only.
const LEARNT_WORDS: usize = 1 << 11;

/// Words for blocking clauses, which forbid plans; a quarter as many for those of two literals.
const BLOCKING_WORDS: usize = 1 << 11;

/// Limits of the solver for a model, with room for blocking clauses.
///
/// # Errors
/// When the model is too large to be encoded.
pub fn limits_for(model: &AttackModel) -> Result<Limits, Capacity> {
    let mut count = CountingSink::new();
    encode(model, &mut VariableMap::default(), &mut count)?;
    Ok(with_margin(count.limits))
}

/// Limits of a problem with room for blocking and learnt clauses.
fn with_margin(mut limits: Limits) -> Limits {
    limits.learnt = LEARNT_WORDS + 2 * Limits::clause_words(limits.vars);
    limits.clauses += BLOCKING_WORDS;
    limits.store += BLOCKING_WORDS / 4;
    limits
}

/// Words that [`AttackSolver::new`] needs for a model.
///
/// # Errors
/// When the model is too large to be encoded.
pub fn memory_for(model: &AttackModel) -> Result<usize, Capacity> {
    limits_for(model).map(|limits| limits.words())
}

impl<'m, 's> AttackSolver<'m, 's> {
    /// Encodes a model into a solver.
    ///
    /// # Errors
    /// When the limits or the memory are too small.
    pub fn new(model: &'s AttackModel, limits: &Limits, memory: &'m mut [u32]) -> Result<Self, Capacity> {
        let mut solver = Solver::new(memory, limits)?;
        let mut variables = OwnVariables::default();
        encode(model, &mut variables.0, &mut SolverSink { solver: &mut solver, clocks: 0 })?;
        Ok(AttackSolver { model, variables, solver })
    }
}

impl<'m, 's> AttackSolver<'m, 's, &'s VariableMap> {
    /// Encodes a model, which [`record`] has recorded at the end of this memory, into a solver. With too little memory
    /// for both, the model is encoded once more. The variables are noted in a map that is lent.
    // Apart, so that the stack of the caller does not hold what only this needs.
    #[inline(never)]
    pub(super) fn recorded(
        model: &'s AttackModel,
        variables: &'s mut VariableMap,
        memory: &'m mut [u32],
        (limits, len): (Limits, Option<usize>),
    ) -> Result<Self, Capacity> {
        let cut = first_of_paper(memory);
        let len = len.filter(|_| limits.words() <= cut);
        let (room, paper) = memory.split_at_mut(if len.is_some() { cut } else { memory.len() });
        let mut solver = Solver::new(room, &limits)?;
        let mut sink = SolverSink { solver: &mut solver, clocks: 0 };
        match len {
            Some(len) => recording::replay(paper.get(..len).unwrap_or(&[]), &mut sink)?,
            None => encode(model, variables, &mut sink)?,
        }
        Ok(AttackSolver { model, variables, solver })
    }
}

/// First of the words in which a model is recorded: the last quarter of the memory.
fn first_of_paper(memory: &[u32]) -> usize {
    memory.len() - memory.len() / 4
}

/// Records the constraints of a model at the end of the memory. Returns the limits of a solver for them, which are counted
/// meanwhile, and the words written if they fit.
#[inline(never)]
pub(super) fn record(
    model: &AttackModel,
    variables: &mut VariableMap,
    memory: &mut [u32],
) -> Result<(Limits, Option<usize>), Capacity> {
    let first = first_of_paper(memory);
    let paper = memory.get_mut(first..).unwrap_or_default();
    let mut recording = Recording::new(paper);
    encode(model, variables, &mut recording)?;
    Ok((with_margin(recording.count.limits), recording.len()))
}

impl<V: Deref<Target = VariableMap>> AttackSolver<'_, '_, V> {
    /// Literal of a goal; none when the goal is about pieces that cannot take part.
    pub(super) fn lit(&self, goal: Goal) -> Option<Lit> {
        let foe = |at: Hex| {
            let index = self.model.foes.iter().position(|foe| foe.at == at)?;
            self.variables.foes.get(index)
        };
        let friend = |at: Hex| self.model.friends.iter().position(|friend| friend.at == at);
        match goal {
            Goal::Remove(at) => Some(foe(at)?.removed),
            Goal::Kill(at) => foe(at)?.killed,
            Goal::Unsummon(at) => foe(at)?.unsummoned,
            Goal::Spare(at) => Some(!foe(at)?.removed),
            Goal::Passive(at) => Some(self.variables.friends.get(friend(at)?)?.passive),
            Goal::FightFrom(at, from) => self.mode_lit(friend(at)?, from, true),
            Goal::Occupy(at, to) if at == to => None,
            Goal::Occupy(at, to) => self.mode_lit(friend(at)?, to, false),
        }
    }

    /// Literal of the mode in which a friend fights from a hex, or steps aside to it.
    fn mode_lit(&self, friend: usize, hex: Hex, fights: bool) -> Option<Lit> {
        let range = AttackModel::mode_range(self.model.friends.get(friend)?, fights);
        let modes = self.model.modes.get(range.clone())?.iter().zip(self.variables.modes.get(range)?);
        modes.filter(|(mode, _)| mode.hex == hex).map(|(_, &lit)| lit).next()
    }

    /// The best plan that is not forbidden, for goals in falling order of importance: a goal is denied only if the
    /// goals granted before it exclude it. Goals about pieces that cannot take part are skipped.
    pub fn plan(&mut self, goals: &[Goal], budget: u64) -> Result<PlanAnswer, Capacity> {
        let mut plan = AttackPlan::default();
        Ok(match self.plan_in(goals, budget, &mut plan)? {
            Answer::Unsat => PlanAnswer::NoMore,
            Answer::Unknown => PlanAnswer::Unknown,
            Answer::Sat => PlanAnswer::Plan(plan),
        })
    }

    /// Plans as [`AttackSolver::plan`] does, in a plan that is lent and empty.
    #[inline(never)]
    pub(super) fn plan_in(
        &mut self,
        goals: &[Goal],
        budget: u64,
        plan: &mut AttackPlan,
    ) -> Result<Answer, Capacity> {
        let mut lits: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        for &goal in goals {
            // A repeated goal is decided by then, and so is its contrary.
            if let Some(lit) = self.lit(goal).filter(|lit| lits.iter().all(|known| known.var() != lit.var()))
            {
                let _ = lits.push(lit);
            }
        }
        Ok(match self.solver.solve_preferring(&[], &lits, budget)? {
            // A plan has room for all actions of a board's pieces, so it is never cut short.
            Answer::Sat if self.extract(plan).is_none() => Answer::Unknown,
            answer => answer,
        })
    }

    /// Whether the last plan grants a goal.
    pub fn grants(&self, goal: Goal) -> bool {
        self.lit(goal).is_some_and(|lit| self.solver.holds(lit))
    }

    /// Forbids the last plan and all that are equivalent to it.
    pub fn forbid(&mut self, same: Equivalence) -> Result<(), Capacity> {
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        let mut add = |lit: Lit, solver: &Solver<'_>| {
            let _ = block.push(if solver.holds(lit) { !lit } else { lit });
        };
        for (index, lits) in self.variables.friends.iter().enumerate() {
            let state = match same {
                Equivalence::Removals => None,
                Equivalence::Fighters => Some(lits.passive),
                Equivalence::FightingHexes if self.solver.holds(lits.passive) => Some(lits.passive),
                Equivalence::FightingHexes | Equivalence::Everything => self.state(index),
            };
            if let Some(state) = state {
                add(state, &self.solver);
            }
            if let Some(blinks) = lits.blinks.filter(|_| same == Equivalence::Everything) {
                add(blinks, &self.solver);
            }
        }
        for lits in &self.variables.foes {
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
        for (index, lits) in self.variables.friends.iter().enumerate() {
            let passive = self.solver.holds(lits.passive);
            let _ = all.push(self.state(index).filter(|_| !passive).unwrap_or(lits.passive));
        }
        for lits in &self.variables.foes {
            for lit in [Some(lits.removed), lits.unsummoned].into_iter().flatten() {
                let _ = all.push(if self.solver.holds(lit) { lit } else { !lit });
            }
        }
        all
    }

    /// Whether all of these literals can hold.
    pub(super) fn can_hold(&mut self, lits: &[Lit]) -> Result<bool, Capacity> {
        Ok(self.solver.solve(lits)? == Answer::Sat)
    }

    /// Literal that a friend fights from its hex, steps aside to its hex, or stays, as it holds in the last plan.
    fn state(&self, friend: usize) -> Option<Lit> {
        let (entry, lits) = (self.model.friends.get(friend)?, self.variables.friends.get(friend)?);
        let true_mode = |fights| {
            let modes = self.variables.modes.get(AttackModel::mode_range(entry, fights))?;
            modes.iter().copied().find(|&lit| self.solver.holds(lit))
        };
        Some(true_mode(true).or_else(|| true_mode(false)).unwrap_or(lits.stays))
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
    fn extract(&self, plan: &mut AttackPlan) -> Option<()> {
        let mut times = [0u8; MAX_CLOCKS];
        self.solver.times(&mut times);
        let mut schedule = Schedule { walks: Vec::new(), friendly: self.model.friendly };
        for (mode, &lit) in self.model.modes.iter().zip(&self.variables.modes) {
            let index = usize::from(mode.friend);
            let (friend, lits) = (self.model.friends.get(index)?, self.variables.friends.get(index)?);
            if !self.solver.holds(lit) {
                continue;
            }
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
        let last = times.iter().copied().max().unwrap_or(0);
        let mut needs = [0u16; PIECE_CAP];
        for (need, foe) in needs.iter_mut().zip(&self.model.foes) {
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
    fn stand(&self, friend: usize) -> Option<Hex> {
        let range = AttackModel::mode_range(self.model.friends.get(friend)?, true);
        let lits = self.variables.modes.get(range.clone())?;
        let mut modes = self.model.modes.get(range)?.iter().zip(lits);
        modes.find(|(_, lit)| self.solver.holds(**lit)).map(|(mode, _)| mode.hex)
    }

    /// Adds the attacks of one time: for every target the weakest hits first, so that hits on dead targets are left
    /// out.
    fn fight(&self, now: u8, times: &[u8], needs: &mut [u16], plan: &mut AttackPlan) -> Option<()> {
        for (foe_index, foe) in self.model.foes.iter().enumerate() {
            let mut hits: Vec<(Hit, usize, u8), PIECE_CAP, u8> = Vec::new();
            let all = self.variables.hits.iter().zip(&self.variables.hits_at);
            for (pair, (&first, &at)) in self.model.pairs.iter().zip(all) {
                let due = *times.get(usize::from(at))? == now;
                if usize::from(pair.foe) == foe_index && due && self.solver.holds(first) {
                    let count =
                        (0..pair.hits).filter(|&more| self.solver.holds(following(first, more))).count();
                    hits.push((pair.hit, usize::from(pair.friend), count as u8)).ok()?;
                }
            }
            sort_by_key(&mut hits, |&(hit, friend, _)| match hit {
                Hit::Damage(amount) => (amount, friend),
                Hit::Unsummon => (u16::MAX, friend),
            });
            for &(hit, friend, count) in &hits {
                let from = self.model.friends.get(friend)?.at;
                let stand = self.stand(friend)?;
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
        for (index, (friend, lits)) in self.model.friends.iter().zip(&self.variables.friends).enumerate() {
            if lits.blinks.is_some_and(|lit| self.solver.holds(lit))
                && *times.get(usize::from(lits.blinks_at))? == now
            {
                let at = self.stand(index).unwrap_or(friend.at);
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
    walks: Vec<Walk, WALK_CAP, u8>,
    friendly: HexSet,
}

impl Schedule {
    /// Adds the walks of one time: friends whose target hex is free go first; those left over stand on each other's
    /// target hexes, in rings, and go together.
    fn play(&mut self, now: u8, plan: &mut AttackPlan) -> Option<()> {
        let due = self.walks.iter().filter(|walk| walk.at == now).copied();
        let mut due: Vec<Walk, WALK_CAP, u8> = list::all(due).ok()?;
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
