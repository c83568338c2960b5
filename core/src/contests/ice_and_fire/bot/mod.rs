//! The bot for A Code of Ice and Fire: cut search and the whole flow of a turn (seed 004; rules §11).
//!
//! [`Chains`] finds cheap paths into the opponent's land, [`cuts`] values what the paths cut off, and a turn is planned
//! in phases: lines of play, moves, defence, towers, training, mines. [`Options`] switches each phase off, so that its
//! worth can be measured. The bot is deterministic. [`Options::work`] bounds the cuts evaluated in a turn, and
//! [`plan_in_time`] the time.

mod chains;
mod cut_scan;
mod cut_search;
mod cuts;
mod defence;
mod distances;
mod expansion;
mod holding;
mod line_play;
mod options;
mod planner;
mod purchases;
mod turn_draft;
mod unit_moves;

use crate::contests::ice_and_fire::{CommandText, Game, Rules, State};

pub use self::chains::{CHAIN_CAP, Chain, Chains, order_from};
pub use self::cut_scan::{CutScan, EVERY_START, MOST_ORDERS};
pub use self::cut_search::{CutNode, CutSequence};
pub use self::cuts::{Cut, best, cuts};
pub use self::distances::steps_to;
pub use self::options::{Assets, Expansion, HEADQUARTERS, Options, Weights};
pub use self::turn_draft::{LINE_CAP, TurnDraft};

/// A planned turn and the work of planning.
#[derive(Clone, Debug)]
pub struct PlannedTurn {
    /// Actions of the turn and the position after them.
    pub draft: TurnDraft,
    /// Number of cuts evaluated.
    pub evaluated: u32,
}

/// Plans the turn of the player to move. The rules accept every action of the turn, in this order.
///
/// ```
/// use barrow_core::contests::ice_and_fire::bot::{Options, plan};
/// use barrow_core::contests::ice_and_fire::{Game, Map, Rules};
/// let rules = Rules::PERMANENT;
/// let mut game = Game::new(&Map::generate(1, &rules));
/// for action in plan(game.state(), &rules, &Options::PLAIN, &mut []).draft.actions() {
///     game.act(&rules, *action).unwrap();
/// }
/// assert!(!game.state().all_units().is_empty());
/// ```
///
/// `memory` holds the nodes of the cut search, of which at most [`Options::lines`] are used. Without memory there is no
/// cut search.
pub fn plan(state: &State, rules: &Rules, options: &Options, memory: &mut [CutNode]) -> PlannedTurn {
    plan_in_time(state, rules, options, memory, &|| false)
}

/// Plans as [`plan`] does, but begins nothing optional once `late` is true. Work begun before takes a few milliseconds
/// at most.
pub fn plan_in_time(
    state: &State,
    rules: &Rules,
    options: &Options,
    memory: &mut [CutNode],
    late: &dyn Fn() -> bool,
) -> PlannedTurn {
    let mut planner = planner::Planner::new(rules, options, state, late);
    let most = memory.len().min(options.lines.into());
    let draft = match memory.get_mut(..most) {
        _ if planner.opens_at_once(state) => planner.open(state),
        Some(memory) if most > 0 => planner.search(state, memory),
        _ => planner.plan(state),
    };
    PlannedTurn { draft, evaluated: planner.evaluated }
}

/// Writes a draft's actions as a line of commands; `WAIT` if there are none. Actions that the game refuses are left
/// out, which does not happen to a draft that began with this game's position.
pub fn write_line(
    game: &Game,
    rules: &Rules,
    draft: &TurnDraft,
    line: &mut impl core::fmt::Write,
) -> core::fmt::Result {
    let mut game = game.clone();
    let mut written = false;
    for &action in draft.actions() {
        let before = game.clone();
        if game.act(rules, action).is_ok() {
            if written {
                line.write_char(';')?;
            }
            write!(line, "{}", CommandText(&before, action))?;
            written = true;
        }
    }
    if written { Ok(()) } else { line.write_str("WAIT") }
}
