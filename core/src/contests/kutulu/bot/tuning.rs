//! Parameters of the bot (rules §12).

use crate::search::smitsimax::Settings;

/// The parameters of the bot; [`Tuning::SEED`] are those of rules §12.
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
    /// Skills that are actions of the search's trees, in place of the rules of thumb for them.
    pub skills: Skills,
    /// Turns from the root on in which skills are actions of the trees.
    pub skill_turns: u16,
    /// Terms of a score besides an explorer's own sanity.
    pub outlook: Outlook,
}

/// Skills that are actions of the search's trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skills {
    /// Plans of the own explorer.
    pub plan: bool,
    /// Yells of the own explorer.
    pub yell: bool,
    /// Lights of the own explorer, where they turn a wanderer to somebody else.
    pub light: bool,
    /// Plans of the other explorers.
    pub others_plan: bool,
    /// Yells of the other explorers.
    pub others_yell: bool,
}

impl Skills {
    /// No skill.
    pub const NONE: Skills =
        Skills { plan: false, yell: false, light: false, others_plan: false, others_yell: false };
}

/// Terms of a search's score besides the own sanity at its end, in quarters of a point of sanity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// Whether of the last two explorers each wants to outlive the other, instead of sanity for itself.
    pub duel: bool,
    /// For each other explorer that is outlived; the opposite for those who outlive.
    pub outlive: i32,
    /// Share of the others' mean change of sanity that counts against the own one, in hundredths. The others
    /// themselves are taken for players who look after their own sanity alone.
    pub rivalry: i32,
    /// For a plan kept at full sanity; less at less sanity.
    pub plan: i32,
    /// For a light kept.
    pub light: i32,
    /// For an explorer not yet yelled at.
    pub yell: i32,
    /// Per step beyond company, for each point of sanity that company saves in a turn.
    pub company: i32,
    /// Per point of sanity that a shelter near by will restore.
    pub shelter: i32,
    /// For a dead end while a wanderer is near.
    pub dead_end: i32,
    /// Per step by which a wanderer is nearer than four.
    pub wanderer: i32,
    /// For a slasher that is about to rush here.
    pub slasher: i32,
}

impl Outlook {
    /// The own sanity alone, as in rules §12.
    pub const SANITY: Outlook = Outlook {
        duel: false,
        outlive: 0,
        rivalry: 0,
        plan: 0,
        light: 0,
        yell: 0,
        company: 0,
        shelter: 0,
        dead_end: 0,
        wanderer: 0,
        slasher: 0,
    };
}

impl Tuning {
    /// The parameters of rules §12.
    pub const SEED: Tuning = Tuning {
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
        skills: Skills::NONE,
        skill_turns: 2,
        outlook: Outlook::SANITY,
    };

    /// The parameters of the bot.
    pub const DEFAULT: Tuning = Tuning {
        outlook: Outlook {
            duel: true,
            outlive: 60,
            rivalry: 30,
            company: 1,
            shelter: 1,
            wanderer: 2,
            slasher: 20,
            ..Outlook::SANITY
        },
        ..Tuning::SEED
    };
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::DEFAULT
    }
}
