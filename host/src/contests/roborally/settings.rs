//! Settings of players: one table, by which they are read and which the help prints with their defaults.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::bot::{
    ActionSpace, Evaluation, Odds, Others, SCENARIO_CAP, Strategy, Weights,
};
use barrow_core::search::flat::Selection;
use barrow_session::contests::roborally::robot_text::number;

use super::budget::Budget;
use super::searcher::{ByTrees, PowerAhead, SAMPLES, Search, Steps};

/// Depth of playouts for win or loss: until the end of nearly every race.
const DEEP: u32 = 10_000;

/// Most threads of a decision.
const THREAD_CAP: usize = 64;

/// UCB1's exploration, in 1/65,536 of a win chance.
const EXPLORATION: u32 = 2_000;

/// A kind of player that has settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reader {
    Search,
    Mc,
    Odds,
    SmitsiMax,
}

impl Reader {
    const ALL: [Reader; 4] = [Reader::Search, Reader::Mc, Reader::Odds, Reader::SmitsiMax];

    const fn name(self) -> &'static str {
        ["search", "mc", "odds", "smitsimax"][self as usize]
    }
}

/// A player of which some settings were read.
pub(super) struct Draft {
    player: ByTrees,
    weights: Weights,
    depth: Option<u32>,
    samples: u32,
}

impl Draft {
    /// The defaults of a kind of player.
    pub(super) fn of(reader: Reader) -> Draft {
        let search = match reader {
            Reader::Search | Reader::Mc => Search::default(),
            Reader::Odds | Reader::SmitsiMax => Search::by_odds(),
        };
        let player = ByTrees { search, ..ByTrees::default() };
        Draft { player, weights: Weights::PAPER, depth: None, samples: SAMPLES }
    }

    fn finish(self) -> ByTrees {
        let Draft { mut player, weights, depth, samples } = self;
        let search = &mut player.search;
        if let Strategy::Search(_) = search.strategy {
            search.strategy = Strategy::Search(samples);
        }
        if let Evaluation::Hodgepodge(_) = search.evaluation {
            search.evaluation = Evaluation::Hodgepodge(weights);
            search.weights = weights;
        }
        let deep = if search.evaluation == Evaluation::WinLoss { DEEP } else { search.depth };
        search.depth = depth.unwrap_or(deep);
        player
    }

    fn odds(&mut self) -> Result<&mut Odds> {
        match &mut self.player.search.evaluation {
            Evaluation::Odds(odds) => Ok(odds),
            _ => bail!("this belongs to eval=odds, which comes first"),
        }
    }

    fn power(&mut self) -> Result<&mut PowerAhead> {
        self.player.search.power.as_mut().context("this belongs to power=playouts, which comes first")
    }
}

/// A setting: its key, the players that have it, what it says, its default with a player, and how it is set.
struct Setting {
    key: &'static str,
    players: &'static [Reader],
    says: &'static str,
    default: fn(&mut Draft) -> String,
    set: fn(&mut Draft, &str) -> Result<()>,
}

const EVERY: &[Reader] = &Reader::ALL;
const SEARCHING: &[Reader] = &[Reader::Mc, Reader::Odds, Reader::SmitsiMax];
const FLAT: &[Reader] = &[Reader::Mc, Reader::Odds];
const TREES: &[Reader] = &[Reader::SmitsiMax];

/// A setting of the search: key, players, what it says, default by the draft, and how a text sets it.
macro_rules! setting {
    ($key:literal, $players:ident, $says:literal, $default:expr, $set:expr) => {
        Setting { key: $key, players: $players, says: $says, default: $default, set: $set }
    };
}

/// A weight in tenths.
macro_rules! weight {
    ($key:literal, $field:ident, $says:literal) => {
        setting!($key, EVERY, $says, |draft| draft.weights.$field.to_string(), |draft, text| {
            draft.weights.$field = number(text)?;
            ensure!((-100_000..=100_000).contains(&draft.weights.$field), "-100000 to 100000 tenths");
            Ok(())
        })
    };
}

