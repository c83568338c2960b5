//! Games: positions, what is legal in them, actions applied and undone, turns played.

use core::ffi::{c_char, c_void};
use core::fmt::Write;

use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::{
    Action, Change, Game, GameConfig, GameTurn, GeneralAction, IllegalReason, IllegalTurn, Ruleset, Side,
    UndoLog, UndoMark,
};

use crate::handle::{Body, Entered, call, check_distinct, enter, mark, open, size_of_handle};
use crate::memory::Region;
use crate::message::{Failure, Message};
use crate::outputs::{Output, Place, fill};
use crate::status::{
    BARROW_CAPACITY, BARROW_GAME_OVER, BARROW_ILLEGAL, BARROW_OK, BARROW_RANGE, BARROW_TOO_EARLY,
    BARROW_UNREADABLE, BarrowStatus,
};
use crate::texts::{Lines, text};

/// Index that stands for the general, where otherwise a board's index stands.
pub const BARROW_GENERAL: u32 = 0xFFFF_FFFF;

/// Winner of a game that nobody has won.
pub const BARROW_NOBODY: i32 = -1;

/// Changes of a position that an action makes at most, with room for a simultaneous move of a whole board.
const MOST_CHANGES: usize = 288;

/// Changes for which there is room for each action that can be undone. Ordinary actions make two or three.
const CHANGES: usize = 8;

/// Handle of a game: a position with its configuration, and a log of the actions that were applied in the present turn.
pub struct BarrowGame {
    _opaque: [u8; 0],
}

/// Numbers of a position. Later versions may have more of them at the end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct BarrowFacts {
    /// Key of the position: equal positions of one configuration have equal keys.
    pub key: u64,
    /// Number of boards, 1 to 8.
    pub boards: u32,
    /// Turns played. Under the ruleset `spooky` the turn that decides the game is not counted.
    pub turns: u32,
    /// Side to move: 0 for Yellow, 1 for Blue. Once a game is won under the ruleset `spooky`, the side whose turn has decided it.
    pub side: i32,
    /// Winner of the game, or `BARROW_NOBODY`.
    pub winner: i32,
    /// 1 if the game is over.
    pub over: u32,
    /// 1 if the game was drawn.
    pub drawn: u32,
    /// Board points of each side.
    pub points: [u32; 2],
    /// Board points that win.
    pub points_to_win: u32,
    /// Souls of each side.
    pub souls: [u32; 2],
    /// Tech points that are left to the side to move.
    pub tech_points: u32,
    /// Actions that can be undone.
    pub applied: u32,
    /// 0; of use to later versions.
    pub reserved: u32,
}

/// Body of a game handle.
pub(crate) struct GameBody {
    pub(crate) game: Game,
    log: UndoLog<'static>,
    /// Marks of the log before each applied action.
    marks: &'static mut [UndoMark],
    applied: usize,
}

impl Body for GameBody {
    const MARK: u32 = mark(*b"game");
    type Opaque = BarrowGame;
}

impl GameBody {
    /// The default game, with room for so many actions that can be undone.
    fn new(region: &mut Region, actions: usize) -> Option<GameBody> {
        let changes = actions.checked_mul(CHANGES)?.checked_add(MOST_CHANGES)?;
        let mut log = region.take(changes, Change::default())?;
        let mut marks = region.take(actions, UndoLog::off().mark())?;
        // SAFETY: each is borrowed once, here.
        let (log, marks) = unsafe { (log.borrow(), marks.borrow()) };
        let game = Game::new(GameConfig::default(), 0);
        Some(GameBody { game, log: UndoLog::new(log), marks, applied: 0 })
    }

    /// Replaces the game; nothing can be undone then.
    fn set(&mut self, game: Game) {
        self.game = game;
        self.forget();
    }

    fn forget(&mut self) {
        self.log.clear();
        self.applied = 0;
    }

