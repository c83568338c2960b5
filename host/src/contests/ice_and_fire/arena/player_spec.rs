//! The players of the arena by their names on the command line.

use barrow_core::contests::ice_and_fire::bot::{EVERY_START, Options};
use barrow_core::contests::partners::Sparring;

use crate::contests::kit::player_spec as kit;
use crate::contests::kit::player_spec::{PlayerKind, no_settings, number, number_up_to};

/// A player of the arena as named on the command line.
pub type PlayerSpec = kit::PlayerSpec<Kind>;

/// The kinds of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Waits in every turn.
    Wait,
    /// Plays random legal commands.
    Random,
    /// A sparring partner of one simple style.
    Sparring(Sparring),
    /// The bot with these parts and weights.
    Bot(Box<Options>),
    /// A program that speaks the contest's protocol: its command line, split at spaces.
    Program(Vec<String>),
}

/// Names of players, and the options that each stands for.
const BOTS: [(&str, Options); 4] = [
    ("greedy", Options::GREEDY),
    ("greedy-towers", Options::GREEDY_TOWERS),
    ("plain", Options::PLAIN),
    ("full", Options::FULL),
];

impl PlayerKind for Kind {
    fn program(command: Vec<String>) -> Kind {
        Kind::Program(command)
    }

    fn built_in(name: &str, settings: &[(&str, &str)]) -> Result<Kind, String> {
        if name == "wait" || name == "random" {
            no_settings(name, settings)?;
            return Ok(if name == "wait" { Kind::Wait } else { Kind::Random });
        }
        if let Some(sparring) = Sparring::ALL.into_iter().find(|sparring| sparring.name() == name) {
            no_settings(name, settings)?;
            return Ok(Kind::Sparring(sparring));
        }
        let known = BOTS.iter().find(|(known, _)| *known == name);
        let (_, options) = known.ok_or_else(|| {
            format!(
                "no player {name:?}; known are wait, random, filler, rush, wall, greedy, greedy-towers, plain, full, \
                 cmd:COMMAND"
            )
        })?;
        let mut options = *options;
        for (key, value) in settings {
            set(&mut options, key, value)?;
        }
        Ok(Kind::Bot(Box::new(options)))
    }
}

/// Sets the part or weight that a key names.
fn set(options: &mut Options, key: &str, value: &str) -> Result<(), String> {
    let weights = &mut options.weights;
    let weight = match key {
        "x1" => Some(&mut weights.income),
        "x2" => Some(&mut weights.units),
        "x3" => Some(&mut weights.tower),
        "x4" => Some(&mut weights.upkeep),
        "x5" => Some(&mut weights.mover),
        "x6" => Some(&mut weights.fear),
        "x7" => Some(&mut weights.reserve),
        _ => None,
    };
    if let Some(weight) = weight {
        // Sums over a whole board of the largest weights stay far below what headquarters are worth.
        *weight = number_up_to::<u16>(key, value, 1_000)?.into();
        return Ok(());
    }
    match key {
        "cuts" => options.cuts = number_up_to::<u8>(key, value, 32)?,
        "mines" => options.mines = number_up_to::<u8>(key, value, 2)?,
        "orders" => match number_up_to(key, value, EVERY_START)? {
            0 => return Err(format!("{key}: {value} is less than 1")),
            orders => options.orders = orders,
        },
        "lines" => options.lines = number(key, value)?,
        "width" => options.width = number(key, value)?,
        "replies" => options.replies = number(key, value)?,
        "verify" => options.verify = number_up_to::<u8>(key, value, 100)?,
        "saving" => options.saving = number(key, value)?,
        "work" => options.work = number(key, value)?,
        _ => return set_expansion(options, key, value),
    }
    Ok(())
}

