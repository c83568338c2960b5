//! The bot's constants (rules §12).

use crate::search::smitsimax::Settings;

/// What can be tuned; [`Tuning::DEFAULT`] plays as the rules' section on the bot says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// The search's own.
    pub search: Settings,
    /// Turns that are looked ahead, at least and at most.
    pub depth: [usize; 2],
    /// Walks times crowd that a depth may have: the more, the deeper the search.
    pub branch_budget: u32,
    /// Points of damage per explorer locked that a yell is worth; 256 is never.
    pub yell_worth: u32,
    /// Explorers below this sanity plan in company.
    pub plan_sanity: u8,
    /// One of the last two plans up to this sanity.
    pub last_two_plan_sanity: u8,
    /// Whether lights are used.
    pub lights: bool,
    /// How much worse than the best waiting may be, to plan or to light.
    pub wait_tolerance: u32,
    /// Turns that an opening lasts at most; 0 is none.
    pub opening_turns: u16,
    /// Walking distance between all starts from which on there is an opening.
    pub opening_distance: u8,
    /// Times that an opening may be spooked.
    pub opening_spooks: u8,
}

impl Tuning {
    /// Rules §12.
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