/// A number of the evaluation by odds, in hundredths of a round.
macro_rules! term {
    ($key:literal, $field:ident, $says:literal) => {
        setting!(
            $key,
            SEARCHING,
            $says,
            |draft| draft.odds().map_or_else(|_| none(), |odds| odds.$field.to_string()),
            |draft, text| {
                let place = &mut draft.odds()?.$field;
                *place = number(text)?;
                ensure!((0..=10_000).contains(place), "0 to 10000 hundredths of a round");
                Ok(())
            }
        )
    };
}

/// A number of the playouts that decide about power.
macro_rules! power {
    ($key:literal, $field:ident, $says:literal) => {
        setting!($key, SEARCHING, $says, |_| PowerAhead::USUAL.$field.to_string(), |draft, text| {
            draft.power()?.$field = number(text)?;
            Ok(())
        })
    };
}

/// The default of a setting that is off or asks for another one first.
fn none() -> String {
    "-".to_owned()
}

fn milliseconds(text: &str) -> Result<Duration> {
    number(text).map(Duration::from_millis)
}

/// All settings, in the order of the help.
static SETTINGS: &[Setting] = &[
    setting!(
        "eval",
        SEARCHING,
        "judge of positions: hodgepodge, odds, tuned, rounds, checkpoint, manhattan, informed, win",
        |draft| if draft.odds().is_ok() { "odds".to_owned() } else { "hodgepodge".to_owned() },
        |draft, text| set_evaluation(draft, text)
    ),
    setting!(
        "playout",
        SEARCHING,
        "programs in playouts: search, random, best",
        |draft| if draft.player.search.strategy == Strategy::Best { "best" } else { "search" }.to_owned(),
        |draft, text| {
            draft.player.search.strategy = match text {
                "random" => Strategy::Random,
                "search" => Strategy::Search(SAMPLES),
                "best" => Strategy::Best,
                _ => bail!("unknown playout {text}"),
            };
            Ok(())
        }
    ),
    setting!(
        "samples",
        EVERY,
        "actions that random search tries",
        |draft| draft.samples.to_string(),
        |draft, text| {
            draft.samples = number(text)?;
            Ok(())
        }
    ),
    setting!(
        "depth",
        SEARCHING,
        "turns of a playout; 10000 with eval=win",
        |draft| draft.player.search.depth.to_string(),
        |draft, text| {
            draft.depth = Some(number(text)?);
            Ok(())
        }
    ),
    setting!(
        "ms",
        SEARCHING,
        "budget of a decision: milliseconds by the clock",
        |_| "100".to_owned(),
        |draft, text| {
            draft.player.search.budget = Budget::Wall(milliseconds(text)?);
            Ok(())
        }
    ),
    setting!("cpu", SEARCHING, "or milliseconds of processor time", |_| none(), |draft, text| {
        draft.player.search.budget = Budget::Processor(milliseconds(text)?);
        Ok(())
    }),
    setting!("playouts", SEARCHING, "or playouts", |_| none(), |draft, text| {
        draft.player.search.budget = Budget::Playouts(number(text)?);
        Ok(())
    }),
    setting!("turns", SEARCHING, "or simulated turns", |_| none(), |draft, text| {
        draft.player.search.budget = Budget::Turns(number(text)?);
        Ok(())
    }),
    setting!(
        "focus",
        SEARCHING,
        "only the best actions by themselves are searched, so many; 0: all",
        |draft| draft.player.search.focus.to_string(),
        |draft, text| {
            draft.player.search.focus = number(text)?;
            Ok(())
        }
    ),
    setting!(
        "foresee",
        SEARCHING,
        "programs of all others that are drawn first; 0: new ones in each playout",
        |draft| draft.player.search.foresee.to_string(),
        |draft, text| {
            draft.player.search.foresee = number(text)?;
            ensure!(draft.player.search.foresee <= SCENARIO_CAP, "at most {SCENARIO_CAP}");
            Ok(())
        }
    ),
    term!("spread", spread, "of eval=odds, in hundredths of a round: difference that wins in 73 of 100"),
    term!("wear", wear, "of eval=odds: what a point of damage costs"),
    term!("last", last_life, "of eval=odds: what the last life costs"),
    setting!(
        "select",
        FLAT,
        "action that is sampled next: uniform, halving, ucb1",
        |draft| match draft.player.search.selection {
            Selection::Halving => "halving".to_owned(),
            _ => "uniform".to_owned(),
        },
        |draft, text| {
            draft.player.search.selection = match text {
                "uniform" => Selection::Uniform,
                "ucb1" => Selection::Ucb1 { exploration: EXPLORATION },
                "halving" => Selection::Halving,
                _ => bail!("unknown selection {text}"),
            };
            Ok(())
        }
    ),
    setting!(
        "exploration",
        FLAT,
        "of select=ucb1, in 1/65,536",
        |_| EXPLORATION.to_string(),
        |draft, text| {
            draft.player.search.selection = Selection::Ucb1 { exploration: number(text)? };
            Ok(())
        }
    ),
    setting!(
        "space",
        FLAT,
        "actions: classes of cards, or raw for all ordered choices",
        |_| "classes".to_owned(),
        |draft, text| {
            draft.player.search.space = match text {
                "classes" => ActionSpace::Classes,
                "raw" => ActionSpace::Raw,
                _ => bail!("unknown space {text}"),
            };
            Ok(())
        }
    ),
    setting!(
        "threads",
        FLAT,
        "threads of a decision",
        |draft| draft.player.search.threads.to_string(),
        |draft, text| {
            draft.player.search.threads = number(text)?;
            ensure!((1..=THREAD_CAP).contains(&draft.player.search.threads), "1 to {THREAD_CAP}");
            Ok(())
        }
    ),
    setting!(
        "steps",
        TREES,
        "nodes of the trees: programs, registers",
        |_| "programs".to_owned(),
        |draft, text| {
            draft.player.steps = match text {
                "programs" => Steps::Programs,
                "registers" => Steps::Registers,
                _ => bail!("steps are programs or registers"),
            };
            Ok(())
        }
    ),
    setting!(
        "others",
        TREES,
        "how the others play: policy, trees",
        |_| "policy".to_owned(),
        |draft, text| {
            draft.player.others = match text {
                "trees" => Others::Trees,
                "policy" => Others::Policy,
                _ => bail!("others are trees or policy"),
            };
            Ok(())
        }
    ),
    setting!(
        "exploration",
        TREES,
        "weight of UCB1's bonus, in 1/65,536",
        |draft| draft.player.settings.exploration.to_string(),
        |draft, text| {
            draft.player.settings.exploration = number::<u32>(text)?.min(1 << 24);
            Ok(())
        }
    ),
    setting!(
        "random",
        TREES,
        "visits of a node during which children are drawn",
        |draft| draft.player.settings.random_visits.to_string(),
        |draft, text| {
            draft.player.settings.random_visits = number(text)?;
            Ok(())
        }
    ),
    setting!(
        "announce",
        SEARCHING,
        "power down from this damage on",
        |draft| draft.player.search.power_down.announce.to_string(),
        |draft, text| {
            draft.player.search.power_down.announce = number(text)?;
            Ok(())
        }
    ),
    setting!(
        "stay",
        SEARCHING,
        "stay powered down from this damage on",
        |draft| draft.player.search.power_down.stay.to_string(),
        |draft, text| {
            draft.player.search.power_down.stay = number(text)?;
            Ok(())
        }
    ),
    setting!(
        "power",
        SEARCHING,
        "power and re-entry by damage, or by playouts",
        |_| "damage".to_owned(),
        |draft, text| {
            draft.player.search.power = match text {
                "damage" => None,
                "playouts" => Some(PowerAhead::USUAL),
                _ => bail!("power is decided by damage or playouts"),
            };
            Ok(())
        }
    ),
    power!("ahead", turns, "after power=playouts: turns of such a playout"),
    power!("trials", trials, "after power=playouts: most of them for each choice"),
    power!("least", least, "after power=playouts: least damage with which to ask"),
    weight!("won", won, "weight of eval=hodgepodge, in tenths: the race is won"),
    weight!("active", active, "the robot is active"),
    weight!("advantage", advantage, "flags ahead of the best other robot"),
    weight!("progress", progress, "the next flag"),
    weight!("damage", damage, "points of damage"),
    weight!("distance", distance, "Manhattan distance to the next flag"),
    weight!("way", way, "way to it around walls and pits"),
    weight!("life", life, "lives"),
    weight!("doomed", doomed, "on a belt that leads into a pit"),
    weight!("rounds", rounds, "rounds left to the last flag"),
    weight!("lead", lead, "rounds that the best other robot needs more"),
    weight!("out", out, "out of the race for good"),
];

