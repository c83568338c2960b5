//! The port of the turn search that plans attacks, in lent memory.

use barrow_core::hex::HexSet;
use barrow_core::minions::View;
use barrow_core::minions::turn_search::ports::{
    ATTACK_CAP, Attack, AttackGoal, AttackPlanner, Outline, Planned as Found,
};
use heapless::Vec;

use super::fighters::Fighters;
use super::lists::{ModelRoom, OrdinaryRoom, SmallRoom};
use super::margin::with_little_margin;
use super::model::{AttackModel, OverkillPolicy, PIECE_CAP, ROOMY_CLOCKS};
use super::plan::{AttackPlan, AttackSolver, Goal};
use crate::cdcl::{Answer, Capacity, Limits, Lit, Resource};

/// Words that suffice for the boards of ordinary games (see `barrow attack`). On a board that needs more only some pieces fight,
/// near the first enemy that is to fall; where not even a plan of peace fits the answer is [`Found::Unknown`].
pub const PLANNER_WORDS: usize = 50 * 1024;

/// Conflicts of the one search for all goals where memory is short, and so is the program: that search is all there is. Real
/// boards need none to a few.
const CONFLICTS: u64 = if cfg!(feature = "every-board") { u64::MAX } else { 400 };

/// Propagations of the one search for all goals. With these used up, goals are granted one by one.
const QUICK_PROPAGATIONS: u64 = if cfg!(feature = "every-board") { 3_000 } else { u64::MAX };

/// Propagations of a request, but for those that a peaceful plan takes where no other is found within them.
const PROPAGATIONS: u64 = 5_000;

/// Words for learnt clauses, and for blocking ones, where memory is short.
const SCANT_WORDS: usize = 400;

/// Conflicts after which a request learns by cutting planes. With that, requests take fewer propagations and
/// fall short of the best plan less often (docs/search.md, "The longest request").
const FEW_CONFLICTS: u64 = 5;

/// Attack planner of the turn search. Every request builds the model anew: that costs a microsecond or two, and needs
/// memory for one model only, however many candidates are being refined. `R` is the room for this model, without more
/// said in the planner itself, which makes it large; where the stack is small, a static [`PlannerWorkspace`] serves.
pub struct Planner<'m, R = OrdinaryRoom> {
    memory: &'m mut [u32],
    room: R,
    /// Propagations of the longest request.
    longest: u64,
    /// Propagations of all requests.
    effort: u64,
}

