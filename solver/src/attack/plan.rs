//! From wishes to a plan: solve, place those who step aside, and put the actions in order.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{BoardAction, View};
use heapless::Vec;

use super::constraint_sink::{Count, Fill};
use super::encode::{Meaning, encode, following, stops_of};
use super::model::{Deed, Hit, PIECE_CAP, Survey};
use super::recording::{self, Script};
use crate::cdcl::{Answer, Capacity, Limits, Lit, MAX_CLOCKS, Solver};

/// Most actions of one attack: every piece moves, blinks and attacks some targets.
pub const PLAN_CAP: usize = 240;

/// A wish about the outcome of an attack (seed 000 "prophecy"; the pieces by the hexes they stand on).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wish {
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
    /// The friendly piece goes to this other hex without fighting, and stays there. Only for pieces that the survey
    /// was told to move ([`Survey::with_movers`]).
    Occupy(Hex, Hex),
}

/// An attack in order of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttackPlan {
    /// The actions of the board, ready for the game.
    pub actions: Vec<BoardAction, PLAN_CAP, u8>,
    /// Enemy pieces that the plan kills.
    pub killed: HexSet,
    /// Enemy pieces that the plan unsummons.
    pub unsummoned: HexSet,
    /// Friendly pieces that attack, by the hexes they start on.
    pub fighters: HexSet,
}

/// Enough literals to tell attacks apart.
pub(super) type Signature = Vec<Lit, { 3 * PIECE_CAP }, u8>;

/// What became of a request for a plan.
// A plan is handed over once and taken apart at once; there is no allocator to box it with.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    /// A plan, the best for the wishes in their order.
    Plan(AttackPlan),
    /// There is none that was not given before.
    NoMore,
    /// The conflict budget ran out.
    Unknown,
}

/// In what respect two plans are the same. Each respect includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sameness {
    /// The same enemies are killed, the same are unsummoned.
    Removals,
    /// The same friends fight.
    Fighters,
    /// They fight from the same hexes.
    Stands,
    /// The same friends step aside to the same hexes, and the same blink away.
    Everything,
}

/// Plans attacks on one board, in memory that the caller lends.
pub struct AttackSolver<'m, 's> {
    pub(super) survey: &'s Survey,
    pub(super) meaning: Meaning,
    pub(super) solver: Solver<'m>,
}

/// Words for learnt clauses that a planner asks for beside what the problem needs: conflicts are rare, and
/// forgetting costs time only.
const LEARNT_WORDS: usize = 1 << 11;

/// Words for clauses that forbid plans already given; a quarter as many for those of two literals.
const BLOCKING_WORDS: usize = 1 << 11;

/// The solver's limits for a survey.
pub fn limits_for(survey: &Survey) -> Result<Limits, Capacity> {
    let mut count = Count::new();
    encode(survey, &mut count)?;
    Ok(with_margin(count.limits))
}

/// What a problem needs, with room for what is added to it later.
fn with_margin(mut limits: Limits) -> Limits {
    limits.learnt = LEARNT_WORDS + 2 * Limits::clause_words(limits.vars);
    limits.clauses += BLOCKING_WORDS;
    limits.lists += BLOCKING_WORDS / 4;
    limits
}

/// Words that [`AttackSolver::new`] needs for a survey.
pub fn memory_for(survey: &Survey) -> Result<usize, Capacity> {
    limits_for(survey).map(|limits| limits.words())
}

impl<'m, 's> AttackSolver<'m, 's> {
    /// Puts a survey into constraints.
    pub fn new(survey: &'s Survey, limits: &Limits, memory: &'m mut [u32]) -> Result<Self, Capacity> {
        let mut solver = Solver::new(memory, limits)?;
        let meaning = encode(survey, &mut Fill { solver: &mut solver, clocks: 0 })?;
        Ok(AttackSolver { survey, meaning, solver })
    }