    /// Applies some lines.
    fn apply(&mut self, line: &str, message: &mut Message) -> Result<BarrowStatus, Failure> {
        check_going(&self.game)?;
        // Whoever applies that means to end the turn, which would not happen.
        let mut words = Lines::of(line).map(|(number, _, word)| (number, word));
        if let Some((number, "endturn")) = words.find(|(_, word)| *word != "turn") {
            let text =
                format_args!("line {number}: only barrow_game_end_turn and barrow_game_play end a turn");
            return Err(message.fail(BARROW_UNREADABLE, text));
        }
        let turn = read_lines(&self.game, line, message)?;
        let mark = self.log.mark();
        let Some(slot) = self.marks.get_mut(self.applied) else {
            return Err(
                message.fail(BARROW_CAPACITY, "no more actions can be applied before the end of the turn")
            );
        };
        if let Err(refused) = self.game.enter(&turn, &mut self.log) {
            self.game.undo(mark, &mut self.log);
            return Err(illegal(&refused, message));
        }
        *slot = mark;
        self.applied += 1;
        Ok(BARROW_OK)
    }

    /// Undoes what was applied last.
    fn undo(&mut self) -> Result<BarrowStatus, Failure> {
        let last = self.applied.checked_sub(1).ok_or(Failure(BARROW_TOO_EARLY))?;
        let mark = self.marks.get(last).ok_or(Failure(BARROW_TOO_EARLY))?;
        self.game.undo(*mark, &mut self.log);
        self.applied = last;
        Ok(BARROW_OK)
    }

    fn facts(&self) -> BarrowFacts {
        let state = self.game.state();
        BarrowFacts {
            key: state.key(),
            boards: state.boards().len() as u32,
            turns: state.turn(),
            side: state.side_to_move().index() as i32,
            winner: state.winner().map_or(BARROW_NOBODY, |side| side.index() as i32),
            over: u32::from(state.is_over()),
            drawn: u32::from(state.is_drawn()),
            points: Side::ALL.map(|side| u32::from(state.points(side))),
            points_to_win: u32::from(self.game.config().points_needed),
            souls: Side::ALL.map(|side| state.souls(side)),
            tech_points: u32::from(state.budget().tech_points),
            applied: self.applied as u32,
            reserved: 0,
        }
    }
}

/// Fails when a game is over.
pub(crate) fn check_going(game: &Game) -> Result<(), Failure> {
    if game.state().is_over() { Err(Failure(BARROW_GAME_OVER)) } else { Ok(()) }
}

/// Failure that an action or a turn is illegal.
fn illegal(refused: &IllegalTurn, message: &mut Message) -> Failure {
    let full = refused.reason == IllegalReason::Capacity;
    message.fail(if full { BARROW_CAPACITY } else { BARROW_ILLEGAL }, refused)
}

/// Turn of some lines. `turn` at the beginning and `endturn` at the end may be left out, but not all lines.
fn read_lines(game: &Game, lines: &str, message: &mut Message) -> Result<GameTurn, Failure> {
    let mut reader = None;
    let mut ended = false;
    for (number, line, word) in Lines::of(lines) {
        if ended {
            let text = format_args!("line {number}: the turn has ended before");
            return Err(message.fail(BARROW_UNREADABLE, text));
        }
        let read = match (&mut reader, word) {
            (None, "turn") => umi::TurnReader::new(game, line).map(|begun| reader = Some(begun)),
            (begun, "endturn") => {
                ended = true;
                match begun {
                    Some(_) => Ok(()),
                    None => umi::TurnReader::new(game, "turn").map(|empty| reader = Some(empty)),
                }
            }
            (Some(reader), _) => reader.read(line),
            (None, _) => umi::TurnReader::new(game, "turn").and_then(|begun| reader.insert(begun).read(line)),
        };
        read.map_err(|error| message.fail(BARROW_UNREADABLE, format_args!("line {number}: {error}")))?;
    }
    let Some(reader) = reader else { return Err(message.fail(BARROW_UNREADABLE, "there is no line")) };
    reader.finish(game).map_err(|error| message.fail(BARROW_UNREADABLE, error))
}