impl<'m> Planner<'m> {
    /// A planner for the boards of ordinary games that works in this memory.
    pub fn new(memory: &'m mut [u32]) -> Planner<'m> {
        Planner { memory, room: OrdinaryRoom::new(), longest: 0, effort: 0 }
    }
}

impl<'m, R: ModelRoom> Planner<'m, R> {
    /// A planner that works in this memory and builds its models in this room.
    pub fn with_room(memory: &'m mut [u32], room: R) -> Planner<'m, R> {
        Planner { memory, room, longest: 0, effort: 0 }
    }
}

/// Limits with as many ticks as clocks, where that is not too much. Fewer would do, but whenever guards are refuted
/// earlier, other plans of equal worth are found, and all that was measured of the search was measured with these.
fn ample(limits: Limits) -> Limits {
    let ticks = if limits.clocks <= ROOMY_CLOCKS { limits.clocks } else { limits.ticks };
    with_little_margin(Limits { ticks, ..limits })
}

/// Limits with hardly any room for what is learnt and forbidden.
fn scant(mut limits: Limits) -> Limits {
    limits.learnt = SCANT_WORDS + 2 * Limits::clause_words(limits.vars);
    limits.clauses += SCANT_WORDS;
    limits.store += SCANT_WORDS / 4;
    limits
}

/// Limits with the most room that a memory of so many words has: ample ones, or what scant ones leave, half of it for what is
/// learnt and half for what is forbidden. Too many words where not even scant ones fit.
fn as_ample_as_fits(limits: Limits, available: usize) -> Limits {
    let most = ample(limits);
    if most.words() <= available {
        return most;
    }
    let mut limits = scant(limits);
    let rest = available.saturating_sub(limits.words());
    limits.learnt += rest / 2;
    limits.clauses += rest / 2 - rest / 8;
    limits.store += rest / 8;
    limits
}

/// Plans one attack. Where the memory is too small for that fewer fight: a plan of theirs may be worth less than others, but can be
/// played.
fn attempt(
    room: &mut impl ModelRoom,
    memory: &mut [u32],
    view: &View<'_>,
    wishes: (&[AttackGoal], &[Outline]),
    attack: &mut Attack,
    mut note: impl FnMut(u64),
) -> Found {
    let mut fighters = Fighters::ALL;
    loop {
        match attempt_with(room, memory, (view, fighters), wishes, attack, &mut note) {
            Ok(found) => return found,
            Err(_) if fighters.attackers.is_empty() => return Found::Unknown,
            Err(_) => fighters = fighters.fewer(view, wishes.0),
        }
    }
}

/// Plans one attack in which no others fight; an error means that the memory was too small.
// Apart, so that its stack is there once, however often it is called.
#[inline(never)]
fn attempt_with(
    room: &mut impl ModelRoom,
    memory: &mut [u32],
    (view, fighters): (&View<'_>, Fighters),
    (goals, forbidden): (&[AttackGoal], &[Outline]),
    attack: &mut Attack,
    note: &mut impl FnMut(u64),
) -> Result<Found, Capacity> {
    // Who fights without need is one piece less that could walk, and another outline of the same attack.
    let policy = OverkillPolicy::AllHitsNeeded;
    let model = AttackModel::fill(view, (fighters, HexSet::EMPTY), policy, room.lists());
    let mut solver = AttackSolver::prepare_with(&model, memory, as_ample_as_fits)?;
    for outline in forbidden {
        solver.forbid_outline(outline)?;
    }
    let found = answer(&mut solver, goals, attack);
    note(solver.statistics().propagations);
    found
}

/// The best plan for the goals that the solver allows, or the best that it finds within the budget.
// Apart, so that the stack of the encoding does not hold a plan.
#[inline(never)]
fn answer(
    solver: &mut AttackSolver<'_, '_>,
    goals: &[AttackGoal],
    attack: &mut Attack,
) -> Result<Found, Capacity> {
    let mut wanted: Vec<Goal, { 2 * PIECE_CAP }, u8> = Vec::new();
    for &goal in goals {
        let goal = match goal {
            AttackGoal::Kill(at) => Goal::Kill(at),
            AttackGoal::Remove(at) => Goal::Remove(at),
            AttackGoal::Passive(at) => Goal::Passive(at),
        };
        let _ = wanted.push(goal);
    }
    let mut plan = AttackPlan::default();
    solver.use_cutting_planes(FEW_CONFLICTS);
    let mut answer = match solver.plan_in(&wanted, (CONFLICTS, QUICK_PROPAGATIONS), &mut plan) {
        Err(Capacity { what: Resource::Actions, .. }) => Answer::Unknown,
        answer => answer?,
    };
    // A turn may have less room than a plan.
    if answer == Answer::Sat && plan.actions.len() > ATTACK_CAP {
        answer = Answer::Unknown;
    }
    if cfg!(feature = "every-board") && answer == Answer::Unknown {
        let rest = PROPAGATIONS.saturating_sub(solver.statistics().propagations);
        plan = AttackPlan::default();
        answer = solver.grant_in(&wanted, rest, &mut plan)?;
    }
    match answer {
        // There may be attacks that the model does not contain.
        Answer::Unsat if !solver.model.is_complete() => Ok(Found::Unknown),
        Answer::Unsat => Ok(Found::NoMore),
        Answer::Unknown => Ok(Found::Unknown),
        Answer::Sat => {
            attack.actions.clear();
            if attack.actions.extend_from_slice(&plan.actions).is_err() {
                return Ok(Found::Unknown);
            }
            attack.outline =
                Outline { killed: plan.killed, unsummoned: plan.unsummoned, fighters: plan.fighters };
            Ok(Found::Found)
        }
    }
}

impl<R: ModelRoom> AttackPlanner for Planner<'_, R> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Found {
        let (longest, effort) = (&mut self.longest, &mut self.effort);
        let note = |propagations: u64| {
            *longest = propagations.max(*longest);
            *effort = effort.saturating_add(propagations);
        };
        attempt(&mut self.room, self.memory, view, (goals, forbidden), attack, note)
    }

    fn longest_request(&self) -> u64 {
        self.longest
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}

/// Attack planner with its memory in one value: `WORDS` words for the solver, and the model. A static of it takes no
/// flash; a search is lent it as `&mut PlannerWorkspace`, which is a port.
pub struct PlannerWorkspace<const WORDS: usize> {
    memory: [u32; WORDS],
    room: SmallRoom,
}

impl<const WORDS: usize> Default for PlannerWorkspace<WORDS> {
    fn default() -> Self {
        PlannerWorkspace::new()
    }
}

impl<const WORDS: usize> PlannerWorkspace<WORDS> {
    /// A planner that has planned nothing.
    pub const fn new() -> Self {
        PlannerWorkspace { memory: [0; WORDS], room: SmallRoom::new() }
    }
}

impl<const WORDS: usize> AttackPlanner for PlannerWorkspace<WORDS> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Found {
        attempt(&mut self.room, &mut self.memory, view, (goals, forbidden), attack, |_| {})
    }
}

impl AttackSolver<'_, '_> {
    /// Forbids all attacks with this outline: the same enemies killed and unsummoned, the same friends fighting.
    /// Pieces that cannot take part in any attack do not matter.
    pub fn forbid_outline(&mut self, outline: &Outline) -> Result<(), Capacity> {
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u16> = Vec::new();
        let mut differ = |lit: Lit, holds: bool| {
            let _ = block.push(if holds { !lit } else { lit });
        };
        for friend in self.model.friends.iter() {
            differ(friend.lits.passive, !outline.fighters.contains(friend.at));
        }
        for foe in self.model.foes.iter() {
            let lits = &foe.lits;
            let unsummoned = outline.unsummoned.contains(foe.at);
            differ(lits.removed, unsummoned || outline.killed.contains(foe.at));
            if let (Some(_), Some(lit)) = (lits.killed, lits.unsummoned) {
                differ(lit, unsummoned);
            }
        }
        self.solver.add_clause(&block)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use barrow_core::hex::Hex;
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};
    use barrow_testing::BENCH_POSITIONS;

