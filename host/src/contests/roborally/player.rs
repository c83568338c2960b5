//! Players: programs, announcements, and decisions at the end of a turn.

use anyhow::Result;
use barrow_core::contests::roborally::bot::{Evaluation, NEVER, PlayoutPolicy, PowerDownPolicy};
use barrow_core::contests::roborally::{CardSet, Decisions, Profile, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{ALL_SPENT, Arm, Effort};

use super::board_text;
use super::budget::Budget;
use super::choice::{Choice, Limits};
use super::course::Course;
use super::decision;
use super::external::{External, ProgramFault};
use super::pace::Pace;
use super::player_spec::{Plain, PlayerSpec};
use super::situation::{self, Situation};
use super::tree_decision;

/// A player with the memory of its search.
pub struct Player {
    spec: PlayerSpec,
    arms: Vec<Vec<Arm>>,
    nodes: tree_decision::Nodes,
    external: Option<External>,
    fault: Option<String>,
    pace: Pace,
}

impl Player {
    /// A player of a kind.
    pub fn new(spec: PlayerSpec) -> Player {
        Player {
            spec,
            arms: Vec::new(),
            nodes: tree_decision::Nodes::default(),
            external: None,
            fault: None,
            pace: Pace::default(),
        }
    }

    /// How long its decisions have taken.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The fault of a program, with its turn. Who has committed one plays at random from there on.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Kind of the player.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Computes the tables that the player will ask for on a course.
    pub fn prepare(&self, course: &Course, profile: Profile) {
        if self.spec.needs_solo() {
            course.solo(profile);
        }
    }

    /// Chooses the program of a robot for a hand; empty for a robot that does not program this turn.
    pub fn choose(
        &mut self,
        course: &Course,
        state: &State,
        robot: usize,
        hand: CardSet,
        dice: &mut Rng,
    ) -> Result<Choice> {
        let limits = Limits { budget: None, is_stopped: &mut || false, hints: 0 };
        self.choose_within(limits, course, state, robot, hand, dice)
    }

    /// Chooses as [`Player::choose`] does, within limits.
    pub fn choose_within(
        &mut self,
        limits: Limits<'_>,
        course: &Course,
        state: &State,
        robot: usize,
        hand: CardSet,
        dice: &mut Rng,
    ) -> Result<Choice> {
        let needs_solo = self.spec.needs_solo();
        let situation = Situation { course, state, robot, hand };
        match &self.spec {
            PlayerSpec::Plain(plain) => Ok(choose_plainly(plain, needs_solo, limits, situation, dice)),
            PlayerSpec::Search(search) => {
                if needs_solo {
                    // Tables are not a part of the decision's time.
                    course.solo(state.profile());
                }
                let timed = Pace::start(limits.budget.unwrap_or(search.budget));
                let choice = decision::decide(search, limits, situation, &mut self.arms, dice)?;
                self.pace.count(&timed, choice.effort);
                Ok(choice)
            }
            PlayerSpec::ByTrees(player) => {
                if needs_solo {
                    course.solo(state.profile());
                }
                let timed = Pace::start(limits.budget.unwrap_or(player.search.budget));
                let choice = tree_decision::decide(player, limits, situation, &mut self.nodes, dice);
                self.pace.count(&timed, choice.effort);
                Ok(choice)
            }
            PlayerSpec::Program(words) => {
                match Self::ask(&mut self.external, words, course, state, robot, hand) {
                    Err(error) if error.is::<ProgramFault>() => {
                        self.fault = Some(format!("turn {}: {error}", state.turn() + 1));
                        self.external = None;
                        self.spec = PlayerSpec::Plain(Plain::RANDOM);
                        self.choose_within(limits, course, state, robot, hand, dice)
                    }
                    answer => answer,
                }
            }
        }
    }

    /// Asks a program, which is started if it does not run yet.
    fn ask(
        external: &mut Option<External>,
        words: &[String],
        course: &Course,
        state: &State,
        robot: usize,
        hand: CardSet,
    ) -> Result<Choice> {
        let rules = match state.profile() {
            Profile::Classic => "classic",
            Profile::Rallyrobo => "rallyrobo",
        };
        let start = || External::start(words, &board_text::write(&course.board), rules);
        let program = external.take().map_or_else(start, Ok)?;
        external.insert(program).choose(state, robot, hand)
    }

    /// Decisions of a robot's owner after the registers of a turn: by damage, or by playouts within a quarter of the time
    /// of a decision.
    pub fn ends_turn(&self, course: &Course, state: &State, robot: usize, dice: &mut Rng) -> Decisions {
        let search = match &self.spec {
            PlayerSpec::Plain(_) | PlayerSpec::Program(_) => None,
            PlayerSpec::Search(search) => Some(search),
            PlayerSpec::ByTrees(player) => Some(&player.search),
        };
        let power_down = search.map_or(PowerDownPolicy::USUAL, |search| search.power_down);
        let Some((search, power)) = search.and_then(|search| Some((search, search.power?))) else {
            let stay_down = u8::from(power_down.stays(state, robot)) << robot;
            return Decisions { stay_down, ..Decisions::default() };
        };
        let (policy, judge) = situation::means((course, state.profile()), search, NEVER);
        let mut spent = search.budget.start();
        let is_timed = search.budget.time().is_some();
        let more = || !is_timed || spent(Effort::default()) < ALL_SPENT / 4;
        decision::power_search(search, power, policy, judge).at_turn_end(state, robot, dice, more)
    }
}

/// The choice of a player without a search.
fn choose_plainly(
    plain: &Plain,
    needs_solo: bool,
    limits: Limits<'_>,
    situation: Situation<'_>,
    dice: &mut Rng,
) -> Choice {
    let Situation { course, state, robot, hand } = situation;
    let Limits { budget, is_stopped, .. } = limits;
    let evaluator = course.evaluator(Evaluation::Hodgepodge(plain.weights), state.profile(), needs_solo);
    let policy = PlayoutPolicy {
        evaluator,
        strategy: plain.strategy,
        power_down: PowerDownPolicy::USUAL,
        is_due: &|| false,
    };
    let mut spent = budget.map(Budget::start);
    let more = || {
        let is_late = spent.as_mut().is_some_and(|spent| spent(Effort::default()) >= ALL_SPENT);
        !is_late && !is_stopped()
    };
    let program = policy.choose_while(state, robot, hand, dice, more);
    let announces = state.profile() == Profile::Classic && policy.power_down.announces(state, robot);
    Choice { program, announces, ..Choice::default() }
}
