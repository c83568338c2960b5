//! Players by their names on the command line and in the bot's command `player`:
//! `random`, `search:samples=10`, `mc:eval=hodgepodge,playout=search,depth=2,ms=100`, `odds:ms=100`.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail, ensure};
use barrow_core::contests::roborally::bot::{
    ActionSpace, Evaluation, Odds, Others, PowerDownPolicy, SCENARIO_CAP, Strategy, Weights,
};
use barrow_core::search::flat::Selection;
use barrow_core::search::smitsimax::Settings;

use super::budget::Budget;
use barrow_session::contests::roborally::robot_text::number;

/// The kind of a player, with its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// A playout strategy without search above: uniformly random, or random search.
    Plain(Plain),
    /// Monte-Carlo search over numbered actions.
    Search(Search),
    /// SmitsiMax over registers: a tree for each robot.
    ByRegisters(ByRegisters),
    /// A program that speaks the bot's protocol: its command line, split at spaces.
    Program(Vec<String>),
}

/// A player that plays by a playout strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Strategy that chooses programs.
    pub strategy: Strategy,
    /// Weights of the evaluation of random search.
    pub weights: Weights,
}

/// A player by Monte-Carlo search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Evaluation of positions at the end of playouts.
    pub evaluation: Evaluation,
    /// Strategy of playouts.
    pub strategy: Strategy,
    /// Weights of the evaluation of random search in playouts.
    pub weights: Weights,
    /// Depth of playouts in turns.
    pub depth: u32,
    /// Budget of a decision.
    pub budget: Budget,
    /// Selection of the next action to sample.
    pub selection: Selection,
    /// Action space.
    pub space: ActionSpace,
    /// Length of the shortlist of searched actions; 0 for all actions.
    pub focus: usize,
    /// Programs of the others that are drawn before the search, and that all actions meet; 0 for new ones in each
    /// playout.
    pub foresee: usize,
    /// When the robot powers down.
    pub power_down: PowerDownPolicy,
    /// Playouts that decide about power down and re-entry; `None` for the thresholds alone.
    pub power: Option<PowerAhead>,
    /// Threads of a decision, at least 1.
    pub threads: usize,
}

/// Playouts that decide about power down and re-entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PowerAhead {
    /// Turns of a playout.
    pub turns: u32,
    /// Most playouts of each choice.
    pub trials: u32,
    /// Least damage with which it is asked whether to announce.
    pub least: u8,
}

impl PowerAhead {
    /// The usual playouts.
    pub const USUAL: PowerAhead = PowerAhead { turns: 3, trials: 200, least: 2 };
}

/// A player by SmitsiMax, a node for each register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByRegisters {
    /// Settings that the player has in common with Monte-Carlo search; selection and threads are not used.
    pub search: Search,
    /// How the other robots play in the search.
    pub others: Others,
    /// Constants of the trees.
    pub settings: Settings,
}

impl Default for ByRegisters {
    fn default() -> ByRegisters {
        ByRegisters {
            search: Search::by_odds(),
            others: Others::Policy,
            settings: Settings { random_visits: 10, exploration: 1 << 14 },
        }
    }
}

/// Depth of playouts for win or loss: until the end of nearly every race.
const DEEP: u32 = 10_000;

/// Random actions that random search tries: the fast setting of the paper's program.
const SAMPLES: u32 = 10;

/// Most threads of a decision.
const THREAD_CAP: usize = 64;

/// UCB1's exploration, in 1/65,536 of a win chance.
const EXPLORATION: u32 = 2_000;

impl Default for Search {
    fn default() -> Search {
        Search {
            evaluation: Evaluation::Hodgepodge(Weights::PAPER),
            strategy: Strategy::Search(SAMPLES),
            weights: Weights::PAPER,
            depth: 2,
            budget: Budget::Wall(Duration::from_millis(100)),
            selection: Selection::Uniform,
            space: ActionSpace::Classes,
            focus: 0,
            foresee: 0,
            power_down: PowerDownPolicy::USUAL,
            power: None,
            threads: 1,
        }
    }
}

