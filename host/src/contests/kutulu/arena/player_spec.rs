//! The players of the arena by their names on the command line.

use std::time::Duration;

use barrow_core::contests::kutulu::bot::{Baseline, Sparring, Tuning};

use crate::contests::kit::player_spec as kit;
use crate::contests::kit::player_spec::{PlayerKind, no_settings, number, number_up_to};

/// A player of the arena as named on the command line.
pub type PlayerSpec = kit::PlayerSpec<Kind>;

/// The kinds of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A simple bot for comparison.
    Baseline(Baseline),
    /// A sparring partner of one simple style.
    Sparring(Sparring),
    /// The searching bot.
    SmitsiMax(SearchBudget, Box<Tuning>),
    /// A program that speaks the contest's protocol: its command line, split at spaces.
    Program(Vec<String>),
}

/// Bounds of a search; the search ends at the first one reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchBudget {
    /// Most simulations per turn.
    pub simulations: u32,
    /// Most time per turn; `None` for no bound.
    pub movetime: Option<Duration>,
}

impl Default for SearchBudget {
    /// A number of simulations and no time, so that games repeat exactly.
    fn default() -> SearchBudget {
        SearchBudget { simulations: 1000, movetime: None }
    }
}

impl PlayerKind for Kind {
    fn program(command: Vec<String>) -> Kind {
        Kind::Program(command)
    }

    fn built_in(name: &str, settings: &[(&str, &str)]) -> Result<Kind, String> {
        let tuning = match name {
            "smitsimax" => Some(Tuning::DEFAULT),
            "smitsimax-seed" => Some(Tuning::SEED),
            _ => None,
        };
        if let Some(mut tuning) = tuning {
            let mut budget = SearchBudget::default();
            for (key, value) in settings {
                set(&mut budget, &mut tuning, key, value)?;
            }
            return Ok(Kind::SmitsiMax(budget, Box::new(tuning)));
        }
        if let Some(sparring) = Sparring::ALL.into_iter().find(|sparring| sparring.name() == name) {
            no_settings(name, settings)?;
            return Ok(Kind::Sparring(sparring));
        }
        let known = Baseline::ALL.into_iter().find(|baseline| baseline.name() == name);
        let baseline = known.ok_or_else(|| {
            let names = Baseline::ALL.map(Baseline::name).join(", ");
            let sparring = Sparring::ALL.map(Sparring::name).join(", ");
            format!(
                "no player {name:?}; known are {names}, {sparring}, smitsimax, smitsimax-seed and cmd:COMMAND"
            )
        })?;
        no_settings(name, settings)?;
        Ok(Kind::Baseline(baseline))
    }
}

/// Sets what a key names.
fn set(budget: &mut SearchBudget, tuning: &mut Tuning, key: &str, value: &str) -> Result<(), String> {
    match key {
        "simulations" => budget.simulations = number(key, value)?,
        "movetime" => {
            budget.movetime = Some(Duration::from_millis(number(key, value)?));
            budget.simulations = u32::MAX;
        }
        "random" => tuning.search.random_visits = number(key, value)?,
        "exploration" => {
            let c: f64 = number(key, value)?;
            if !(0.0..=256.0).contains(&c) {
                return Err(format!("{key}: {value} is not a number from 0 to 256"));
            }
            tuning.search.exploration = (c * 65_536.0) as u32;
        }
        "mindepth" => tuning.depth[0] = number(key, value)?,
        "maxdepth" => tuning.depth[1] = number(key, value)?,
        "branch" => tuning.branch_budget = number_up_to::<u32>(key, value, 1 << 20)?,
        "yell" => tuning.yell_worth = number(key, value)?,
        "plan" => tuning.plan_sanity = number(key, value)?,
        "lastplan" => tuning.last_two_plan_sanity = number(key, value)?,
        "light" => tuning.lights = is_on(key, value)?,
        "tolerance" => tuning.wait_tolerance = number::<u16>(key, value)?.into(),
        "opening" => tuning.opening_turns = number(key, value)?,
        "skillturns" => tuning.skill_turns = number(key, value)?,
        _ => return set_outlook(tuning, key, value),
    }
    Ok(())
}

