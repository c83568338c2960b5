//! Questions of a page.

use serde::{Deserialize, Serialize};

use super::contests::MatchAsk;
use super::review::ReviewAsk;

/// Request of a page, with a number that its answers repeat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Number of the request, chosen by the page.
    pub id: u64,
    /// Number of turns of the game that a change is made on. Where the game has another number by now, the change is refused:
    /// somebody else was faster, or a key was pressed twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<usize>,
    /// Question.
    #[serde(flatten)]
    pub ask: Ask,
}

/// Question of a page. Lines are those of UMI (umi §5) or their short forms, such as `0 c2d2`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Cards of units, spells and terrain, the maps and the levels. Answer: [`Reply::Book`](super::Reply::Book).
    Book {
        /// Ruleset whose figures are asked for; that of the game if none is named.
        #[serde(default)]
        ruleset: Option<String>,
    },
    /// A new game. Answer: [`Reply::Position`](super::Reply::Position).
    New(NewGame),
    /// A game from text: FEN, an annotated game (`docs/spec/notation.md`), or the text of a link. Answer: position.
    Load {
        /// Text.
        text: String,
        /// Ruleset of FEN that does not say, `server` or `spooky`; a text that says otherwise is refused.
        #[serde(default)]
        ruleset: Option<String>,
        /// Configuration of FEN that does not say, as behind `config` in UMI; a text that says otherwise is refused.
        #[serde(default)]
        config: Option<String>,
        /// Whether a server stores the game under a link, as it does with a new one. Without a server nothing is stored.
        #[serde(default = "yes")]
        keep: bool,
    },
    /// The game as text. Answer: [`Reply::Text`](super::Reply::Text).
    Export {
        /// Form of the text.
        form: Form,
    },
    /// The position as entered, or another one of the game. Answer: position.
    Position {
        /// Turns after which the position is asked for; the present one if none is named.
        #[serde(default)]
        after: Option<usize>,
    },
    /// Choices. Answer: [`Reply::Choices`](super::Reply::Choices).
    Choices(Subject),
    /// Whether a line may be entered, and if not, why not. Answer: [`Reply::Checked`](super::Reply::Checked).
    Check {
        /// Line.
        line: String,
    },
    /// Enters a line of the turn. Answer: position; a line that is not legal is refused.
    Enter {
        /// Line.
        line: String,
    },
    /// Takes the last line of the turn back. Answer: position.
    Undo,
    /// Takes all lines of the turn back. Answer: position.
    Clear,
    /// Puts a whole turn in the place of what was entered, without ending it. Answer: position.
    Propose {
        /// Lines of the turn; `turn` and `endturn` may be among them.
        turn: Vec<String>,
    },
    /// Ends the turn as entered. Answer: position.
    EndTurn,
    /// Plays a whole turn and ends it, whatever was entered. Answer: position.
    Play {
        /// Lines of the turn; `turn` and `endturn` may be among them.
        turn: Vec<String>,
        /// Win chance that the player gives the turn and its expected error, which the record notes.
        #[serde(default)]
        value: Option<[f64; 2]>,
    },
    /// Takes whole turns back, so that this many are left. Answer: position.
    TakeBack {
        /// Turns that are left.
        turns: usize,
    },
    /// Gives the game up for the side to move. Answer: position.
    Resign,
    /// Searches. Answers: [`Reply::Analysis`](super::Reply::Analysis), the last one with `final`.
    Search(SearchAsk),
    /// Reviews the game. Answers: [`Reply::Review`](super::Reply::Review), the last one with `final`.
    Review(ReviewAsk),
    /// Contest games that can be played between bots. Answer: [`Reply::Contests`](super::Reply::Contests).
    Contests,
    /// A recorded contest game. Answer: [`Reply::Watched`](super::Reply::Watched).
    Watch {
        /// Record, as the arenas of the program write it.
        text: String,
    },
    /// A contest game between bots. Answer: [`Reply::Watched`](super::Reply::Watched) with the first scene.
    Match(MatchAsk),
    /// A turn of the contest game between bots. Answer: [`Reply::Scenes`](super::Reply::Scenes).
    MatchTurn,
    /// Ends all searches of this page, each of which then gives its last answer. Answer: [`Reply::Done`](super::Reply::Done).
    Stop,
}