impl Search {
    /// The player by rounds: a long shortlist, and one turn of each action against the same programs of the others,
    /// judged by the chance of winning.
    pub fn by_odds() -> Search {
        Search {
            evaluation: Evaluation::Odds(Odds::USUAL),
            strategy: Strategy::Best,
            depth: 1,
            selection: Selection::Halving,
            focus: 256,
            foresee: 256,
            ..Search::default()
        }
    }

    /// The player with other weights in evaluation and playouts.
    pub fn with_weights(self, weights: Weights) -> Search {
        Search { evaluation: Evaluation::Hodgepodge(weights), weights, ..self }
    }
}

impl PlayerSpec {
    /// Whether the player asks for the tables of a robot alone.
    pub fn needs_solo(&self) -> bool {
        let counts = |weights: &Weights| weights.rounds != 0 || weights.lead != 0;
        match self {
            PlayerSpec::Plain(plain) => plain.strategy == Strategy::Best || counts(&plain.weights),
            PlayerSpec::Search(search) | PlayerSpec::ByRegisters(ByRegisters { search, .. }) => {
                search.strategy == Strategy::Best
                    || matches!(search.evaluation, Evaluation::Odds(_))
                    || counts(&search.weights)
            }
            PlayerSpec::Program(_) => false,
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerSpec> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let words: Vec<String> = command.split_ascii_whitespace().map(str::to_owned).collect();
            ensure!(!words.is_empty(), "cmd: needs a command");
            return Ok(PlayerSpec::Program(words));
        }
        let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
        let settings = settings.split(',').filter(|setting| !setting.is_empty());
        let pairs: Vec<(&str, &str)> = settings
            .map(|setting| setting.split_once('=').with_context(|| format!("{setting}: KEY=VALUE is needed")))
            .collect::<Result<_>>()?;
        match kind {
            "random" => {
                ensure!(pairs.is_empty(), "random has no settings");
                Ok(PlayerSpec::Plain(Plain { strategy: Strategy::Random, weights: Weights::PAPER }))
            }
            "search" => {
                let mut plain = Plain { strategy: Strategy::Search(SAMPLES), weights: Weights::PAPER };
                for (key, value) in pairs {
                    match key {
                        "samples" => plain.strategy = Strategy::Search(number(value)?),
                        _ if set_weight(&mut plain.weights, key, value)? => {}
                        _ => bail!("unknown setting {key}"),
                    }
                }
                Ok(PlayerSpec::Plain(plain))
            }
            "best" => {
                ensure!(pairs.is_empty(), "best has no settings");
                Ok(PlayerSpec::Plain(Plain { strategy: Strategy::Best, weights: Weights::ROUNDS }))
            }
            "mc" => search(Search::default(), &pairs).map(PlayerSpec::Search),
            "odds" => search(Search::by_odds(), &pairs).map(PlayerSpec::Search),
            "smitsimax" => by_registers(pairs).map(PlayerSpec::ByRegisters),
            _ => bail!(
                "unknown player {kind}; there are random, search, best, mc, odds, smitsimax and cmd:COMMAND"
            ),
        }
    }
}

/// Reads the player by SmitsiMax: its own settings, and those that it has in common with Monte-Carlo search.
fn by_registers(pairs: Vec<(&str, &str)>) -> Result<ByRegisters> {
    let mut player = ByRegisters::default();
    let mut common = Vec::new();
    for (key, value) in pairs {
        match key {
            "others" => {
                player.others = match value {
                    "trees" => Others::Trees,
                    "policy" => Others::Policy,
                    _ => bail!("others are trees or policy"),
                }
            }
            "exploration" => player.settings.exploration = number::<u32>(value)?.min(1 << 24),
            "random" => player.settings.random_visits = number(value)?,
            "select" | "space" | "threads" => bail!("smitsimax has no {key}"),
            _ => common.push((key, value)),
        }
    }
    player.search = search(player.search, &common)?;
    Ok(player)
}