/// Sets a skill of the trees, or a part of what a score counts.
fn set_outlook(tuning: &mut Tuning, key: &str, value: &str) -> Result<(), String> {
    let (skills, outlook) = (&mut tuning.skills, &mut tuning.outlook);
    let switch = match key {
        "treeplan" => Some(&mut skills.plan),
        "treeyell" => Some(&mut skills.yell),
        "treelight" => Some(&mut skills.light),
        "othersplan" => Some(&mut skills.others_plan),
        "othersyell" => Some(&mut skills.others_yell),
        "duel" => Some(&mut outlook.duel),
        _ => None,
    };
    if let Some(switch) = switch {
        *switch = is_on(key, value)?;
        return Ok(());
    }
    let price = match key {
        "outlive" => &mut outlook.outlive,
        "rivalry" => &mut outlook.rivalry,
        "planprice" => &mut outlook.plan,
        "lightprice" => &mut outlook.light,
        "yellprice" => &mut outlook.yell,
        "company" => &mut outlook.company,
        "shelter" => &mut outlook.shelter,
        "deadend" => &mut outlook.dead_end,
        "wanderer" => &mut outlook.wanderer,
        "slasher" => &mut outlook.slasher,
        _ => return Err(format!("unknown setting {key}; {SETTINGS}")),
    };
    // Sums of a few of them stay within what a search counts.
    *price = number_up_to::<u16>(key, value, 1_000)?.into();
    Ok(())
}

/// Whether a switch, 0 or 1, is on.
fn is_on(key: &str, value: &str) -> Result<bool, String> {
    Ok(number_up_to::<u8>(key, value, 1)? != 0)
}

const SETTINGS: &str = "known are simulations, movetime, random, exploration, mindepth, maxdepth, branch, yell, plan, lastplan, \
                        light, tolerance, opening, skillturns, treeplan, treeyell, treelight, othersplan, othersyell, \
                        duel, outlive, rivalry, planprice, lightprice, yellprice, company, shelter, deadend, wanderer, \
                        slasher";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named() {
        let read = |text: &str| text.parse::<PlayerSpec>();
        assert_eq!(read("wait").unwrap().kind, Kind::Baseline(Baseline::Wait));
        for sparring in Sparring::ALL {
            assert_eq!(read(sparring.name()).unwrap().kind, Kind::Sparring(sparring));
        }
        let seed = Kind::SmitsiMax(SearchBudget::default(), Box::new(Tuning::SEED));
        assert_eq!(read("smitsimax-seed").unwrap().kind, seed);
        let Kind::SmitsiMax(_, outlook) = read("smitsimax,duel=1,company=3,treeplan=1").unwrap().kind else {
            panic!("another kind");
        };
        assert!(outlook.outlook.duel && outlook.outlook.company == 3 && outlook.skills.plan);
        let Kind::SmitsiMax(budget, tuning) =
            read("smitsimax,simulations=7,exploration=0.5,light=0").unwrap().kind
        else {
            panic!("another kind");
        };
        assert_eq!((budget.simulations, tuning.search.exploration, tuning.lights), (7, 32_768, false));
        assert_eq!(read("cmd:a b").unwrap().kind, Kind::Program(vec!["a".to_owned(), "b".to_owned()]));
        for bad in [
            "",
            "nobody",
            "wait,x=1",
            "smitsimax,x=1",
            "smitsimax,yell=x",
            "smitsimax,yell",
            "smitsimax,rivalry=1001",
            "smitsimax,light=2",
            "smitsimax,branch=1048577",
            "smitsimax,exploration=-1",
            "smitsimax,exploration=257",
            "smitsimax,exploration=nan",
            "cmd:",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
