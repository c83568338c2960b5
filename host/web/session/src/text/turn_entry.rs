//! Turns typed by a person, line by line. Each line is checked at once, and a line that is refused changes nothing.

use barrow_core::hex::Hex;
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{BoardAction, Game, GameTurn, IllegalReason, UndoLog};

use crate::text::narrate::Narration;

/// A turn that is being typed.
#[derive(Clone)]
pub struct TurnEntry {
    /// The position at the start of the turn.
    game: Game,
    lines: Vec<String>,
    /// The lines before each line that was added.
    past: Vec<Vec<String>>,
}

impl TurnEntry {
    /// An empty turn.
    pub fn new(game: &Game) -> TurnEntry {
        TurnEntry { game: game.clone(), lines: Vec::new(), past: Vec::new() }
    }

    /// The lines so far, in UMI.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The position after the lines so far.
    pub fn shown(&self) -> Game {
        let mut game = self.game.clone();
        if let Ok(turn) = self.turn() {
            let _ = game.enter(&turn, &mut UndoLog::off());
        }
        game
    }

    /// The turn so far.
    pub fn turn(&self) -> Result<GameTurn, String> {
        read(&self.game, &self.lines)
    }

    /// Adds a line in UMI or in a short form. Returns the sentences that the line adds to the narration of the turn.
    ///
    /// A walk or an attack that comes after the attack phase of its board is put before the spawn phase, as user interfaces
    /// allow it (rules §4), if the whole turn is then legal. A line that replaces what earlier ones say, as a second line of
    /// techs does (umi §4), stands in their place.
    pub fn add(&mut self, line: &str) -> Result<Vec<String>, String> {
        let known = Narration::new(&self.game, &self.turn()?);
        let (lines, turn) = self.with(line)?;
        self.past.push(std::mem::replace(&mut self.lines, lines));
        Ok(new_sentences(&known, &Narration::new(&self.game, &turn)))
    }

    /// Whether [`TurnEntry::add`] would take a line, and if not, why not.
    pub fn check(&self, line: &str) -> Result<(), String> {
        self.with(line).map(|_| ())
    }

    /// Takes the last line that was added back. `None` when there is none.
    pub fn undo(&mut self) -> Option<String> {
        let before = self.past.pop()?;
        let place = self.lines.iter().zip(&before).take_while(|(now, then)| now == then).count();
        let line = self.lines.get(place).cloned();
        self.lines = before;
        line
    }

    /// The lines with another one, and the turn that they are.
    fn with(&self, line: &str) -> Result<(Vec<String>, GameTurn), String> {
        let line = in_full(line, &self.game, || self.shown())?;
        let replaced = self.replaced_by(&line)?;
        let with_line_at = |place: usize| {
            let mut lines = self.lines.clone();
            let mut places = 0..;
            lines.retain(|_| places.next().is_none_or(|place| !replaced.contains(&place)));
            lines.insert(place, line.clone());
            let turn = read(&self.game, &lines)?;
            let entered = self.game.clone().enter(&turn, &mut UndoLog::off());
            entered.map_err(|error| error.reason.text().to_owned())?;
            Ok((lines, turn))
        };
        with_line_at(*replaced.first().unwrap_or(&self.lines.len()))
            .or_else(|error| self.start_of_spawn_phase(&line).map_or(Err(error), with_line_at))
    }

