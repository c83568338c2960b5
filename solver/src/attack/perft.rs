//! Perft: the number of distinct minimal attacks on a board.
//!
//! An attack, for this purpose, says which friends fight, from which hexes, and whom each of them hits how often. It is
//! *minimal* when every hit is needed: without it one of the enemies that are removed would not be. Two attacks
//! are the same when the same friends fight from the same hexes, the same enemies are killed, and the same are
//! unsummoned; who steps aside or blinks, who hits whom, and the order of play make no difference. [`perft`] is the
//! number of distinct minimal attacks that can be played, the one in which nobody fights included.

use barrow_core::list;
use barrow_core::minions::View;
use heapless::Vec;

use super::lists::ModelRoom;
use super::model::{AttackModel, OverkillPolicy, PIECE_CAP, full};
use super::plan::{AttackSolver, limits_for};
use crate::cdcl::{Capacity, Lit, Resource};

/// Choice of the enumeration: a literal that holds in the attacks counted now, and whether those without it were
/// counted before.
type Choice = (Lit, bool);

/// Most choices at a time.
const CHOICE_CAP: usize = 1024 + 3 * PIECE_CAP;

/// Number of distinct minimal attacks on a board, or `limit` if there are not fewer. The memory must have as many
/// words as [`super::memory_for`] says for the model of the board with [`OverkillPolicy::AllHitsNeeded`].
///
/// One attack is found; then each literal that describes it is denied in turn, the last first, with those before it
/// kept, and the attacks that remain are counted in the same way. So every attack is met once, and none has to be
/// remembered.
///
/// # Errors
/// When the model is too large or the memory too small.
pub fn perft(
    view: &View<'_>,
    room: &mut impl ModelRoom,
    memory: &mut [u32],
    limit: u64,
) -> Result<u64, Capacity> {
    let model = AttackModel::new(view, room)?.with_overkill_policy(OverkillPolicy::AllHitsNeeded);
    let limits = limits_for(&model)?;
    let mut solver = AttackSolver::new(&model, &limits, memory)?;
    let mut choices: Vec<Choice, CHOICE_CAP, u16> = Vec::new();
    let mut count = 0;
    while count < limit {
        // As long as the list it is made from.
        let assumed: Vec<Lit, CHOICE_CAP, u16> = list::first(choices.iter().map(|choice| choice.0));
        if solver.can_hold(&assumed)? {
            count += 1;
            for lit in solver.signature() {
                if !assumed.contains(&lit) {
                    choices.push((lit, false)).map_err(|_| full(Resource::Pairs, CHOICE_CAP))?;
                }
            }
        }
        // Back to the last choice that was made freely, which is now denied.
        loop {
            match choices.pop() {
                None => return Ok(count),
                Some((_, true)) => {}
                Some((lit, false)) => {
                    let _ = choices.push((!lit, true));
                    break;
                }
            }
        }
    }
    Ok(count)
}
