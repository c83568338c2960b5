//! The table: the game so far, the position at the start of the turn, and the turn that is being entered.

use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};

use crate::messages::PlayedTurn;
use crate::notation::{
    AnnotatedGame, AnnotatedTurn, Chance, Ending, EndingReason, Outcome, Tags, TurnNotes, Value, read_turn,
};
use crate::text::narrate::Narration;
use crate::text::turn_entry::TurnEntry;

/// A game at a table.
pub struct Table {
    record: AnnotatedGame,
    /// Position before each turn, and the present one last.
    positions: Vec<Game>,
    /// Turns in words, so that they are put into words once only.
    history: Vec<PlayedTurn>,
    entry: TurnEntry,
}

impl Table {
    /// A game that begins here.
    pub fn new(tags: Tags, start: Game) -> Table {
        Table {
            entry: TurnEntry::new(&start),
            positions: vec![start.clone()],
            history: Vec::new(),
            record: AnnotatedGame::new(tags, start),
        }
    }

    /// A game that was recorded, after its last turn. An error names the turn that is not legal.
    pub fn from_record(record: AnnotatedGame) -> Result<Table, String> {
        if !record.is_continuous() {
            return Err("a game whose turns do not follow from one another cannot be gone on with".to_owned());
        }
        let mut walk = record.walk();
        let mut positions = vec![record.start.clone()];
        let mut history = Vec::new();
        while let Some((before, turn, annotated)) = walk.next_turn().map_err(|error| format!("{error:#}"))? {
            history.push(played(&before, &turn, annotated));
            positions.push(walk.game().clone());
        }
        let last = positions.last().unwrap_or(&record.start);
        Ok(Table { entry: TurnEntry::new(last), positions, history, record })
    }

    /// Record of the game.
    pub fn record(&self) -> &AnnotatedGame {
        &self.record
    }

    /// Position at the start of the turn.
    pub fn now(&self) -> &Game {
        self.positions.last().unwrap_or(&self.record.start)
    }

    /// Turns so far, in words.
    pub fn history(&self) -> &[PlayedTurn] {
        &self.history
    }

    /// Position after so many turns.
    pub fn after(&self, turns: usize) -> Option<&Game> {
        self.positions.get(turns)
    }

    /// Number of turns so far.
    pub fn turns(&self) -> usize {
        self.record.turns.len()
    }

    /// Turn that is being entered.
    pub fn entry(&self) -> &TurnEntry {
        &self.entry
    }

    /// Whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.now().state().is_over() || self.resigned().is_some()
    }

    /// Side that gave the game up.
    pub fn resigned(&self) -> Option<Side> {
        let ending = self.record.ending.as_ref()?;
        match (ending.reason, ending.outcome) {
            (EndingReason::Resignation, Outcome::Winner(side)) => Some(side.opponent()),
            _ => None,
        }
    }

    /// Whether anything more can be played, and if not, why not.
    pub fn going_on(&self) -> Result<(), String> {
        if self.is_over() { Err("the game is over".to_owned()) } else { Ok(()) }
    }

    /// Adds a line to the turn; what is not legal changes nothing.
    pub fn enter(&mut self, line: &str) -> Result<(), String> {
        self.going_on()?;
        self.entry.add(line).map(|_| ())
    }

    /// Whether [`Table::enter`] would take a line, and if not, why not.
    pub fn check(&self, line: &str) -> Result<(), String> {
        self.going_on()?;
        self.entry.check(line)
    }

    /// Takes the last line back.
    pub fn undo(&mut self) -> Result<(), String> {
        self.entry.undo().map(|_| ()).ok_or_else(|| "nothing to take back in this turn".to_owned())
    }

    /// Takes all lines back.
    pub fn clear(&mut self) {
        self.entry = TurnEntry::new(self.now());
    }

    /// Puts a turn in the place of what was entered; one that is not legal changes nothing.
    pub fn propose(&mut self, lines: &[String]) -> Result<(), String> {
        self.going_on()?;
        let turn = read_lines(self.now(), lines)?;
        let mut entry = TurnEntry::new(self.now());
        let text = TurnText::new(self.now(), &turn).to_string();
        for line in text.lines().skip(1) {
            entry.add(line)?;
        }
        self.entry = entry;
        Ok(())
    }

    /// Ends the turn as entered.
    pub fn end_turn(&mut self) -> Result<(), String> {
        let turn = self.entry.turn()?;
        self.play_turn(&turn, TurnNotes::default())
    }

    /// Plays a whole turn, whatever was entered.
    pub fn play(&mut self, lines: &[String], value: Option<[f64; 2]>) -> Result<(), String> {
        let turn = read_lines(self.now(), lines)?;
        let value =
            value.map(|[chance, error]| Value { chance: Chance::new(chance), error: Chance::new(error) });
        self.play_turn(&turn, TurnNotes { value, ..TurnNotes::default() })
    }

    fn play_turn(&mut self, turn: &GameTurn, notes: TurnNotes) -> Result<(), String> {
        self.going_on()?;
        let before = self.now();
        let mut after = before.clone();
        after.play(turn).map_err(|error| match error.board {
            Some(board) => format!("board {board}: {}", error.reason),
            None => error.reason.text().to_owned(),
        })?;
        let annotated = AnnotatedTurn::new(before, turn, notes);
        self.history.push(played(self.now(), turn, &annotated));
        self.record.turns.push(annotated);
        self.record.ending = after.state().is_over().then(|| Ending::at(&after));
        self.entry = TurnEntry::new(&after);
        self.positions.push(after);
        Ok(())
    }

    /// Takes whole turns back, so that this many are left.
    pub fn take_back(&mut self, turns: usize) -> Result<(), String> {
        if turns > self.turns() {
            return Err(format!("the game has {} turns", self.turns()));
        }
        self.record.turns.truncate(turns);
        self.positions.truncate(turns + 1);
        self.history.truncate(turns);
        self.record.ending = None;
        self.clear();
        Ok(())
    }

    /// Gives the game up for the side to move.
    pub fn resign(&mut self) -> Result<(), String> {
        self.going_on()?;
        let winner = Outcome::Winner(self.now().side_to_move().opponent());
        self.record.ending = Some(Ending::new(winner, EndingReason::Resignation));
        self.clear();
        Ok(())
    }
}

/// A turn in words.
fn played(before: &Game, turn: &GameTurn, annotated: &AnnotatedTurn) -> PlayedTurn {
    let narration = Narration::new(before, turn);
    PlayedTurn {
        side: before.side_to_move().name().to_owned(),
        summary: narration.summary(),
        sentences: narration.sentences(),
        lines: annotated.lines.clone(),
        value: annotated.notes.value.map(|value| [value.chance.get(), value.error.get()]),
    }
}

/// Turn of lines in UMI; `turn` and `endturn` may be left out.
fn read_lines(game: &Game, lines: &[String]) -> Result<GameTurn, String> {
    let inner = lines.iter().map(|line| line.trim()).filter(|line| !matches!(*line, "turn" | "endturn" | ""));
    let text = ["turn"].into_iter().chain(inner).collect::<Vec<_>>().join("\n");
    read_turn(game, &text).map_err(|error| error.to_string())
}
