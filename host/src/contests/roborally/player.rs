//! A player at the table: programs, announcements and decisions at the end of a turn.

use anyhow::{Result, anyhow};
use barrow_core::contests::roborally::bot::{Decision, Distances, Evaluation, Judge, Power, Table};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Program};
use barrow_core::contests::roborally::{Board, CardSet, Profile, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, Arm, Effort, Options};

use super::spec::Spec;

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

    fn judge(&self, evaluation: Evaluation) -> Judge<'_> {
        Judge::new(&self.board, &self.distances, evaluation)
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
    spec: Spec,
    arms: Vec<Arm>,
}

impl Player {
    /// A player.
    pub fn new(spec: Spec) -> Player {
        Player { spec, arms: Vec::new() }
    }

    /// What it is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Becomes another player with the same memory.
    pub fn set_spec(&mut self, spec: Spec) {
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
            Spec::Plain(plain) => {
                let judge = course.judge(Evaluation::Hodgepodge(plain.weights));
                let table = Table { judge, strategy: plain.strategy, power: Power::USUAL };
                let program = table.choose(state, robot, hand, dice);
                let announces = state.profile() == Profile::Classic && table.power.announces(state, robot);
                Ok(Choice { program, announces, ..Choice::default() })
            }
            Spec::Search(search) => {
                let judge = course.judge(Evaluation::Hodgepodge(search.weights));
                let table = Table { judge, strategy: search.strategy, power: search.power };
                let judge = course.judge(search.evaluation);
                let spent = search.budget.start();
                let Some(mut decision) = Decision::new(table, judge, *state, robot, hand, search.space)
                else {
                    return Ok(Choice::default());
                };
                decision.shorten(search.focus, dice);
                self.arms.resize(ACTION_CAP, Arm::default());
                let options = Options { depth: search.depth, selection: search.selection };
                let report = flat::search(&decision, options, &mut self.arms, dice, spent)
                    .map_err(|_| anyhow!("more actions than a hand of nine cards has"))?;
                let program = decision.program(report.action);
                let announces = state.profile() == Profile::Classic && decision.announces(&program);
                Ok(Choice { program, announces, effort: report.effort, value: report.value })
            }
        }
    }

    /// Whether its powered-down robot stays so after this turn.
    pub fn stays(&self, state: &State, robot: usize) -> bool {
        let power = match self.spec {
            Spec::Plain(_) => Power::USUAL,
            Spec::Search(search) => search.power,
        };
        power.stays(state, robot)
    }
}
