//! A race of RoboRally between built-in bots.

use barrow_core::contests::roborally::bot::{
    ActionSpace, Distances, Evaluation, Evaluator, NEVER, PlayoutPolicy, PowerDownPolicy, ProgramGame,
    Strategy, Weights,
};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Program};
use barrow_core::contests::roborally::{Board, Card, CardSet, Course, Decisions, Profile, REGISTERS, State};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, ALL_SPENT, Arm, Effort, Options, Selection};

use super::findings::Moment;
use super::{SEATS, race, scene};
use crate::contests::live::{LiveGame, chosen};
use crate::messages::{MatchAsk, Scene, WatchedGame};

/// Names of the bots, the strongest first.
pub(in crate::contests) const BOTS: [&str; 3] = ["playouts", "search", "random"];

/// Turns in playouts of a decision of the strongest bot: what a page has time for.
const PLAYED_TURNS: u64 = 1_500;

/// Depth of these playouts in turns.
const DEPTH: u32 = 3;

/// Programs of which the playouts choose one: those that do best alone.
const SHORTLIST: usize = 24;

/// Random programs that random search tries.
const SAMPLES: u32 = 10;

/// Turns after which a race ends without a winner.
const MOST_TURNS: u16 = 100;

/// Course of a race that names none.
const USUAL: &str = "checkmate";

/// Race between bots.
pub(in crate::contests) struct RoborallyMatch {
    board: Board,
    distances: Distances,
    state: State,
    bots: Vec<Bot>,
    deals: Rng,
}

/// Bot with its generator.
struct Bot {
    name: String,
    dice: Rng,
}

impl RoborallyMatch {
    /// A race before its first turn, as it is watched.
    pub(in crate::contests) fn new(ask: &MatchAsk) -> Result<(RoborallyMatch, WatchedGame), String> {
        let course = Course::named(ask.map.as_deref().unwrap_or(USUAL)).ok_or("no such course")?;
        if course.profile() != Profile::Classic {
            return Err("races are run by the classic rules here".to_owned());
        }
        let board = course.board().map_err(|error| format!("{error:?}"))?;
        let state = State::new(&board, Profile::Classic, SEATS, State::usual_lives(SEATS));
        let state = state.map_err(|error| format!("{error:?}"))?;
        let names = chosen(&BOTS, &ask.bots, SEATS)?;
        let mut deals = Rng::new(ask.seed);
        let bots = names.iter().map(|name| Bot { name: name.clone(), dice: deals.split() }).collect();
        let mut watched = race(course.name().to_owned(), names, &board);
        watched.is_live = true;
        watched.scenes.push(scene::scene(&state, Moment::Start));
        Ok((RoborallyMatch { distances: Distances::new(&board), board, state, bots, deals }, watched))
    }

    fn policy(&self, strategy: Strategy) -> PlayoutPolicy<'_> {
        let evaluator = Evaluator::new(&self.board, &self.distances, Evaluation::Hodgepodge(Weights::PAPER));
        PlayoutPolicy { evaluator, strategy, power_down: PowerDownPolicy::USUAL, is_due: NEVER }
    }

    /// Program of a robot, and whether it announces power down.
    fn program(&self, robot: usize, hand: CardSet, dice: &mut Rng) -> (Program, bool) {
        let name = self.bots.get(robot).map_or("", |bot| bot.name.as_str());
        let strategy = if name == "random" { Strategy::Random } else { Strategy::Search(SAMPLES) };
        let policy = self.policy(strategy);
        if name == "playouts"
            && let Some(choice) = self.by_playouts(robot, hand, dice)
        {
            return choice;
        }
        let program = policy.choose(&self.state, robot, hand, dice);
        (program, PowerDownPolicy::USUAL.announces(&self.state, robot))
    }

    fn by_playouts(&self, robot: usize, hand: CardSet, dice: &mut Rng) -> Option<(Program, bool)> {
        let policy = self.policy(Strategy::Search(SAMPLES));
        let judge = Evaluator::new(&self.board, &self.distances, Evaluation::Hodgepodge(Weights::PAPER));
        let mut game = ProgramGame::new(policy, judge, self.state, robot, hand, ActionSpace::Classes)?;
        game.shorten(SHORTLIST, dice, || true);
        let mut arms = vec![Arm::default(); ACTION_CAP];
        let options = Options { depth: DEPTH, selection: Selection::Halving };
        let spent = |effort: Effort| {
            u32::try_from(effort.turns * u64::from(ALL_SPENT) / PLAYED_TURNS).unwrap_or(u32::MAX)
        };
        let report = flat::search(&game, options, &mut arms, dice, spent).ok()?;
        let program =
            if report.effort.playouts == 0 { game.best_alone(dice) } else { game.program(report.action) };
        let announces = game.announces(&program);
        Some((program, announces))
    }

    /// Deals, and lets every robot be programmed without knowing the other programs.
    fn deal(&mut self) -> Result<(), String> {
        let mut state = self.state;
        let mut deals = self.deals.split();
        self.policy(Strategy::Random).start_turn(&mut state, &mut deals);
        self.state = state;
        let mut deck: Vec<Card> = state.deck().iter().collect();
        deals.shuffle(&mut deck);
        let mut programmed = state;
        for robot in 0..state.robots() {
            let hand: CardSet =
                deck.split_off(deck.len().saturating_sub(state.hand_size(robot))).into_iter().collect();
            if !state.is_programming(robot) {
                continue;
            }
            let mut dice = self.bots.get_mut(robot).ok_or("a robot without a bot")?.dice.split();
            let (program, announces) = self.program(robot, hand, &mut dice);
            programmed.program(robot, hand, &program).map_err(|error| format!("{error:?}"))?;
            if announces {
                programmed.announce(robot).map_err(|error| format!("{error:?}"))?;
            }
        }
        self.state = programmed;
        Ok(())
    }
}

impl LiveGame for RoborallyMatch {
    fn is_over(&self) -> bool {
        self.state.is_over() || self.state.turn() >= MOST_TURNS
    }

    fn turn(&mut self) -> Result<Vec<Scene>, String> {
        self.deal()?;
        let mut scenes = Vec::new();
        for register in 0..REGISTERS {
            if self.state.is_over() {
                return Ok(scenes);
            }
            self.state.run_register(&self.board, register);
            scenes.push(scene::scene(&self.state, Moment::Register(register)));
        }
        let stays =
            (0..self.state.robots()).filter(|&robot| PowerDownPolicy::USUAL.stays(&self.state, robot));
        let stay_down = stays.fold(0, |set, robot| set | 1 << robot);
        self.state.clean_up(&self.board, Decisions { stay_down, ..Decisions::default() });
        scenes.push(scene::scene(&self.state, Moment::CleanUp));
        Ok(scenes)
    }
}