/// Reads settings of a kind of player.
pub(super) fn read(mut draft: Draft, reader: Reader, pairs: &[(&str, &str)]) -> Result<ByTrees> {
    for &(key, text) in pairs {
        let setting = SETTINGS.iter().find(|setting| setting.key == key && setting.players.contains(&reader));
        let name = reader.name();
        let setting = setting.with_context(|| format!("{name} has no setting {key}; --help lists them"))?;
        (setting.set)(&mut draft, text).with_context(|| key.to_owned())?;
    }
    Ok(draft.finish())
}

/// Sets the evaluation of a name, and the weights that it brings.
fn set_evaluation(draft: &mut Draft, name: &str) -> Result<()> {
    let mut by = |weights| {
        draft.weights = weights;
        Evaluation::Hodgepodge(weights)
    };
    draft.player.search.evaluation = match name {
        "win" => Evaluation::WinLoss,
        "checkpoint" => Evaluation::Advantage,
        "manhattan" => Evaluation::Manhattan,
        "informed" => Evaluation::Informed,
        "odds" => Evaluation::Odds(Odds::USUAL),
        "hodgepodge" => by(Weights::PAPER),
        "tuned" => by(Weights::TUNED),
        "rounds" => by(Weights::ROUNDS),
        _ => bail!("unknown evaluation {name}"),
    };
    Ok(())
}

