//! Parameters of the bot (rules §12).

use crate::search::smitsimax::Settings;

/// The parameters of the bot; [`Tuning::DEFAULT`] are those of rules §12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Settings of SmitsiMax.
    pub search: Settings,
    /// Depth of the search in turns, least and most.
    pub depth: [usize; 2],
    /// Bound on walks times entities of a depth; a larger bound allows deeper searches.
    pub branch_budget: u32,
    /// Damage per locked explorer from which on a yell is cast; 256 is never.
    pub yell_worth: u32,
    /// Sanity below which a plan is cast in company.
    pub plan_sanity: u8,
    /// Sanity up to which one of the last two explorers casts a plan.
    pub last_two_plan_sanity: u8,
    /// Whether the bot casts lights.
    pub lights: bool,
    /// Score by which waiting may be worse than the best move for a plan or a light to be cast.
    pub wait_tolerance: u32,
    /// Most turns of the opening; 0 is no opening.
    pub opening_turns: u16,
    /// Least walking distance between all starts for an opening.
    pub opening_distance: u8,
    /// Most spooks of an opening.
    pub opening_spooks: u8,
}

impl Tuning {
    /// The parameters of rules §12.
    pub const DEFAULT: Tuning = Tuning {
        search: Settings { random_visits: 10, exploration: 1 << 16 },
        depth: [3, 6],
        branch_budget: 750,
        yell_worth: 25,
        plan_sanity: 210,
        last_two_plan_sanity: 247,
        lights: true,
        wait_tolerance: 1,
        opening_turns: 20,
        opening_distance: 9,
        opening_spooks: 1,
    };
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::DEFAULT
    }
}