/// Writes every legal action as a line, and returns how many there are.
fn write_legal(game: &Game, board: u32, output: &mut Output) -> u32 {
    let mut count = 0;
    let mut line = |text: core::fmt::Arguments<'_>| {
        let _ = write!(output, "{}action {text}", if count > 0 { "\n" } else { "" });
        count += 1;
    };
    if board == BARROW_GENERAL {
        game.legal_general_actions(|action| match action {
            Action::General(GeneralAction::BuySpell) => line(format_args!("buy_spell")),
            Action::General(GeneralAction::Sell) => line(format_args!("sell")),
            Action::General(GeneralAction::March) => line(format_args!("tech 1")),
            Action::General(GeneralAction::Advance { index }) => line(format_args!("tech 0 {index}")),
            Action::General(GeneralAction::Assign { board, card }) => {
                if let Some(spell) = game.state().row().get(usize::from(card)) {
                    line(format_args!("give_spell {board} {} {card}", spell.name()));
                }
            }
            Action::Board(..) => {}
        });
    } else {
        let index = board as usize;
        game.legal_board_actions(index, |action| {
            line(format_args!("board {board} {}", umi::BoardActText(&action)));
        });
        let going = game.view(index).filter(|view| !game.state().is_over() && !view.board.marks().resigned);
        if let Some(view) = going {
            view.swaps(|first, second| line(format_args!("board {board} move_cyclic {first} {second}")));
        }
    }
    count
}

/// Bytes of memory for a game in which so many actions of a turn can be applied one by one; 256 are ample. Turns that are
/// played as a whole need none of it.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_game_size(actions: u32) -> usize {
    size_of_handle::<GameBody>(|region| {
        let actions = actions as usize;
        region.take(actions.checked_mul(CHANGES)?.checked_add(MOST_CHANGES)?, Change::default())?;
        region.take(actions, UndoLog::off().mark()).map(|_| ())
    })
}

/// Opens a game in the caller's memory: the default game at its start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_open(
    memory: *mut c_void,
    size: usize,
    actions: u32,
    game: *mut *mut BarrowGame,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        open::<GameBody>(memory, size, barrow_game_size(actions), game, |region| {
            GameBody::new(region, actions as usize)
        })
    }
}

/// Sets up a start position.
///
/// The ruleset is `server` or `spooky`, the configuration `<points> <map>,... <tech>,...` as in UMI (`2 AllLand S,P,W`); without
/// text they are `server` and the default game of two boards. The seed determines the order of the cards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_start(
    game: *mut BarrowGame,
    ruleset: *const c_char,
    ruleset_length: usize,
    config: *const c_char,
    config_length: usize,
    seed: u64,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let apart = [entered.span()];
            let ruleset = match text(ruleset, ruleset_length, &apart, entered.message)? {
                "" => Ruleset::Server,
                name => Ruleset::from_name(name)
                    .ok_or_else(|| entered.message.fail(BARROW_UNREADABLE, "no such ruleset"))?,
            };
            let config = match text(config, config_length, &apart, entered.message)? {
                "" => GameConfig::default().with_ruleset(ruleset),
                line => fen::parse_config(line, ruleset)
                    .map_err(|error| entered.message.fail(BARROW_UNREADABLE, error))?,
            };
            entered.body.set(Game::new(config, seed));
            Ok(BARROW_OK)
        })
    }
}

/// Reads a position in FEN, in Spooky's form or extended (`docs/spec/fen.md`). A text without a configuration of its own is
/// read under that of the game. The seed determines the order of cards that the text does not name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_read(
    game: *mut BarrowGame,
    fen: *const c_char,
    fen_length: usize,
    seed: u64,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let line = text(fen, fen_length, &[entered.span()], entered.message)?;
            let read = fen::parse_seeded(line, entered.body.game.config(), seed)
                .map_err(|error| entered.message.fail(BARROW_UNREADABLE, error))?;
            entered.body.set(read);
            Ok(BARROW_OK)
        })
    }
}