    use super::*;

    #[test]
    fn forbidden_outlines_do_not_come_again_until_there_are_none() {
        let mut memory = std::vec![0; PLANNER_WORDS];
        let mut planner = Planner::new(&mut memory);
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut ended = 0;
        let mut found = 0;
        for line in BENCH_POSITIONS.lines() {
            let game = fen::parse(line, &config).unwrap();
            let view = game.view(0).unwrap();
            let goals: std::vec::Vec<AttackGoal> =
                view.board.pieces(view.side.opponent()).into_iter().map(AttackGoal::Remove).collect();
            let mut forbidden: std::vec::Vec<Outline> = std::vec::Vec::new();
            let mut attack = Attack::default();
            for _ in 0..40 {
                match planner.plan(&view, &goals, &forbidden, &mut attack) {
                    Found::Found => assert!(!forbidden.contains(&attack.outline)),
                    Found::NoMore => {
                        ended += 1;
                        break;
                    }
                    Found::Unknown => panic!("a mid-game board is too large"),
                }
                let mut after = game.clone();
                let mut log = barrow_core::minions::UndoLog::off();
                let mut rest = attack.actions.as_slice();
                while !rest.is_empty() {
                    let used = after.apply_next(0, rest, &mut log).unwrap();
                    rest = &rest[used..];
                }
                let fallen = attack.outline.killed | attack.outline.unsummoned;
                let left = after.view(0).unwrap().board.pieces(view.side.opponent());
                assert_eq!(view.board.pieces(view.side.opponent()) - fallen, left);
                forbidden.push(attack.outline);
                found += 1;
            }
        }
        assert!(ended > 0 && found > 100, "{ended} {found}");
    }

    #[test]
    fn with_little_memory_fewer_fight() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let (mut found, mut fights, mut best) = (0, 0, 0);
        for line in BENCH_POSITIONS.lines() {
            let game = fen::parse(line, &config).unwrap();
            let view = game.view(0).unwrap();
            let enemies = view.board.pieces(view.side.opponent());
            let goals: std::vec::Vec<AttackGoal> = enemies.into_iter().map(AttackGoal::Remove).collect();
            let fallen = |words: usize| {
                let (mut memory, mut attack) = (std::vec![0; words], Attack::default());
                let answer = Planner::new(&mut memory).plan(&view, &goals, &[], &mut attack);
                let mut after = game.clone();
                let mut rest = attack.actions.as_slice();
                while !rest.is_empty() {
                    let used = after.apply_next(0, rest, &mut barrow_core::minions::UndoLog::off()).unwrap();
                    rest = &rest[used..];
                }
                let gone = enemies - after.view(0).unwrap().board.pieces(view.side.opponent());
                assert_eq!(gone, attack.outline.killed | attack.outline.unsummoned);
                (answer, gone.len())
            };
            let ample = fallen(PLANNER_WORDS);
            for words in [2_000, 3_000, 4_000] {
                let (answer, gone) = fallen(words);
                // Who does not fight cannot prove that nobody could.
                assert!(answer == Found::Found || answer == Found::Unknown || ample.0 == Found::NoMore);
                found += usize::from(answer == Found::Found);
                fights += usize::from(gone > 0);
            }
            best += 3 * usize::from(ample.1 > 0);
        }
        assert!(found > 40 && 2 * fights > best && fights < best, "{found}, {fights} of {best}");
    }

    #[test]
    fn too_little_memory_is_an_answer() {
        let mut memory = [0; 8];
        let game = fen::parse(
            BENCH_POSITIONS.lines().next().unwrap(),
            &GameConfig::default().with_ruleset(Ruleset::Spooky),
        )
        .unwrap();
        let view = game.view(0).unwrap();
        let mut attack = Attack::default();
        let goal = AttackGoal::Remove(Hex::new(0).unwrap());
        assert_eq!(Planner::new(&mut memory).plan(&view, &[goal], &[], &mut attack), Found::Unknown);
    }
}
