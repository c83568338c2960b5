//! Turns: beginning and ending them, the engine's answers, hints, and games that are gone on with.

use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};

use super::effect::{Effect, RecordedTurn};
use super::engine_thread::{SearchAnswer, SearchRequest};
use super::menu::{Command, Page};
use super::play_state::{Clocks, PlayState, PlayedTurn, Purpose, RunningSearch, home};
use crate::engine::SearchResult;
use crate::notation::{AnnotatedGame, left_turn};
use crate::text::narrate::Narration;
use crate::text::quoted::shortened;

impl PlayState {
    /// Begins the game, with the lines of a turn that was being entered when it was left.
    pub fn begin(&mut self, turn_so_far: &[String]) -> Vec<Effect> {
        self.waits = false;
        self.clear_entry();
        let effects = self.begin_turn();
        if self.is_persons_turn() {
            for line in turn_so_far {
                self.enter(line);
            }
        }
        // Whoever knows the lines has them from a file.
        self.unsaved = false;
        effects
    }

    /// Begins the turn of the side to move: the engine is asked for its own.
    fn begin_turn(&mut self) -> Vec<Effect> {
        self.clear_entry();
        self.hint.clear();
        self.clocks.turn = std::time::Duration::ZERO;
        if self.is_over() {
            self.say(self.result_in_words());
            return Vec::new();
        }
        if self.is_persons_turn() {
            let waiting = (0..self.game.config().num_boards())
                .find(|&board| self.game.view(board).is_some_and(|view| view.awaits_setup()));
            match waiting {
                Some(board) => {
                    self.board = board;
                    self.say(format!("board {board} was reset: choose the unit that you keep (k)"));
                }
                None => self.say("your turn; ? explains the keys"),
            }
            return Vec::new();
        }
        self.say(format!("{} thinks; m makes it play at once", self.engine_side().name()));
        vec![self.ask(Purpose::Turn)]
    }

    /// Asks the engine to search the position at the start of the turn.
    fn ask(&mut self, purpose: Purpose) -> Effect {
        let id = self.next_search;
        self.next_search += 1;
        self.search = Some(RunningSearch { id, purpose });
        Effect::Search(SearchRequest { id, game: Box::new(self.game.clone()), level: self.level })
    }

    /// Forgets the search that runs.
    fn stop_search(&mut self) -> Vec<Effect> {
        self.search.take().map(|_| Effect::StopSearch).into_iter().collect()
    }

    /// Result of the game in words.
    pub fn result_in_words(&self) -> String {
        let winner = self.resigned.map(Side::opponent).or(self.game.state().winner());
        match winner {
            Some(side) if side == self.person => "you have won".to_owned(),
            Some(side) if self.resigned.is_some() => format!("you have resigned; {} has won", side.name()),
            Some(side) => format!("{} has won", side.name()),
            None => "the game is drawn".to_owned(),
        }
    }

    /// Ends the player's turn. What the rules still ask for is explained.
    pub(super) fn end_turn(&mut self) -> Vec<Effect> {
        let ended = self.entry.turn().and_then(|turn| {
            let before = self.game.clone();
            self.game.play(&turn).map_err(|error| error.to_string()).map(|_| (before, turn))
        });
        match ended {
            Ok((before, turn)) => {
                let mut effects = self.stop_search();
                effects.push(self.note(before, turn, None));
                effects.extend(self.begin_turn());
                effects
            }
            Err(error) => {
                self.say(format!("the turn cannot end: {error}"));
                Vec::new()
            }
        }
    }

    /// Ends the player's turn because its time is up, with the actions so far; the rules may still ask for something.
    pub fn time_is_up(&mut self) -> Vec<Effect> {
        self.layers.clear();
        let effects = self.end_turn();
        let news = std::mem::take(&mut self.message);
        self.say(format!("time is up; {news}"));
        effects
    }

    /// Notes a turn that was played.
    fn note(&mut self, before: Game, turn: GameTurn, found: Option<SearchResult>) -> Effect {
        let side = before.side_to_move();
        self.turns.push(played_turn(&before, &turn));
        self.unsaved = true;
        let millis = u64::try_from(self.clocks.turn.as_millis()).unwrap_or(u64::MAX);
        Effect::Record(Box::new(RecordedTurn { before, turn, side, millis, found }))
    }

    /// Takes an answer of the engine. One to a question that nobody asks any more is dropped.
    pub fn answer(&mut self, answer: SearchAnswer) -> Vec<Effect> {
        let SearchAnswer { id, result } = answer;
        let Some(search) = self.search.filter(|search| search.id == id) else { return Vec::new() };
        self.search = None;
        match search.purpose {
            Purpose::Turn => self.engine_turn(result),
            Purpose::Hint => {
                self.show_hint(&result);
                Vec::new()
            }
        }
    }