fn yes() -> bool {
    true
}

impl Ask {
    /// Whether the request may change the game.
    pub fn changes_game(&self) -> bool {
        match self {
            Ask::Enter { .. }
            | Ask::Undo
            | Ask::Clear
            | Ask::Propose { .. }
            | Ask::EndTurn
            | Ask::Play { .. }
            | Ask::TakeBack { .. }
            | Ask::Resign
            | Ask::New(_)
            | Ask::Load { .. } => true,
            Ask::Book { .. }
            | Ask::Export { .. }
            | Ask::Position { .. }
            | Ask::Choices(_)
            | Ask::Check { .. }
            | Ask::Search(_)
            | Ask::Review(_)
            | Ask::Contests
            | Ask::Watch { .. }
            | Ask::Match(_)
            | Ask::MatchTurn
            | Ask::Stop => false,
        }
    }
}

impl Request {
    /// Number of turns that the game must have. Requests that change no game that is there do without.
    pub fn must_have(&self) -> Option<usize> {
        let begins = matches!(self.ask, Ask::New(_) | Ask::Load { .. });
        self.seen.filter(|_| self.ask.changes_game() && !begins)
    }
}

/// Form of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Position at the start of the turn in the extended form of FEN.
    Fen,
    /// Annotated game (`docs/spec/notation.md`).
    Mgn,
    /// Text for a link: ruleset, configuration, position and the lines entered, which `load` takes.
    Link,
}

/// A new game. The default is the program's: two boards, ruleset `server`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NewGame {
    /// Ruleset, `server` or `spooky`.
    pub ruleset: Option<String>,
    /// Names of the maps, one for each board, 1 to 8.
    pub maps: Vec<String>,
    /// Board points that win the game; the customary number if none is given.
    pub points: Option<u8>,
    /// Seed of the decks.
    pub seed: u64,
    /// Handicap: what Yellow has besides what the rules give.
    pub yellow: Handicap,
    /// Handicap: what Blue has besides what the rules give.
    pub blue: Handicap,
    /// Name of Yellow's player, for the record.
    pub yellow_name: Option<String>,
    /// Name of Blue's player.
    pub blue_name: Option<String>,
}

/// Handicap: what a side has in the first position that the rules do not give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Handicap {
    /// Souls.
    pub souls: u32,
    /// Souls at each own turn start.
    pub income: u16,
    /// Number of techs of the line that are unlocked.
    pub unlocked: u8,
}

/// Subject of choices: a board as a whole, a piece on it, units to be placed, or a card.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Subject {
    /// Index of the board.
    pub board: usize,
    /// Hex of a piece.
    pub hex: Option<String>,
    /// Name of a unit of the reinforcements.
    pub unit: Option<String>,
    /// Name of a spell of the hand.
    pub spell: Option<String>,
}

/// Position that is searched.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The start of the turn that is being entered.
    #[default]
    Now,
    /// The position after so many turns of the game.
    After(usize),
    /// A text as in [`Ask::Load`], which leaves the game as it is.
    Text(String),
}

/// Search of a position. Without limits it goes on until it is stopped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchAsk {
    /// Position that is searched.
    pub place: Place,
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Milliseconds at most.
    pub movetime: Option<u64>,
    /// Seed of the search.
    pub seed: u64,
    /// Turns to list at most.
    pub candidates: usize,
    /// Whether answers come while the search goes on, several times a second.
    pub progress: bool,
    /// Whether answers hold the statistics of every stage.
    pub stages: bool,
    /// Whether threads that share the memory of a page help; elsewhere without effect.
    pub together: bool,
}

impl Default for SearchAsk {
    fn default() -> Self {
        SearchAsk {
            place: Place::Now,
            nodes: None,
            movetime: None,
            seed: 0,
            candidates: 5,
            progress: true,
            stages: false,
            together: false,
        }
    }
}
