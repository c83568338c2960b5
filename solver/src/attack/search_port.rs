//! The port of the turn search that plans attacks, in lent memory.

use core::ops::Deref;

use barrow_core::hex::HexSet;
use barrow_core::minions::View;
use barrow_core::minions::turn_search::ports::{
    Attack, AttackGoal, AttackPlanner, Outline, Planned as Found,
};
use heapless::Vec;

use super::encode::VariableMap;
use super::model::{AttackModel, OverkillPolicy, PIECE_CAP};
use super::plan::{AttackPlan, AttackSolver, Goal, record};
use crate::cdcl::{Answer, Capacity, Lit};

/// Words that suffice for the boards of ordinary games (see `barrow attack`); a board that needs more is answered with
/// [`Found::Unknown`].
pub const PLANNER_WORDS: usize = 50 * 1024;

/// Conflict budget of a request. Real boards need none to a few.
const CONFLICTS: u64 = 400;

/// Attack planner of the turn search. Every request builds the model anew: that costs a microsecond or two, and needs
/// memory for one model only, however many candidates are being refined. The planner holds this model, which makes it
/// large; where the stack is small, a static [`PlannerWorkspace`] serves.
pub struct Planner<'m> {
    memory: &'m mut [u32],
    model: AttackModel,
    variables: VariableMap,
}

impl<'m> Planner<'m> {
    /// A planner that works in this memory.
    pub fn new(memory: &'m mut [u32]) -> Planner<'m> {
        Planner { memory, model: AttackModel::EMPTY, variables: VariableMap::EMPTY }
    }
}

/// Plans one attack; an error means that the memory was too small.
fn attempt(
    (model, variables): (&mut AttackModel, &mut VariableMap),
    memory: &mut [u32],
    view: &View<'_>,
    (goals, forbidden): (&[AttackGoal], &[Outline]),
    attack: &mut Attack,
) -> Result<Found, Capacity> {
    model.clear();
    model.policy = OverkillPolicy::AllHitsLand;
    model.fill(view, HexSet::EMPTY)?;
    let recorded = record(model, variables, memory)?;
    let mut solver = AttackSolver::recorded(model, variables, memory, recorded)?;
    for outline in forbidden {
        solver.forbid_outline(outline)?;
    }
    answer(&mut solver, goals, attack)
}

/// The best plan for the goals that the solver allows.
// Apart, so that the stack of the encoding does not hold a plan.
#[inline(never)]
fn answer(
    solver: &mut AttackSolver<'_, '_, &VariableMap>,
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
    match solver.plan_in(&wanted, CONFLICTS, &mut plan)? {
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

impl AttackPlanner for Planner<'_> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Found {
        let parts = (&mut self.model, &mut self.variables);
        attempt(parts, self.memory, view, (goals, forbidden), attack).unwrap_or(Found::Unknown)
    }
}

/// Attack planner with its memory in one value: `WORDS` words for the solver, and the model. A static of it takes no
/// flash; a search is lent it as `&mut PlannerWorkspace`, which is a port.
pub struct PlannerWorkspace<const WORDS: usize> {
    memory: [u32; WORDS],
    model: AttackModel,
    variables: VariableMap,
}

impl<const WORDS: usize> Default for PlannerWorkspace<WORDS> {
    fn default() -> Self {
        PlannerWorkspace::new()
    }
}

impl<const WORDS: usize> PlannerWorkspace<WORDS> {
    /// A planner that has planned nothing.
    pub const fn new() -> Self {
        PlannerWorkspace { memory: [0; WORDS], model: AttackModel::EMPTY, variables: VariableMap::EMPTY }
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
        let parts = (&mut self.model, &mut self.variables);
        attempt(parts, &mut self.memory, view, (goals, forbidden), attack).unwrap_or(Found::Unknown)
    }
}

impl<V: Deref<Target = VariableMap>> AttackSolver<'_, '_, V> {
    /// Forbids all attacks with this outline: the same enemies killed and unsummoned, the same friends fighting.
    /// Pieces that cannot take part in any attack do not matter.
    pub fn forbid_outline(&mut self, outline: &Outline) -> Result<(), Capacity> {
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        let mut differ = |lit: Lit, holds: bool| {
            let _ = block.push(if holds { !lit } else { lit });
        };
        for (friend, lits) in self.model.friends.iter().zip(&self.variables.friends) {
            differ(lits.passive, !outline.fighters.contains(friend.at));
        }
        for (foe, lits) in self.model.foes.iter().zip(&self.variables.foes) {
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
