//! Programs that the other robots may have, drawn once for a decision and then tried with every action: what an action
//! is better by shows sooner if all meet the same others, and strong programs take longer to find than to run.

use heapless::Vec;

use super::playout_policy::PlayoutPolicy;
use crate::contests::roborally::{CardSet, REGISTERS, ROBOT_CAP, State};
use crate::rng::Rng;

/// Most scenarios of a decision.
pub const SCENARIO_CAP: usize = 512;

/// The registers of all robots, those of the deciding one as they were.
type Registers = [[u8; ROBOT_CAP]; REGISTERS];

/// The scenarios of a decision.
#[derive(Clone, Default)]
pub(super) struct Scenarios(Vec<Registers, SCENARIO_CAP>);

impl Scenarios {
    /// Draws up to `most` scenarios while `more` says so.
    pub(super) fn draw(
        &mut self,
        policy: &PlayoutPolicy<'_>,
        (root, robot, hand): (&State, usize, CardSet),
        most: usize,
        dice: &mut Rng,
        mut more: impl FnMut() -> bool,
    ) {
        self.0.clear();
        while self.0.len() < most && more() {
            let mut state = *root;
            policy.program_others(&mut state, 1 << robot, hand, dice);
            if self.0.push(state.registers).is_err() {
                return;
            }
        }
    }

    /// Gives the others of a state the programs of a sample's scenario. Returns whether there is one.
    pub(super) fn apply(&self, state: &mut State, sample: u32) -> bool {
        let number = (sample as usize).checked_rem(self.0.len());
        let Some(registers) = number.and_then(|number| self.0.get(number)) else { return false };
        state.registers = *registers;
        true
    }
}
