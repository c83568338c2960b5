//! Players: programs, announcements, and decisions at the end of a turn.

use anyhow::{Result, anyhow};
use barrow_core::contests::roborally::bot::{
    Distances, Evaluation, Evaluator, PlayoutPolicy, PowerDownPolicy, ProgramGame,
};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Program};
use barrow_core::contests::roborally::{Board, CardSet, Profile, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, ALL_SPENT, Arm, Effort, Options};

use super::budget::Budget;
use super::player_spec::PlayerSpec;

/// A board with its tables of distances.
pub struct Course {
    /// The board.
    pub board: Board,
    /// Steps from each cell to each flag.
    pub distances: Distances,
}

impl Course {
    /// Computes the distances of a board.
    pub fn new(board: Board) -> Course {
        Course { distances: Distances::new(&board), board }
    }

    fn evaluator(&self, evaluation: Evaluation) -> Evaluator<'_> {
        Evaluator::new(&self.board, &self.distances, evaluation)
    }
}

/// The choice of a player for one turn.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Cards for the unlocked registers.
    pub program: Program,
    /// Whether the player announces power down.
    pub announces: bool,
    /// Work of the search.
    pub effort: Effort,
    /// Mean value of the program in 1/65,536; 0 without a search.
    pub value: i32,
}

/// Limits that end a decision before the player's own budget does.
pub struct Limits<'a> {
    /// Budget in place of the player's own, for players that search. Of the others it bounds the time alone.
    pub budget: Option<Budget>,
    /// Whether the host has asked for the decision.
    pub is_stopped: &'a mut dyn FnMut() -> bool,
}

/// A player with the memory of its search.
pub struct Player {
    spec: PlayerSpec,
    arms: Vec<Arm>,
}

impl Player {
    /// A player of a kind.
    pub fn new(spec: PlayerSpec) -> Player {
        Player { spec, arms: Vec::new() }
    }

    /// Kind of the player.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
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
        let limits = Limits { budget: None, is_stopped: &mut || false };
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
        let Limits { budget, is_stopped } = limits;
        match self.spec {
            PlayerSpec::Plain(plain) => {
                let evaluator = course.evaluator(Evaluation::Hodgepodge(plain.weights));
                let policy =
                    PlayoutPolicy { evaluator, strategy: plain.strategy, power_down: PowerDownPolicy::USUAL };
                let mut spent = budget.map(Budget::start);
                let more = || {
                    let is_late = spent.as_mut().is_some_and(|spent| spent(Effort::default()) >= ALL_SPENT);
                    !is_late && !is_stopped()
                };
                let program = policy.choose_while(state, robot, hand, dice, more);
                let announces =
                    state.profile() == Profile::Classic && policy.power_down.announces(state, robot);
                Ok(Choice { program, announces, ..Choice::default() })
            }
            PlayerSpec::Search(search) => {
                let evaluator = course.evaluator(Evaluation::Hodgepodge(search.weights));
                let policy =
                    PlayoutPolicy { evaluator, strategy: search.strategy, power_down: search.power_down };
                let evaluator = course.evaluator(search.evaluation);
                let mut budget = budget.unwrap_or(search.budget).start();
                let spent = |effort| if is_stopped() { ALL_SPENT } else { budget(effort) };
                let Some(mut game) = ProgramGame::new(policy, evaluator, *state, robot, hand, search.space)
                else {
                    return Ok(Choice::default());
                };
                game.shorten(search.focus, dice);
                self.arms.resize(ACTION_CAP, Arm::default());
                let options = Options { depth: search.depth, selection: search.selection };
                let report = flat::search(&game, options, &mut self.arms, dice, spent)
                    .map_err(|_| anyhow!("more actions than a hand of nine cards has"))?;
                let program = game.program(report.action);
                let announces = state.profile() == Profile::Classic && game.announces(&program);
                Ok(Choice { program, announces, effort: report.effort, value: report.value })
            }
        }
    }

    /// Whether the player's powered-down robot stays powered down after this turn.
    pub fn stays(&self, state: &State, robot: usize) -> bool {
        let power_down = match self.spec {
            PlayerSpec::Plain(_) => PowerDownPolicy::USUAL,
            PlayerSpec::Search(search) => search.power_down,
        };
        power_down.stays(state, robot)
    }
}