fn search(mut search: Search, pairs: &[(&str, &str)]) -> Result<Search> {
    let mut weights = Weights::PAPER;
    let mut depth = None;
    let mut samples = SAMPLES;
    for &(key, value) in pairs {
        let milliseconds = || number(value).map(Duration::from_millis);
        match key {
            "eval" => (search.evaluation, weights) = evaluation(value, weights)?,
            "playout" => {
                search.strategy = match value {
                    "random" => Strategy::Random,
                    "search" => Strategy::Search(SAMPLES),
                    "best" => Strategy::Best,
                    _ => bail!("unknown playout {value}"),
                }
            }
            "samples" => samples = number(value)?,
            "depth" => depth = Some(number(value)?),
            "playouts" => search.budget = Budget::Playouts(number(value)?),
            "turns" => search.budget = Budget::Turns(number(value)?),
            "ms" => search.budget = Budget::Wall(milliseconds()?),
            "cpu" => search.budget = Budget::Processor(milliseconds()?),
            "select" => {
                search.selection = match value {
                    "uniform" => Selection::Uniform,
                    "ucb1" => Selection::Ucb1 { exploration: EXPLORATION },
                    "halving" => Selection::Halving,
                    _ => bail!("unknown selection {value}"),
                }
            }
            "exploration" => search.selection = Selection::Ucb1 { exploration: number(value)? },
            "space" => {
                search.space = match value {
                    "classes" => ActionSpace::Classes,
                    "raw" => ActionSpace::Raw,
                    _ => bail!("unknown space {value}"),
                }
            }
            "focus" => search.focus = number(value)?,
            "foresee" => {
                search.foresee = number(value)?;
                ensure!(search.foresee <= SCENARIO_CAP, "foresee: at most {SCENARIO_CAP}");
            }
            "spread" | "wear" | "last" => set_odds(&mut search.evaluation, key, value)?,
            "threads" => {
                search.threads = number(value)?;
                ensure!((1..=THREAD_CAP).contains(&search.threads), "threads: 1 to {THREAD_CAP}");
            }
            "power" => {
                search.power = match value {
                    "damage" => None,
                    "playouts" => Some(PowerAhead::USUAL),
                    _ => bail!("power is decided by damage or playouts"),
                }
            }
            "ahead" | "trials" | "least" => set_power(&mut search.power, key, value)?,
            "announce" => search.power_down.announce = number(value)?,
            "stay" => search.power_down.stay = number(value)?,
            _ if set_weight(&mut weights, key, value)? => {}
            _ => bail!("unknown setting {key}"),
        }
    }
    if let Strategy::Search(_) = search.strategy {
        search.strategy = Strategy::Search(samples);
    }
    if let Evaluation::Hodgepodge(_) = search.evaluation {
        search.evaluation = Evaluation::Hodgepodge(weights);
        search.weights = weights;
    }
    let deep = if search.evaluation == Evaluation::WinLoss { DEEP } else { search.depth };
    search.depth = depth.unwrap_or(deep);
    Ok(search)
}

/// The evaluation of a name, with the weights that it brings, or else those there are.
fn evaluation(name: &str, weights: Weights) -> Result<(Evaluation, Weights)> {
    let by = |weights| (Evaluation::Hodgepodge(weights), weights);
    Ok(match name {
        "win" => (Evaluation::WinLoss, weights),
        "checkpoint" => (Evaluation::Advantage, weights),
        "manhattan" => (Evaluation::Manhattan, weights),
        "informed" => (Evaluation::Informed, weights),
        "odds" => (Evaluation::Odds(Odds::USUAL), weights),
        "hodgepodge" => (Evaluation::Hodgepodge(Weights::PAPER), weights),
        "tuned" => by(Weights::TUNED),
        "rounds" => by(Weights::ROUNDS),
        _ => bail!("unknown evaluation {name}"),
    })
}

/// Sets a number of the playouts that decide about power.
fn set_power(power: &mut Option<PowerAhead>, key: &str, value: &str) -> Result<()> {
    let power =
        power.as_mut().with_context(|| format!("{key} belongs to power=playouts, which comes first"))?;
    match key {
        "ahead" => power.turns = number(value)?,
        "trials" => power.trials = number(value)?,
        _ => power.least = number(value)?,
    }
    Ok(())
}