    /// The same without limits: they are counted while the constraints are noted down at the end of the memory. Where
    /// there is too little of it for both, the constraints are made twice.
    pub(super) fn noted(survey: &'s Survey, memory: &'m mut [u32]) -> Result<Self, Capacity> {
        let (room, paper) = memory.split_at_mut(memory.len() - memory.len() / 4);
        let mut script = Script::new(paper);
        let meaning = encode(survey, &mut script)?;
        let limits = with_margin(script.count.limits);
        match script.len() {
            Some(len) if limits.words() <= room.len() => {
                let (room, paper) = memory.split_at_mut(memory.len() - memory.len() / 4);
                let mut solver = Solver::new(room, &limits)?;
                let written = paper.get(..len).unwrap_or(&[]);
                recording::play(written, &mut Fill { solver: &mut solver, clocks: 0 })?;
                Ok(AttackSolver { survey, meaning, solver })
            }
            _ => AttackSolver::new(survey, &limits, memory),
        }
    }

    /// The literal of a wish; none when the wish is about pieces that cannot take part.
    fn lit(&self, wish: Wish) -> Option<Lit> {
        let foe = |at: Hex| {
            let index = self.survey.foes.iter().position(|foe| foe.at == at)?;
            self.meaning.foes.get(index)
        };
        let friend = |at: Hex| self.survey.friends.iter().position(|friend| friend.at == at);
        match wish {
            Wish::Remove(at) => Some(foe(at)?.removed),
            Wish::Kill(at) => foe(at)?.killed,
            Wish::Unsummon(at) => foe(at)?.unsummoned,
            Wish::Spare(at) => Some(!foe(at)?.removed),
            Wish::Passive(at) => Some(self.meaning.friends.get(friend(at)?)?.passive),
            Wish::FightFrom(at, from) => self.deed(friend(at)?, from, true),
            Wish::Occupy(at, to) if at == to => None,
            Wish::Occupy(at, to) => self.deed(friend(at)?, to, false),
        }
    }

    /// The literal that says that a friend is on a hex in the end, fighting or not.
    fn deed(&self, friend: usize, hex: Hex, fights: bool) -> Option<Lit> {
        let range = Survey::mode_range(self.survey.friends.get(friend)?, fights);
        let modes = self.survey.modes.get(range.clone())?.iter().zip(self.meaning.modes.get(range)?);
        modes.filter(|(mode, _)| mode.hex == hex).map(|(_, &lit)| lit).next()
    }

    /// The best plan for wishes in falling order of importance that was not forbidden before: a wish is denied
    /// only if the wishes granted before it exclude it. Wishes about pieces that cannot take part are skipped.
    pub fn plan(&mut self, wishes: &[Wish], budget: u64) -> Result<Planned, Capacity> {
        let mut lits: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        for &wish in wishes {
            // A wish that is uttered again is decided by then, and so is its contrary.
            if let Some(lit) = self.lit(wish).filter(|lit| lits.iter().all(|known| known.var() != lit.var()))
            {
                let _ = lits.push(lit);
            }
        }
        Ok(match self.solver.solve_wishing(&[], &lits, budget)? {
            Answer::Unsat => Planned::NoMore,
            Answer::Unknown => Planned::Unknown,
            // A plan has room for everything a board's pieces can do, so it is never cut short.
            Answer::Sat => self.extract().map_or(Planned::Unknown, Planned::Plan),
        })
    }

    /// Whether a wish is granted by the plan given last.
    pub fn grants(&self, wish: Wish) -> bool {
        self.lit(wish).is_some_and(|lit| self.solver.holds(lit))
    }