    /// Plays the engine's turn and shows it in words.
    fn engine_turn(&mut self, result: SearchResult) -> Vec<Effect> {
        let (before, turn) = (self.game.clone(), result.best().turn.clone());
        if let Err(error) = self.game.play(&turn) {
            self.say(format!("the engine's turn is illegal: {error}; save the game (s)"));
            return Vec::new();
        }
        let name = before.side_to_move().name();
        let mut page = Page::new(format!("{name} has played"), "");
        if let Some(breakdown) = &result.breakdown {
            page.lines.push(shortened(&breakdown.to_string()));
        }
        let effect = self.note(before, turn, Some(result));
        let sentences = self.turns.last().map_or(&[][..], |turn| &turn.sentences);
        page.lines.extend(sentences.iter().cloned());
        if page.lines.is_empty() {
            page.lines.push("nothing".to_owned());
        }
        let mut effects = vec![effect];
        effects.extend(self.begin_turn());
        if self.is_over() {
            page.lines.push(String::new());
            page.lines.push(self.result_in_words());
        }
        self.show_page(page);
        effects
    }

    /// Asks for a hint.
    pub(super) fn ask_hint(&mut self) -> Vec<Effect> {
        if self.search.is_some() {
            self.say("the engine is already thinking");
            return Vec::new();
        }
        self.say("the engine looks for a hint; m makes it answer at once");
        vec![self.ask(Purpose::Hint)]
    }

    fn show_hint(&mut self, result: &SearchResult) {
        let best = result.best();
        let name = self.person.name();
        let mut page = Page::new("Hint", "");
        page.lines.push(format!("{name} wins with {}, by", best.chance_in_words()));
        page.lines.push(String::new());
        page.lines.extend(Narration::new(&self.game, &best.turn).sentences());
        page.lines.push(String::new());
        page.lines.push("Enter: replace the turn so far by this one; Esc: leave it".to_owned());
        page.enter = Some(Command::UseHint);
        let text = TurnText::new(&self.game, &best.turn).to_string();
        self.hint = text.lines().skip(1).map(str::to_owned).collect();
        self.say("a hint");
        self.show_page(page);
    }

    /// Replaces the turn so far by the hint.
    pub(super) fn use_hint(&mut self) {
        self.clear_entry();
        for line in self.hint.clone() {
            if !self.enter(&line) {
                return;
            }
        }
        self.say("the hint is entered; e ends the turn, u takes actions back");
    }

    /// Gives the game up.
    pub(super) fn resign(&mut self) -> Vec<Effect> {
        let effects = self.stop_search();
        self.resigned = Some(self.person);
        self.unsaved = true;
        self.clear_entry();
        self.say(self.result_in_words());
        effects
    }

    /// Begins a new game from a position.
    pub fn new_game(&mut self, start: Game, person: Side) -> Vec<Effect> {
        let mut effects = self.stop_search();
        self.reset(start, person);
        effects.extend(self.begin(&[]));
        effects
    }

    fn reset(&mut self, game: Game, person: Side) {
        self.game = game;
        self.person = person;
        (self.board, self.hex) = (0, home(person));
        self.layers.clear();
        self.turns.clear();
        self.resigned = None;
        self.unsaved = false;
        self.clocks = Clocks { limit: self.clocks.limit, ..Clocks::default() };
    }

    /// Goes on with a recorded game: the player has the side that is to move. An error leaves everything as it is.
    pub fn opened(&mut self, game: &AnnotatedGame) -> anyhow::Result<Vec<Effect>> {
        let last = game.last_position()?;
        let so_far = left_turn(game, &last)?;
        let turns = played_turns(game)?;
        let mut effects = self.stop_search();
        let person = last.side_to_move();
        self.reset(last, person);
        self.turns = turns;
        effects.extend(self.begin(&so_far));
        Ok(effects)
    }

    /// Fills the list of turns with those of a game that is gone on with.
    pub fn remember(&mut self, game: &AnnotatedGame) {
        self.turns = played_turns(game).unwrap_or_default();
    }
}

/// A turn in words.
fn played_turn(before: &Game, turn: &GameTurn) -> PlayedTurn {
    PlayedTurn {
        number: u64::from(before.state().turn()) + 1,
        side: before.side_to_move(),
        sentences: Narration::new(before, turn).sentences(),
    }
}

/// The turns of a recorded game in words.
fn played_turns(game: &AnnotatedGame) -> anyhow::Result<Vec<PlayedTurn>> {
    let mut turns = Vec::new();
    let mut walk = game.walk();
    while let Some((before, turn, _)) = walk.next_turn()? {
        turns.push(played_turn(&before, &turn));
    }
    Ok(turns)
}