    /// Places of the lines that say nothing any more once this one is read: the line of techs before another one, the setup of a
    /// board before another one, and under rules by which a resignation is all that is played of its board the other lines of
    /// it. Fails behind such a resignation.
    fn replaced_by(&self, line: &str) -> Result<Vec<usize>, String> {
        let is_techs = |line: &str| line.starts_with("action tech");
        let is_replaced = |is: &dyn Fn(&str) -> bool| {
            let places = self.lines.iter().enumerate().filter(|(_, line)| is(line));
            places.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        if is_techs(line) {
            return Ok(is_replaced(&is_techs));
        }
        let Some((board, action)) = board_action(&self.game, line) else { return Ok(Vec::new()) };
        let on_board = |line: &str| {
            board_action(&self.game, line).filter(|&(other, _)| other == board).map(|(_, action)| action)
        };
        if self.game.config().rules.resign_drops_actions {
            if self.lines.iter().any(|line| on_board(line) == Some(BoardAction::Resign)) {
                return Err(IllegalReason::Resigned.text().to_owned());
            }
            if action == BoardAction::Resign {
                return Ok(is_replaced(&|line| on_board(line).is_some()));
            }
        }
        let is_setup = |action: BoardAction| matches!(action, BoardAction::Keep { .. });
        Ok(if is_setup(action) {
            is_replaced(&|line| on_board(line).is_some_and(is_setup))
        } else {
            Vec::new()
        })
    }

    /// Place of the first line with which the spawn phase begins on the board of a line.
    fn start_of_spawn_phase(&self, line: &str) -> Option<usize> {
        let (board, action) = board_action(&self.game, line)?;
        if !action.is_attack_phase() {
            return None;
        }
        self.lines.iter().position(|line| {
            board_action(&self.game, line).is_some_and(|(other, action)| {
                other == board && (action.is_spawn_phase() || action == BoardAction::EndPhase)
            })
        })
    }
}

/// Board and first action of a line in UMI; `None` for the lines of the general.
fn board_action(game: &Game, line: &str) -> Option<(usize, BoardAction)> {
    let turn = read(game, &[line.to_owned()]).ok()?;
    (0..game.config().num_boards()).find_map(|board| Some((board, *turn.board(board).first()?)))
}

fn read(game: &Game, lines: &[String]) -> Result<GameTurn, String> {
    let text_of = |error: barrow_core::minions::text::umi::UmiError| error.to_string();
    let mut reader = TurnReader::new(game, "turn").map_err(text_of)?;
    lines.iter().try_for_each(|line| reader.read(line)).map_err(text_of)?;
    reader.finish(game).map_err(text_of)
}

/// The sentences of a narration that `known` does not have.
fn new_sentences(known: &Narration, narration: &Narration) -> Vec<String> {
    let mut known = known.sentences();
    let is_new = |sentence: &String| match known.iter().position(|other| other == sentence) {
        Some(place) => {
            known.swap_remove(place);
            false
        }
        None => true,
    };
    narration.sentences().into_iter().filter(is_new).collect()
}

/// The UMI line that a short form stands for: `tech 1` for `action tech 1`, `0 buy Z` for `action board 0 buy Z`,
/// `0 c2d2` for a walk or an attack, whichever the piece on d2 suggests. With one board its index may be left out. `shown`
/// plays the lines so far, which most lines can do without.
fn in_full(line: &str, start: &Game, shown: impl FnOnce() -> Game) -> Result<String, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_index = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (board, rest) = match *words.as_slice() {
        [] => return Err("an empty line".to_owned()),
        ["action", ..] => return Ok(words.join(" ")),
        ["tech" | "sell" | "buy_spell" | "give_spell", ..] => {
            return Ok(format!("action {}", words.join(" ")));
        }
        ["board", board, ref rest @ ..] => (board, rest),
        [board, ref rest @ ..] if is_index(board) => (board, rest),
        ref rest if start.config().num_boards() == 1 => ("0", rest),
        _ => {
            return Err("no such command; an action begins with its board".to_owned());
        }
    };
    if let [walk] = *rest
        && let Some((from, to)) = two_hexes(walk)
    {
        let shown = shown();
        let view = board.parse().ok().and_then(|board| shown.view(board));
        let attacks = view.is_some_and(|view| view.enemy(to).is_ok());
        let verb = if attacks { "attack" } else { "move" };
        return Ok(format!("action board {board} {verb} {from}{to}"));
    }
    Ok(format!("action board {board} {}", rest.join(" ")))
}