    /// Forbids the plan given last and all that are the same in this respect.
    pub fn forbid(&mut self, same: Sameness) -> Result<(), Capacity> {
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        let mut add = |lit: Lit, solver: &Solver<'_>| {
            let _ = block.push(if solver.holds(lit) { !lit } else { lit });
        };
        for (index, lits) in self.meaning.friends.iter().enumerate() {
            let state = match same {
                Sameness::Removals => None,
                Sameness::Fighters => Some(lits.passive),
                Sameness::Stands if self.solver.holds(lits.passive) => Some(lits.passive),
                Sameness::Stands | Sameness::Everything => self.state(index),
            };
            if let Some(state) = state {
                add(state, &self.solver);
            }
            if let Some(blinks) = lits.blinks.filter(|_| same == Sameness::Everything) {
                add(blinks, &self.solver);
            }
        }
        for lits in &self.meaning.foes {
            add(lits.removed, &self.solver);
            if let (Some(_), Some(unsummoned)) = (lits.killed, lits.unsummoned) {
                add(unsummoned, &self.solver);
            }
        }
        self.solver.add_clause(&block)
    }

    /// The literals that together say which friends fight from where and what is removed in the plan given last, as
    /// they hold there.
    pub(super) fn signature(&self) -> Signature {
        let mut all = Signature::new();
        for (index, lits) in self.meaning.friends.iter().enumerate() {
            let passive = self.solver.holds(lits.passive);
            let _ = all.push(self.state(index).filter(|_| !passive).unwrap_or(lits.passive));
        }
        for lits in &self.meaning.foes {
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

    /// The literal that says what a friend does: fight from its hex, step aside to its hex, or stay.
    fn state(&self, friend: usize) -> Option<Lit> {
        let (entry, lits) = (self.survey.friends.get(friend)?, self.meaning.friends.get(friend)?);
        let true_mode = |fights| {
            let modes = self.meaning.modes.get(Survey::mode_range(entry, fights))?;
            modes.iter().copied().find(|&lit| self.solver.holds(lit))
        };
        Some(true_mode(true).or_else(|| true_mode(false)).unwrap_or(lits.stays))
    }

    /// Words of the lent memory that are in use, for reports.
    pub fn used_words(&self) -> [usize; 3] {
        self.solver.used_words()
    }

    /// The solver's counters.
    pub fn statistics(&self) -> crate::cdcl::Statistics {
        self.solver.statistics()
    }

    /// The model as a plan. `None` when it has more actions than a plan can hold.
    fn extract(&self) -> Option<AttackPlan> {
        let mut times = [0u8; MAX_CLOCKS];
        self.solver.times(&mut times);
        let mut schedule = Schedule { walks: Vec::new(), friendly: self.survey.friendly };
        for (mode, &lit) in self.survey.modes.iter().zip(&self.meaning.modes) {
            let index = usize::from(mode.friend);
            let (friend, lits) = (self.survey.friends.get(index)?, self.meaning.friends.get(index)?);
            if !self.solver.holds(lit) {
                continue;
            }
            let mut from = friend.at;
            let stops = [
                (self.stop(friend.halts, lits.halts), lits.leaves_at),
                (self.stop(friend.rests, lits.rests), lits.goes_on_at),
                (Some(mode.hex), lits.moves_at),
            ];
            for (stop, clock) in stops {
                let Some(to) = stop.filter(|&to| to != from) else { continue };
                let at = *times.get(usize::from(clock))?;
                schedule.walks.push(Walk { from, to, deed: mode.deed, at }).ok()?;
                from = to;
            }
        }
        let mut plan = AttackPlan::default();
        let last = times.iter().copied().max().unwrap_or(0);
        let mut needs = [0u16; PIECE_CAP];
        for (need, foe) in needs.iter_mut().zip(&self.survey.foes) {
            *need = foe.need;
        }
        for now in 0..=last {
            schedule.play(now, &mut plan)?;
            self.fight(now, &times, &mut needs, &mut plan)?;
            self.blink(now, &times, &mut schedule, &mut plan)?;
        }
        Some(plan)
    }

    /// The one of these hexes on which a friend halts, if it does.
    fn stop(&self, hexes: HexSet, stops: Option<Lit>) -> Option<Hex> {
        let halts = stops.is_some_and(|lit| self.solver.holds(lit));
        let mut all = stops_of(hexes, stops).filter(|_| halts);
        all.find(|(_, lit)| self.solver.holds(*lit)).map(|(hex, _)| hex)
    }

    /// The hex from which a friend fights, if it fights.
    fn stand(&self, friend: usize) -> Option<Hex> {
        let range = Survey::mode_range(self.survey.friends.get(friend)?, true);
        let lits = self.meaning.modes.get(range.clone())?;
        let mut modes = self.survey.modes.get(range)?.iter().zip(lits);
        modes.find(|(_, lit)| self.solver.holds(**lit)).map(|(mode, _)| mode.hex)
    }

    /// The attacks of one moment: for every target the weakest hits first, so that what is too much is left out.
    fn fight(&self, now: u8, times: &[u8], needs: &mut [u16], plan: &mut AttackPlan) -> Option<()> {
        for (foe_index, foe) in self.survey.foes.iter().enumerate() {
            let mut hits: Vec<(Hit, usize, u8), PIECE_CAP, u8> = Vec::new();
            let all = self.meaning.hits.iter().zip(&self.meaning.hits_at);
            for (pair, (&first, &at)) in self.survey.pairs.iter().zip(all) {
                let due = *times.get(usize::from(at))? == now;
                if usize::from(pair.foe) == foe_index && due && self.solver.holds(first) {
                    let count =
                        (0..pair.hits).filter(|&more| self.solver.holds(following(first, more))).count();
                    hits.push((pair.hit, usize::from(pair.friend), count as u8)).ok()?;
                }
            }
            hits.sort_unstable_by_key(|&(hit, friend, _)| match hit {
                Hit::Damage(amount) => (amount, friend),
                Hit::Unsummon => (u16::MAX, friend),
            });
            for (hit, friend, count) in hits {
                let from = self.survey.friends.get(friend)?.at;
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

    fn blink(&self, now: u8, times: &[u8], schedule: &mut Schedule, plan: &mut AttackPlan) -> Option<()> {
        for (index, (friend, lits)) in self.survey.friends.iter().zip(&self.meaning.friends).enumerate() {
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

#[derive(Clone, Copy)]
struct Walk {
    from: Hex,
    to: Hex,
    deed: Deed,
    at: u8,
}

/// Most walks: no piece takes more than three steps.
const WALK_CAP: usize = 3 * PIECE_CAP;

/// Walks with their moments, and where friends stand now.
struct Schedule {
    walks: Vec<Walk, WALK_CAP, u8>,
    friendly: HexSet,
}

impl Schedule {
    /// The walks of one moment: whoever finds the goal free goes first; those left over stand on each other's
    /// goals, in rings, and go together.
    fn play(&mut self, now: u8, plan: &mut AttackPlan) -> Option<()> {
        let mut due: Vec<Walk, WALK_CAP, u8> =
            self.walks.iter().filter(|walk| walk.at == now).copied().collect();
        while !due.is_empty() {
            if let Some(index) = due.iter().position(|walk| !self.friendly.contains(walk.to)) {
                let Walk { from, to, deed, .. } = due.swap_remove(index);
                self.friendly = self.friendly.without(from).with(to);
                let jump = BoardAction::Teleport { from, to };
                let action = if deed == Deed::Jump { jump } else { BoardAction::walk(from, to) };
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

/// Surveys a board and plans one attack on it, for callers who want no more than that.
pub fn plan_once(view: &View<'_>, wishes: &[Wish], memory: &mut [u32]) -> Result<Planned, Capacity> {
    let survey = Survey::new(view)?;
    let limits = limits_for(&survey)?;
    AttackSolver::new(&survey, &limits, memory)?.plan(wishes, u64::MAX)
}