/// The players and their settings, for the help of commands that take players.
pub fn player_help() -> String {
    let mut text = "Players:\n  \
        random             any action\n  \
        search:KEY=VALUE   the best of some random actions\n  \
        best               the program after which it should need the fewest rounds alone\n  \
        mc:KEY=VALUE,...   Monte-Carlo search as in the paper\n  \
        odds:KEY=VALUE,... the bot\n  \
        smitsimax:...      a tree for each robot\n  \
        cmd:COMMAND        in the arena: a program that speaks the bot's protocol\n\n\
        By the rules of 2016 and 2023 there are random, search, best, odds (or mc:eval=odds) and cmd, without threads,\n\
        space, announce, stay and power.\n\n\
        Settings with their defaults for each player that has them:\n"
        .to_owned();
    let mut row = |key: &str, defaults: [String; 4], says: &str| {
        let [search, mc, odds, smitsimax] = defaults;
        let _ = writeln!(text, "  {key:11} {search:6} {mc:10} {odds:7} {smitsimax:9} {says}");
    };
    row("key", Reader::ALL.map(|reader| reader.name().to_owned()), "says");
    for setting in SETTINGS {
        let default = |reader: Reader| {
            let has = setting.players.contains(&reader);
            if has { (setting.default)(&mut Draft::of(reader)) } else { String::new() }
        };
        row(setting.key, Reader::ALL.map(default), setting.says);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_change_nothing() {
        for reader in Reader::ALL {
            let plain = read(Draft::of(reader), reader, &[]).expect("no settings");
            for setting in SETTINGS.iter().filter(|setting| setting.players.contains(&reader)) {
                let default = (setting.default)(&mut Draft::of(reader));
                let depends = ["ahead", "trials", "least", "exploration"].contains(&setting.key);
                if default == "-" || depends {
                    continue;
                }
                let read = read(Draft::of(reader), reader, &[(setting.key, &default)]).expect(setting.key);
                assert_eq!(read, plain, "{reader:?} {}={default}", setting.key);
            }
        }
    }

    #[test]
    fn every_setting_is_in_the_help_once_for_a_player() {
        let help = player_help();
        for reader in Reader::ALL {
            for setting in SETTINGS.iter().filter(|setting| setting.players.contains(&reader)) {
                let same = |other: &&Setting| other.key == setting.key && other.players.contains(&reader);
                assert_eq!(SETTINGS.iter().filter(same).count(), 1, "{}", setting.key);
                assert!(help.contains(&format!("\n  {:11} ", setting.key)), "{help}");
            }
        }
        assert!(help.lines().all(|line| line.len() <= 140), "{help}");
    }
}
