//! A player at the table: programs, announcements and decisions at the end of a turn.

use anyhow::{Result, anyhow};
use barrow_core::contests::roborally::bot::{
    Distances, Evaluation, Evaluator, PlayoutPolicy, PowerDownPolicy, ProgramGame,
};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Program};
use barrow_core::contests::roborally::{Board, CardSet, Profile, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, Arm, Effort, Options};

use super::player_spec::PlayerSpec;

/// A board with what is computed once for it.
pub struct Course {
    /// The board.
    pub board: Board,
    /// Steps to its flags.
    pub distances: Distances,
}

impl Course {
    /// The distances of a board, kept with it.
    pub fn new(board: Board) -> Course {
        Course { distances: Distances::new(&board), board }
    }

    fn evaluator(&self, evaluation: Evaluation) -> Evaluator<'_> {
        Evaluator::new(&self.board, &self.distances, evaluation)
    }
}

/// What a player chose.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The cards for its unlocked registers.
    pub program: Program,
    /// Whether it announces power down.
    pub announces: bool,
    /// The work done.
    pub effort: Effort,
    /// The mean value of the program, in 1/65,536; of no meaning without a search.
    pub value: i32,
}

/// A player with its memory.
pub struct Player {
    spec: PlayerSpec,
    arms: Vec<Arm>,
}

impl Player {
    /// A player.
    pub fn new(spec: PlayerSpec) -> Player {
        Player { spec, arms: Vec::new() }
    }

    /// What it is.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Becomes another player with the same memory.
    pub fn set_spec(&mut self, spec: PlayerSpec) {
        self.spec = spec;
    }

    /// Chooses the program of a robot for this hand. Nothing for a robot that programs nothing.
    pub fn choose(
        &mut self,
        course: &Course,
        state: &State,
        robot: usize,
        hand: CardSet,
        dice: &mut Rng,
    ) -> Result<Choice> {
        match self.spec {
            PlayerSpec::Plain(plain) => {
                let evaluator = course.evaluator(Evaluation::Hodgepodge(plain.weights));
                let policy =
                    PlayoutPolicy { evaluator, strategy: plain.strategy, power_down: PowerDownPolicy::USUAL };
                let program = policy.choose(state, robot, hand, dice);
                let announces =
                    state.profile() == Profile::Classic && policy.power_down.announces(state, robot);
                Ok(Choice { program, announces, ..Choice::default() })
            }
            PlayerSpec::Search(search) => {
                let evaluator = course.evaluator(Evaluation::Hodgepodge(search.weights));
                let policy =
                    PlayoutPolicy { evaluator, strategy: search.strategy, power_down: search.power_down };
                let evaluator = course.evaluator(search.evaluation);
                let spent = search.budget.start();
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

    /// Whether its powered-down robot stays so after this turn.
    pub fn stays(&self, state: &State, robot: usize) -> bool {
        let power_down = match self.spec {
            PlayerSpec::Plain(_) => PowerDownPolicy::USUAL,
            PlayerSpec::Search(search) => search.power_down,
        };
        power_down.stays(state, robot)
    }
}
