//! The table: the game so far, the position at the start of the turn, and the turn that is being entered.

use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};

use crate::messages::PlayedTurn;
use crate::notation::{
    AnnotatedGame, AnnotatedTurn, Chance, Ending, EndingReason, Outcome, TURNS_CAP, Tags, TurnNotes, Value,
    read_turn,
};
use crate::text::counted::counted;
use crate::text::narrate::Narration;
use crate::text::turn_entry::TurnEntry;

/// Turns from one position that is kept to the next. Those between are played again when somebody asks for them: a position
/// has many kilobytes, and a game may have thousands of turns.
const STRIDE: usize = 32;

/// A game at a table.
pub struct Table {
    record: AnnotatedGame,
    /// Positions after none, [`STRIDE`], twice as many turns and so on.
    kept: Vec<Game>,
    /// Position at the start of the turn.
    now: Game,
    /// Turns in words, so that they are put into words once only.
    history: Vec<PlayedTurn>,
    entry: TurnEntry,
}

impl Table {
    /// A game that begins here.
    pub fn new(tags: Tags, start: Game) -> Table {
        Table {
            entry: TurnEntry::new(&start),
            kept: vec![start.clone()],
            now: start.clone(),
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
        let mut kept = vec![record.start.clone()];
        let mut history = Vec::new();
        while let Some((before, turn, annotated)) = walk.next_turn().map_err(|error| format!("{error:#}"))? {
            history.push(played(&before, &turn, annotated));
            if history.len().is_multiple_of(STRIDE) {
                kept.push(walk.game().clone());
            }
        }
        let now = walk.game().clone();
        Ok(Table { entry: TurnEntry::new(&now), kept, now, history, record })
    }

    /// Record of the game.
    pub fn record(&self) -> &AnnotatedGame {
        &self.record
    }

    /// Position at the start of the turn.
    pub fn now(&self) -> &Game {
        &self.now
    }

    /// Turns so far, in words.
    pub fn history(&self) -> &[PlayedTurn] {
        &self.history
    }

    /// Position after so many turns.
    pub fn after(&self, turns: usize) -> Option<Game> {
        if turns == self.turns() {
            return Some(self.now.clone());
        }
        let kept = turns / STRIDE;
        let mut game = self.kept.get(kept)?.clone();
        for annotated in self.record.turns.get(kept * STRIDE..turns)? {
            let turn = annotated.read(&game).ok()?;
            game.play(&turn).ok()?;
        }
        Some(game)
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
        if self.turns() >= TURNS_CAP {
            return Err(format!("a game has at most {TURNS_CAP} turns"));
        }
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
        if self.turns().is_multiple_of(STRIDE) {
            self.kept.push(after.clone());
        }
        self.now = after;
        Ok(())
    }

    /// Takes whole turns back, so that this many are left.
    pub fn take_back(&mut self, turns: usize) -> Result<(), String> {
        self.now =
            self.after(turns).ok_or_else(|| format!("the game has {}", counted(self.turns(), "turn")))?;
        self.record.turns.truncate(turns);
        self.kept.truncate(turns / STRIDE + 1);
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

#[cfg(test)]
mod tests {
    use crate::load::{export, load, new_game};
    use crate::messages::{Form, NewGame};

    use super::*;

    /// Table of a game of so many turns: each side marches while it can, and ends its turn.
    fn played(turns: usize) -> (Table, Vec<Game>) {
        let asked = NewGame { maps: vec!["BlackenedShores".to_owned()], ..NewGame::default() };
        let mut table = new_game(&asked).unwrap();
        let mut positions = vec![table.now().clone()];
        for _ in 0..turns {
            let _ = table.enter("tech 1");
            table.end_turn().unwrap();
            positions.push(table.now().clone());
        }
        (table, positions)
    }

    #[test]
    fn every_position_of_a_long_game_is_found_again() {
        let (mut table, positions) = played(3 * STRIDE + 5);
        let loaded = load(&export(&table, Form::Mgn), None, None).unwrap();
        for (turns, position) in positions.iter().enumerate() {
            assert!(table.after(turns).as_ref() == Some(position), "{turns}");
            assert!(loaded.after(turns).as_ref() == Some(position), "{turns}");
        }
        assert!(table.after(positions.len()).is_none());
        for turns in [3 * STRIDE + 1, 3 * STRIDE, 2 * STRIDE - 1, STRIDE, 1, 0] {
            table.take_back(turns).unwrap();
            assert!((table.now(), table.turns()) == (&positions[turns], turns));
            assert!(
                table.after(turns + 1).is_none()
                    && table.after(turns / 2) == Some(positions[turns / 2].clone())
            );
        }
        table.end_turn().unwrap();
        assert_eq!(table.turns(), 1);
    }

    #[test]
    fn a_game_as_long_as_games_may_be_goes_on_no_further_and_is_read_again() {
        let (mut table, _) = played(0);
        let turn = AnnotatedTurn::new(table.now(), &GameTurn::default(), TurnNotes::default());
        table.record.turns = vec![turn; TURNS_CAP];
        assert!(table.end_turn().unwrap_err().contains("4000 turns"));
        table = load(&export(&table, Form::Mgn), None, None).unwrap();
        assert_eq!(table.turns(), TURNS_CAP);
    }
}