/// Sets the worth at the end of a playout that a key names, or what a key names of the planned opening, or a switch.
fn set_expansion(options: &mut Options, key: &str, value: &str) -> Result<(), String> {
    let (assets, expansion) = (&mut options.assets, &mut options.expansion);
    match key {
        "eval-gold" => assets.gold = number_up_to::<u8>(key, value, 200)?,
        "eval-unit" => assets.unit = number_up_to::<u16>(key, value, 5_000)?,
        "eval-tower" => assets.tower = number_up_to::<u16>(key, value, 5_000)?,
        "eval-cell" => assets.cell = number_up_to::<u16>(key, value, 5_000)?,
        "eval-mine" => assets.mine = number_up_to::<u16>(key, value, 20_000)?,
        "eval-upkeep" => assets.upkeep = number_up_to::<u16>(key, value, 5_000)?,
        "expand" => expansion.last = number(key, value)?,
        "expand-apart" => expansion.apart = number_up_to::<u8>(key, value, 24)?,
        "expand-plans" => expansion.plans = number(key, value)?,
        "expand-horizon" => expansion.horizon = number(key, value)?,
        "expand-least" => expansion.least = number(key, value)?,
        "expand-cell" => expansion.cell = number(key, value)?,
        "expand-unit" => expansion.unit = number(key, value)?,
        "expand-income" => expansion.income = number(key, value)?,
        "expand-seed" => expansion.seed = number(key, value)?,
        _ => {
            let switch = match key {
                "defend" => &mut options.defend,
                "defend-move" => &mut options.defend_move,
                "defend-tower" => &mut options.defend_tower,
                "defend-train" => &mut options.defend_train,
                "moves" => &mut options.moves,
                "replan-moves" => &mut options.replan_moves,
                "unblock" => &mut options.unblock,
                "second-pass" => &mut options.second_pass,
                "towers" => &mut options.towers,
                "train" => &mut options.train,
                "replan-train" => &mut options.replan_train,
                "hasty" => &mut options.hasty,
                "hold" => &mut options.hold,
                "expand-chosen" => &mut options.expansion.chosen,
                _ => return Err(format!("unknown setting {key}; {SETTINGS}")),
            };
            *switch = match value {
                "on" => true,
                "off" => false,
                _ => return Err(format!("{key}: {value} is neither on nor off")),
            };
        }
    }
    Ok(())
}

const SETTINGS: &str = "known are x1 to x7, cuts, mines, orders, lines, width, replies, verify, saving, work, \
                        eval-gold, eval-unit, eval-tower, eval-cell, eval-mine, eval-upkeep, \
                        expand, expand-apart, expand-plans, expand-horizon, expand-least, expand-cell, expand-unit, \
                        expand-income, expand-seed, and on or off: defend, defend-move, defend-tower, defend-train, moves, replan-moves, unblock, second-pass, \
                        towers, train, replan-train, hasty, hold, expand-chosen";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ice_and_fire_specs_are_read() {
        let bot = |text: &str| match text.parse::<PlayerSpec>().unwrap().kind {
            Kind::Bot(options) => *options,
            other => panic!("{other:?}"),
        };
        assert_eq!(bot("greedy"), Options::GREEDY);
        for sparring in Sparring::ALL {
            assert_eq!(sparring.name().parse::<PlayerSpec>().unwrap().kind, Kind::Sparring(sparring));
        }
        let changed = bot("plain,towers=off,x1=7,work=9");
        let mut expected = Options { towers: false, work: 9, ..Options::PLAIN };
        expected.weights.income = 7;
        assert_eq!(changed, expected);
        assert_eq!(
            "cmd:a b".parse::<PlayerSpec>().unwrap().kind,
            Kind::Program(vec!["a".into(), "b".into()])
        );
        for bad in [
            "",
            "x",
            "cmd:",
            "wait,x1=2",
            "rush,x1=2",
            "plain,x1",
            "plain,x1=a",
            "plain,y=1",
            "plain,towers=2",
            "plain,x1=-1",
            "plain,x1=1001",
            "plain,orders=0",
            "plain,orders=6",
            "plain,eval-mine=20001",
            "plain,expand-apart=25",
        ] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }
}
