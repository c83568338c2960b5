//! The referee: the position, the ids of units, and the execution of lines of commands (rules §3 to §5, §8).

use super::command::{Command, Unrecognised, commands};
use super::rules::{Player, Rules};
use super::{Action, Cell, Map, Rejection, SLOTS, State};

/// A game: the position, ids of units, and the outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    state: State,
    /// Ids of units by cell; unused where no unit stands.
    ids: [u32; SLOTS],
    next_id: u32,
    outcome: Option<Outcome>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// This player took the opponent's headquarters.
    Captured(Player),
    /// This player sent an unrecognised command, or no line in time.
    Fault(Player),
    /// The last turn was played.
    Limit,
}

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The reason of the end.
    pub ending: Ending,
    /// Points of both players; more is better, equal is a draw.
    pub scores: [i32; 2],
}

impl Outcome {
    /// The winner; `None` for a draw.
    pub fn winner(&self) -> Option<Player> {
        match self.scores[0].cmp(&self.scores[1]) {
            core::cmp::Ordering::Less => Some(Player::One),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Greater => Some(Player::Zero),
        }
    }
}

/// The execution of a line of commands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LineReport {
    /// Number of moves, trainings and buildings that were executed.
    pub done: u32,
    /// Number of commands that were rejected.
    pub rejected: u32,
    /// Reason of the first rejection.
    pub first: Option<Rejection>,
}

impl Game {
    /// A game on a map, with the first turn of player 0 begun.
    pub fn new(map: &Map) -> Game {
        let mut state = State::start(map);
        state.begin_turn(Player::Zero);
        Game { state, ids: [0; SLOTS], next_id: 1, outcome: None }
    }

    /// A position and the ids of its units by cell; new units get ids from one above the highest.
    pub fn from_parts(state: State, ids: [u32; SLOTS]) -> Game {
        let highest = state.all_units().iter().filter_map(|cell| ids.get(cell.index())).max();
        let next_id = highest.copied().unwrap_or(0).saturating_add(1);
        let mut game = Game { state, ids, next_id, outcome: None };
        game.update_outcome();
        game
    }

    /// The position.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Outcome of the game, if the game is over.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Id of the unit on a cell.
    pub fn id(&self, cell: Cell) -> Option<u32> {
        self.state.level(cell).and_then(|_| self.ids.get(cell.index()).copied())
    }

    /// Cell of the unit with this id, if there is one.
    pub fn find(&self, id: u32) -> Option<Cell> {
        self.state.all_units().iter().find(|&cell| self.id(cell) == Some(id))
    }

    /// Executes the commands of a line as the referee does: the whole line is parsed first, then impossible commands
    /// are rejected one by one. An unrecognised command is an error and ends the game.
    pub fn execute(&mut self, rules: &Rules, line: &str) -> Result<LineReport, Unrecognised> {
        if self.outcome.is_some() {
            return Ok(LineReport::default());
        }
        let player = self.state.mover;
        if let Some(error) = commands(line).find_map(Result::err) {
            self.forfeit(player);
            return Err(error);
        }
        let mut report = LineReport::default();
        // Units trained in this line cannot be named in it.
        let newborn = self.next_id;
        for command in commands(line).map_while(Result::ok) {
            let Some(action) = self.to_action(command, newborn) else { continue };
            match action.and_then(|action| self.act(rules, action)) {
                Ok(_) => report.done += 1,
                Err(rejection) => {
                    report.rejected += 1;
                    report.first = report.first.or(Some(rejection));
                }
            }
            if self.outcome.is_some() {
                break;
            }
        }
        Ok(report)
    }

    /// Plays one action of the player to move and updates the ids. Returns the cell entered or built on.
    pub fn act(&mut self, rules: &Rules, action: Action) -> Result<Cell, Rejection> {
        let at = self.state.apply(rules, action)?;
        let id = match action {
            Action::Move { from, .. } => self.ids.get(from.index()).copied().unwrap_or(0),
            Action::Train { .. } => {
                let id = self.next_id;
                self.next_id = id.saturating_add(1);
                id
            }
            Action::Mine(_) | Action::Tower(_) => 0,
        };
        if let Some(slot) = self.ids.get_mut(at.index()) {
            *slot = id;
        }
        self.update_outcome();
        Ok(at)
    }

    /// Begins the turn of a player, also out of order.
    pub fn begin_turn(&mut self, player: Player) {
        if self.outcome.is_none() {
            self.state.begin_turn(player);
        }
    }

    /// Makes all units of the player to move ready again, for searches.
    pub fn make_ready(&mut self) {
        self.state.make_ready();
    }

    /// Ends the turn and begins the next one.
    pub fn pass(&mut self) {
        if self.outcome.is_none() {
            self.state.end_turn();
            self.update_outcome();
        }
    }

    /// Ends the game as lost for a player, for an unrecognised or missing line.
    pub fn forfeit(&mut self, player: Player) {
        if self.outcome.is_none() {
            self.end(Ending::Fault(player), Some(player));
        }
    }

    /// The action of a command; `None` for commands without effect.
    fn to_action(&self, command: Command, newborn: u32) -> Option<Result<Action, Rejection>> {
        let cell = |(x, y): (u32, u32)| {
            let cell = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Cell::at(x, y));
            cell.filter(|&cell| self.state.open.contains(cell)).ok_or(Rejection::NoCell)
        };
        Some(match command {
            Command::Wait | Command::Message => return None,
            Command::Move { id, to } => cell(to).and_then(|target| {
                let from = Some(id).filter(|&id| id < newborn).and_then(|id| self.find(id));
                from.map(|from| Action::Move { from, target }).ok_or(Rejection::NoUnit)
            }),
            Command::Train { level, to } => cell(to).and_then(|at| {
                let level = super::Level::new(level).ok_or(Rejection::NoLevel)?;
                Ok(Action::Train { level, at })
            }),
            Command::Mine { to } => cell(to).map(Action::Mine),
            Command::Tower { to } => cell(to).map(Action::Tower),
        })
    }

    /// Sets the outcome if the game is over.
    fn update_outcome(&mut self) {
        if let Some(winner) = self.state.conqueror() {
            self.end(Ending::Captured(winner), Some(winner.opponent()));
        } else if self.state.is_over() {
            self.end(Ending::Limit, None);
        }
    }

    fn end(&mut self, ending: Ending, loser: Option<Player>) {
        let scores =
            Player::BOTH.map(|player| if Some(player) == loser { -1 } else { self.state.score(player) });
        self.outcome = Some(Outcome { ending, scores });
    }
}