fn two_hexes(word: &str) -> Option<(Hex, Hex)> {
    let (from, to) = word.split_at_checked(2)?;
    Hex::named(from).zip(Hex::named(to))
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};

    use super::*;

    fn start() -> TurnEntry {
        TurnEntry::new(&Game::new(GameConfig::default().with_ruleset(Ruleset::Spooky), 0))
    }

    #[test]
    fn short_forms_stand_for_umi_lines() {
        let mut entry = start();
        assert_eq!(entry.add("tech 1").unwrap(), ["unlocks skeleton"]);
        assert_eq!(entry.add("0 d1e1").unwrap(), ["board 0: zombie d1 walks to e1"]);
        assert_eq!(entry.add("board 1 move d1e1").unwrap(), ["board 1: zombie d1 walks to e1"]);
        entry.add("action board 0 move  d2e2").unwrap();
        let expected = [
            "action tech 1",
            "action board 0 move d1e1",
            "action board 1 move d1e1",
            "action board 0 move d2e2",
        ];
        assert_eq!(entry.lines(), expected);
        let hex = |name| Hex::named(name).unwrap();
        let stands =
            |entry: &TurnEntry, name| entry.shown().view(0).unwrap().board.piece(hex(name)).is_some();
        assert!(stands(&entry, "e2") && !stands(&entry, "d2"));
        assert_eq!(entry.undo().as_deref(), Some("action board 0 move d2e2"));
        assert!(stands(&entry, "d2") && !stands(&entry, "e2"));
        assert!(entry.turn().is_ok());
    }

    #[test]
    fn a_late_walk_goes_before_the_spawn_phase() {
        let config = fen::parse_config("1 AllLand S,P", Ruleset::Server).unwrap();
        let game = fen::parse("9|0 0|0 LL|LL n|Z||||0/0/2NZ6/0/0/0/0/7n2/0/0 0 5", &config).unwrap();
        let mut entry = TurnEntry::new(&game);
        entry.add("spawn Z c3").unwrap();
        assert_eq!(entry.check("d2e2"), Ok(()));
        assert_eq!(entry.add("d2e2").unwrap(), ["board 0: zombie d2 walks to e2"]);
        assert_eq!(entry.lines(), ["action board 0 move d2e2", "action board 0 spawn Z c3"]);
        // Not where it would make the spawn phase illegal: the hex is taken by then.
        assert!(entry.add("c2c3").unwrap_err().contains("occupied"));
        assert_eq!(entry.undo().as_deref(), Some("action board 0 move d2e2"));
        assert_eq!(entry.undo().as_deref(), Some("action board 0 spawn Z c3"));
        assert_eq!((entry.undo(), entry.lines().len()), (None, 0));
    }

    #[test]
    fn a_line_stands_in_place_of_those_that_it_replaces() {
        let mut entry = start();
        for line in ["tech 1", "0 d1e1", "tech 2"] {
            let _ = entry.add(line);
        }
        assert_eq!(
            entry.lines(),
            ["action tech 1", "action board 0 move d1e1"],
            "one march, and two are refused"
        );
        entry.add("tech 0").unwrap();
        assert_eq!(entry.lines(), ["action tech 0", "action board 0 move d1e1"]);
        assert_eq!(entry.undo().as_deref(), Some("action tech 0"));
        assert_eq!(entry.lines(), ["action tech 1", "action board 0 move d1e1"]);
        // A resignation is all that is played of its board by Spooky's rules.
        let mut entry = start();
        for line in ["0 d1e1", "1 d1e1", "0 d2e2", "0 resign"] {
            entry.add(line).unwrap();
        }
        assert_eq!(entry.lines(), ["action board 0 resign", "action board 1 move d1e1"]);
        assert_eq!(entry.add("0 d1e1").unwrap_err(), "the board was resigned");
        assert_eq!(entry.undo().as_deref(), Some("action board 0 resign"));
        assert_eq!(entry.lines().len(), 3);
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut entry = start();
        entry.add("0 d1e1").unwrap();
        for line in [
            "", "dance", "0", "0 dance", "9 d1e1", "0 d1", "0 e1f1", "0 a9b9", "d2e2", "tech x", "action",
            "0 buy Q",
        ] {
            let error = entry.add(line).unwrap_err();
            assert!(!error.is_empty() && !error.contains('\n'), "{line}: {error}");
            assert_eq!(entry.lines().len(), 1, "{line}");
        }
    }

    #[test]
    fn with_one_board_its_index_is_left_out_and_enemies_are_attacked() {
        let config = fen::parse_config("1 AllLand S,P", Ruleset::Spooky).unwrap();
        let game = fen::parse("9|0 0|0 LL|LL n|||||0/0/2Nz6/0/0/0/0/7n2/0/0 0 5", &config).unwrap();
        let mut entry = TurnEntry::new(&game);
        assert_eq!(
            entry.add("c2d2").unwrap(),
            ["board 0: necromancer c2 attacks zombie d2 and unsummons it"]
        );
        assert_eq!(entry.add("buy z").unwrap(), ["board 0: buys a zombie"]);
    }
}