/// Writes the position as FEN: with `extended` not 0 everything that belongs to it, configuration and cards included, else
/// Spooky's form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_write(
    game: *mut BarrowGame,
    extended: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let mut output = Output::new(buffer, capacity, length, &[entered.span()])?;
            let game = &entered.body.game;
            // What does not fit is counted.
            let _ = match extended {
                0 => write!(output, "{}", fen::Display(game)),
                _ => write!(output, "{}", fen::Extended(game)),
            };
            output.finish()
        })
    }
}

/// Makes a game equal to another one. What was applied to either can no longer be undone in the copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_copy(game: *mut BarrowGame, from: *mut BarrowGame) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            check_distinct(game, from)?;
            let other = enter::<GameBody>(from).map_err(Failure)?;
            entered.body.set(other.body.game.clone());
            Ok(BARROW_OK)
        })
    }
}

/// Fills in numbers of the position. `size` is the size of the structure that the caller knows; a shorter one gets its
/// beginning, a longer one zeros at its end. `BARROW_RANGE` for a size of 0, above 4,096, or that is no multiple of the
/// structure's alignment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_facts(
    game: *mut BarrowGame,
    facts: *mut BarrowFacts,
    size: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer; `BarrowFacts` has no gaps.
    unsafe { call::<GameBody>(game, |entered| fill(facts, size, &entered.body.facts(), &[entered.span()])) }
}

/// Lists the legal actions of a board, or of the general for `BARROW_GENERAL`, each as a line of UMI that
/// `barrow_game_apply` takes. `count`, which may be null, gets their number, also where the buffer is too small. Of
/// simultaneous moves the swaps are listed, and neither resigning nor the end of the phase is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_legal(
    game: *mut BarrowGame,
    board: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    count: *mut u32,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let mut output = Output::new(buffer, capacity, length, &[entered.span()])?;
            let count = Place::optional(count, &output.and([entered.span(); 2]))?;
            let game = &entered.body.game;
            if board != BARROW_GENERAL && board as usize >= game.config().num_boards() {
                return Err(Failure(BARROW_RANGE));
            }
            count.put(write_legal(game, board, &mut output));
            output.finish()
        })
    }
}

/// Applies a line of UMI (`action board 0 move d1e1`) to the position, without ending the turn. On error nothing has changed.
///
/// Several lines count as one action: they are applied together, and undone together. `turn` before them and `endturn` behind
/// them are passed over; `endturn` without an action before it is refused. `turn` alone, or with the `action tech 0` of a plan
/// in which nobody fights, is an action that does nothing: it is undone as any other. A second line of techs (`action tech`)
/// and a second setup of a board replace the first of the same call, as in a turn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_apply(
    game: *mut BarrowGame,
    line: *const c_char,
    line_length: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let line = text(line, line_length, &[entered.span()], entered.message)?;
            entered.body.apply(line, entered.message)
        })
    }
}

/// Undoes what was applied last: the position is bit for bit as before. `BARROW_TOO_EARLY` if nothing is left to undo in this
/// turn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_undo(game: *mut BarrowGame) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe { call::<GameBody>(game, |entered| entered.body.undo()) }
}

/// Ends the turn of the side to move. On error nothing has changed; otherwise nothing can be undone any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_end_turn(game: *mut BarrowGame) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let Entered { body, message, .. } = entered;
            check_going(&body.game)?;
            body.game.end_turn().map_err(|refused| illegal(&refused, message))?;
            body.forget();
            Ok(BARROW_OK)
        })
    }
}

/// Plays a whole turn in lines of UMI and ends it. `turn` at its beginning and `endturn` at its end may be left out, but a turn
/// without actions needs one of them: a text without a line is refused. On error nothing has changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_game_play(
    game: *mut BarrowGame,
    turn: *const c_char,
    turn_length: usize,
) -> BarrowStatus {
    // SAFETY: as the header asks of every pointer.
    unsafe {
        call::<GameBody>(game, |entered| {
            let lines = text(turn, turn_length, &[entered.span()], entered.message)?;
            let Entered { body, message, .. } = entered;
            check_going(&body.game)?;
            let turn = read_lines(&body.game, lines, message)?;
            body.game.play(&turn).map_err(|refused| illegal(&refused, message))?;
            body.forget();
            Ok(BARROW_OK)
        })
    }
}
