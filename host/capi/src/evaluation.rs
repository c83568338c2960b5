//! Evaluation of a position without a search.

use barrow_core::minions::turn_search::ports::Evaluator;

use crate::game::{BarrowGame, GameBody};
use crate::handle::{apart, call, enter};
use crate::message::Failure;
use crate::net::{BarrowNet, NetBody};
use crate::outputs::Place;
use crate::ports::{Net, Oracle};
use crate::status::{BARROW_OK, BarrowStatus};

/// Win chance that is certain.
pub const BARROW_CERTAIN: i32 = 65_536;

/// Evaluates the position by a network, or by hand-written rules if the network is null. `win` gets the win chance of the side
/// to move, 0 to `BARROW_CERTAIN`; `error`, which may be null, how far it is to be expected from the value of a short search, in
/// the same unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_evaluate(
    game: *mut BarrowGame,
    net: *mut BarrowNet,
    win: *mut i32,
    error: *mut i32,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let mut spans = [entered.span(); 2];
            let mut chosen: Option<Net> = None;
            if !net.is_null() {
                let net = enter::<NetBody>(net).map_err(Failure)?;
                spans = apart(entered, &net);
                chosen = Some(net.body.loaded()?);
            }
            let win = Place::new(win, &spans)?;
            let error = Place::optional(error, &[spans[0], spans[1], win.span()])?;
            let estimate = Oracle::new(chosen).evaluate(&entered.body.game);
            win.put(estimate.win);
            error.put(estimate.error);
            Ok(BARROW_OK)
        })
    }
}