/// Sets a number of the evaluation by odds, in hundredths of a round.
fn set_odds(evaluation: &mut Evaluation, key: &str, value: &str) -> Result<()> {
    let Evaluation::Odds(odds) = evaluation else { bail!("{key} belongs to eval=odds, which comes first") };
    let place = match key {
        "spread" => &mut odds.spread,
        "wear" => &mut odds.wear,
        _ => &mut odds.last_life,
    };
    *place = number(value)?;
    ensure!((0..=10_000).contains(place), "{key}: 0 to 10000 hundredths of a round");
    Ok(())
}

/// Sets the weight of a name, in tenths. Returns whether there is a weight of this name.
fn set_weight(weights: &mut Weights, key: &str, value: &str) -> Result<bool> {
    let weight = match key {
        "won" => &mut weights.won,
        "active" => &mut weights.active,
        "advantage" => &mut weights.advantage,
        "progress" => &mut weights.progress,
        "damage" => &mut weights.damage,
        "distance" => &mut weights.distance,
        "way" => &mut weights.way,
        "life" => &mut weights.life,
        "doomed" => &mut weights.doomed,
        "rounds" => &mut weights.rounds,
        "lead" => &mut weights.lead,
        "out" => &mut weights.out,
        _ => return Ok(false),
    };
    *weight = number(value)?;
    ensure!((-100_000..=100_000).contains(weight), "{key}: weights are -100000 to 100000 tenths");
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read() {
        let read = |text: &str| text.parse::<PlayerSpec>().expect(text);
        let PlayerSpec::Search(search) =
            read("mc:playout=random,eval=win,turns=500,select=halving,space=raw")
        else {
            panic!("mc searches");
        };
        assert_eq!((search.depth, search.budget), (DEEP, Budget::Turns(500)));
        assert_eq!((search.selection, search.space), (Selection::Halving, ActionSpace::Raw));
        let PlayerSpec::Search(search) = read("mc:distance=-7,samples=3") else { panic!("mc searches") };
        assert_eq!(search.strategy, Strategy::Search(3));
        let weights = Weights { distance: -7, ..Weights::PAPER };
        assert_eq!(search.evaluation, Evaluation::Hodgepodge(weights));
        assert_eq!(read("random"), read("random:"));
        assert!(read("mc:eval=rounds").needs_solo() && read("best").needs_solo() && !read("mc").needs_solo());
        assert!(read("odds").needs_solo() && read("odds") == read("odds:spread=70,depth=1"));
        assert_eq!(
            read("odds"),
            read("mc:eval=odds,playout=best,depth=1,select=halving,focus=256,foresee=256")
        );
        assert_eq!(read("cmd:a b"), PlayerSpec::Program(vec!["a".to_owned(), "b".to_owned()]));
        let PlayerSpec::ByRegisters(player) =
            read("smitsimax:others=trees,exploration=9,random=2,depth=2,cpu=7")
        else {
            panic!("smitsimax has trees");
        };
        assert_eq!((player.others, player.search.depth), (Others::Trees, 2));
        assert_eq!(player.settings, Settings { random_visits: 2, exploration: 9 });
        assert!(read("smitsimax").needs_solo());
        let PlayerSpec::Search(search) = read("odds:power=playouts,ahead=4,least=3") else {
            panic!("odds searches");
        };
        assert_eq!(search.power, Some(PowerAhead { turns: 4, least: 3, ..PowerAhead::USUAL }));
        for bad in [
            "smitsimax:select=ucb1",
            "smitsimax:others=me",
            "odds:ahead=3",
            "odds:power=on",
            "mcts",
            "cmd:",
            "mc:threads=0",
            "best:x=1",
            "mc:depth",
            "mc:depth=x",
            "mc:eval=best",
            "random:samples=3",
            "mc:won=9999999",
            "mc:spread=3",
            "odds:foresee=513",
        ] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }
}
