//! The planner as the search wants it: a port of `barrow_core::search` fulfilled in lent memory.

use barrow_core::hex::HexSet;
use barrow_core::minions::View;
use barrow_core::minions::turn_search::ports::{
    Attack, AttackGoal, AttackPlanner, Outline, Planned as Found,
};
use heapless::Vec;

use super::model::{Economy, PIECE_CAP, Survey};
use super::plan::{AttackSolver, Planned, Wish};
use crate::cdcl::{Capacity, Lit};

/// Words that suffice for the boards of ordinary games (see `barrow attack`); larger boards need more, and with
/// less they are answered with [`Found::Unknown`].
pub const PLANNER_WORDS: usize = 50 * 1024;

/// Conflicts after which a request is given up. Real boards need none to a few.
const CONFLICTS: u64 = 400;

/// Plans attacks for the search. Every request builds the model anew: that costs a microsecond or two, and keeps the
/// memory for one model only however many candidates are being refined.
pub struct Planner<'m> {
    memory: &'m mut [u32],
}

impl<'m> Planner<'m> {
    /// A planner that works in this memory.
    pub fn new(memory: &'m mut [u32]) -> Planner<'m> {
        Planner { memory }
    }

    fn attempt(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Result<Found, Capacity> {
        let mut survey = Survey { economy: Economy::Landing, ..Survey::default() };
        survey.look(view, HexSet::EMPTY)?;
        let mut solver = AttackSolver::noted(&survey, self.memory)?;
        for outline in forbidden {
            solver.forbid_outline(outline)?;
        }
        let mut wishes: Vec<Wish, { 2 * PIECE_CAP }, u8> = Vec::new();
        for &goal in goals {
            let wish = match goal {
                AttackGoal::Kill(at) => Wish::Kill(at),
                AttackGoal::Remove(at) => Wish::Remove(at),
                AttackGoal::Passive(at) => Wish::Passive(at),
            };
            let _ = wishes.push(wish);
        }
        match solver.plan(&wishes, CONFLICTS)? {
            Planned::NoMore => Ok(Found::NoMore),
            Planned::Unknown => Ok(Found::Unknown),
            Planned::Plan(plan) => {
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
}

impl AttackPlanner for Planner<'_> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Found {
        self.attempt(view, goals, forbidden, attack).unwrap_or(Found::Unknown)
    }
}

impl AttackSolver<'_, '_> {
    /// Forbids all attacks with this outline: the same enemies killed and unsummoned, the same friends fighting.
    /// Pieces that cannot take part in any attack do not matter.
    pub fn forbid_outline(&mut self, outline: &Outline) -> Result<(), Capacity> {
        let mut block: Vec<Lit, { 4 * PIECE_CAP }, u8> = Vec::new();
        let mut differ = |lit: Lit, holds: bool| {
            let _ = block.push(if holds { !lit } else { lit });
        };
        for (friend, lits) in self.survey.friends.iter().zip(&self.meaning.friends) {
            differ(lits.passive, !outline.fighters.contains(friend.at));
        }
        for (foe, lits) in self.survey.foes.iter().zip(&self.meaning.foes) {
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

    use super::*;

    const MIDGAME: &str = barrow_testing::BENCH_POSITIONS;

    #[test]
    fn forbidden_outlines_do_not_come_again_until_there_are_none() {
        let mut memory = std::vec![0; PLANNER_WORDS];
        let mut planner = Planner::new(&mut memory);
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let mut ended = 0;
        let mut found = 0;
        for line in MIDGAME.lines() {
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
        let game =
            fen::parse(MIDGAME.lines().next().unwrap(), &GameConfig::default().with_ruleset(Ruleset::Spooky))
                .unwrap();
        let view = game.view(0).unwrap();
        let mut attack = Attack::default();
        let goal = AttackGoal::Remove(Hex::new(0).unwrap());
        assert_eq!(Planner::new(&mut memory).plan(&view, &[goal], &[], &mut attack), Found::Unknown);
    }
}
