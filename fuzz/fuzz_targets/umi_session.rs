//! Sessions of UMI with arbitrary lines: after each line the position of the engine equals that of a small model, an
//! error has changed nothing, and the engine still answers.
//!
//! The input is text, mutated by words and lines. A line that begins with `!` becomes a legal action of the turn being
//! entered; the two bytes after it choose the board and the action. Most sessions share one engine and search little; one
//! in 64 makes its own, as its options say.

#![no_main]

use std::sync::{Arc, LazyLock, Mutex};

use barrow::engine::{Engine, Limits, SearchResult};
use barrow::umi::{Flow, Session, TimedBrain};
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::{BoardActText, TurnReader};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Action, BoardAction, Game, GameConfig, Ruleset, UndoLog};
use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, minions_names, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Largest number of lines in a session.
const LINES: usize = 60;

/// Largest number of searches in a session with an engine of its own. Other sessions search once.
const SEARCHES: usize = 6;

/// Nodes of a search by the shared engine.
const NODES: u64 = 2;

/// Memory of the shared engine, in MiB.
const HASH: usize = 16;

/// Words that a session knows.
const WORDS: &str = "\
    Ruleset heuristic Hash Threads MultiPV Overhead Ponder Seed MoveTime server spooky auto mcts greedy \
    random true false winner Yellow Blue nodes movetime wtime btime winc binc movestogo infinite ponder \
    spells fen startpos x1 tp=0,0,0 b0.k=s b0.m=5 N c2d2 d1e1f1 d1-e1";

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut words = WORDS.split(' ').collect::<Vec<_>>();
    words.extend(minions_names());
    let lines = &[
        "!%b%b",
        "!%b%b",
        "!%b%b",
        "!%b%b",
        "turn",
        "turn",
        "endturn",
        "endturn",
        "action tech 1",
        "action tech %n %n",
        "action sell",
        "action buy_spell",
        "action give_spell %n %s",
        "action give_spell %n unknown",
        "action board %n end_phase",
        "action board %n resign",
        "action board %n setup N %s",
        "action board %n buy %s",
        "action board %n spawn %s %h",
        "action board %n move %h%h",
        "action board %n walk %h%h%h",
        "action board %n move_cyclic %h %h",
        "action board %n move_group %h%h %h%h",
        "action board %n attack %h%h",
        "action board %n teleport %h%h",
        "action board %n blink %h",
        "action board %n tile %h",
        "action board %n cast %s %h",
        "action board %n cast %s %h %h",
        "action board %n discard %s",
        "action board %n ability %h %s %h",
        "action board %n ability %h move_terrain %s %h",
        "setoption name %s value %s",
        "setoption name %s value %n",
        "config %n %s,%s S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3",
        "config 1 %s S,P,W",
        "position startpos",
        "uminewgame",
        "go nodes %n",
        "play",
        "play movetime %n",
        "getfen",
        "eval",
        "display",
        "perft %n",
        "umi",
        "isready",
        "stop",
        "ponderhit",
    ];
    Vocabulary { words, lines }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

static ENGINE: LazyLock<SharedEngine> = LazyLock::new(|| {
    let options = SearchOptions { seed: 0, ..SearchOptions::default() };
    SharedEngine(Arc::new(Mutex::new(Engine::new(HASH, options))))
});

/// An engine of all sessions: the memory of a search takes longer to set up than a session to play.
#[derive(Clone)]
struct SharedEngine(Arc<Mutex<Engine>>);

impl TimedBrain for SharedEngine {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult {
        let limits = Limits { nodes: limits.nodes.min(NODES), ..limits.clone() };
        let mut engine = self.0.lock().expect("no search panics");
        engine.clear();
        TimedBrain::search(&mut *engine, game, &limits, observer)
    }
}

fuzz_target!(|data: &[u8]| {
    let own_engine = one_in(64, data);
    // The web server is answered under other rules than the model's.
    let mut session = Session::new(Vec::new()).with_option("Host", "other").expect("a host by its name");
    let mut model = Model::new();
    let mut searches_left = if own_engine { SEARCHES } else { 1 };
    for line in data.split(|&byte| byte == b'\n').take(LINES) {
        let line = match line.strip_prefix(b"!") {
            Some(choice) => model.legal_line(choice),
            None => String::from_utf8_lossy(line).into_owned(),
        };
        // No files are written here.
        if line.contains("Record") {
            continue;
        }
        let line = line.trim();
        match line.split_ascii_whitespace().next() {
            // Whole games and fixed work take too long here.
            Some("auto" | "bench") => continue,
            // With an offset the engine does not mean what it prints.
            Some("setoption") if line.contains("TechOffset") || line.contains("Host") => continue,
            // A fuzzer is not to write files.
            Some("setoption") if line.contains("Debug") => continue,
            Some("go" | "play" | "perft") if searches_left == 0 => continue,
            Some("go" | "play" | "perft") => searches_left -= 1,
            _ => {}
        }
        if model.engine_plays && !own_engine {
            session = session.with_brain(Box::new(ENGINE.clone()));
        }
        session.output().clear();
        let flow = session.handle(line).expect("memory does not fail");
        // Limits may be long, or none; one node is searched in any case.
        if session.is_searching() && (own_engine || line.contains("infinite") || line.contains("ponder")) {
            session.handle("stop").expect("memory does not fail");
        }
        session.settle().expect("memory does not fail");
        let said = String::from_utf8(session.output().clone()).expect("the engine speaks text");
        assert_eq!(flow == Flow::Quit, line.split_ascii_whitespace().next() == Some("quit"), "{line}");

        let errors = said.lines().filter(|said| said.starts_with("error: ")).count();
        assert!(errors == 0 || said.lines().count() == 1, "{line}: {said}");
        assert!(said.is_empty() || said.ends_with('\n'), "{line}: {said}");
        // Words that a line brought are echoed one by one, so phrases can only be the engine's own.
        let broken = ["turn is illegal", "broke down"].into_iter().any(|phrase| said.contains(phrase));
        assert!(!broken, "{line}: {said}");
        if errors == 0 {
            model.accept(line, &said);
        } else {
            model.refuse(line);
        }
        assert_eq!(session.game(), &model.game, "{line}: {said}");
        assert_eq!(model.game.validate(), Ok(()), "{line}");
    }
    if !own_engine {
        session = session.with_brain(Box::new(ENGINE.clone()));
    }
    session.output().clear();
    session.handle("isready").expect("memory does not fail");
    assert_eq!(session.output().as_slice(), b"readyok\n");
});

/// A model of the session: the position that the engine must have, derived from the lines and the engine's output.
struct Model {
    ruleset: Option<Ruleset>,
    seed: u64,
    /// Whether the engine chooses the turns, not one of the hand-written players.
    engine_plays: bool,
    config: GameConfig,
    game: Game,
    /// Lines of the turn being entered.
    entering: Option<Vec<String>>,
    /// Position with the legal actions of the turn being entered applied.
    draft: Game,
}

impl Model {
    fn new() -> Model {
        let config = GameConfig::default();
        let game = Game::new(config.clone().with_ruleset(Ruleset::Spooky), 0);
        Model {
            ruleset: None,
            seed: 0,
            engine_plays: true,
            config,
            draft: game.clone(),
            game,
            entering: None,
        }
    }

    fn ruled(&self, auto: Ruleset) -> GameConfig {
        self.config.clone().with_ruleset(self.ruleset.unwrap_or(auto))
    }

    fn start(&mut self) {
        self.set(Game::new(self.ruled(Ruleset::Spooky), self.seed));
    }

    fn set(&mut self, game: Game) {
        self.draft = game.clone();
        self.game = game;
        self.entering = None;
    }

    /// Returns a line that enters a legal action.
    fn legal_line(&mut self, choice: &[u8]) -> String {
        let [board, pick] = [0, 1].map(|place| usize::from(choice.get(place).copied().unwrap_or(0)));
        let board = board % self.draft.config().num_boards();
        let mut actions: Vec<BoardAction> = Vec::new();
        if self.draft.state().is_over() {
            return "turn".to_owned();
        }
        self.draft.legal_board_actions(board, |action| actions.push(action));
        if actions.is_empty() {
            return "turn".to_owned();
        }
        let action = actions[pick * actions.len() / 256];
        let legal = self.draft.apply(Action::Board(board as u8, action), &mut UndoLog::off());
        assert_eq!(legal, Ok(()), "{action:?}");
        format!("action board {board} {}", BoardActText(&action))
    }

    /// Updates the model after a line that was refused: only a turn whose end was refused is dropped.
    fn refuse(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if matches!(*words, ["endturn"] | ["endturn", "winner", "Yellow" | "Blue"]) {
            self.entering = None;
            self.draft = self.game.clone();
        }
    }

    /// Updates the model after a line that was accepted.
    fn accept(&mut self, line: &str, said: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match *words {
            ["setoption", "name", "Ruleset", "value", value] => {
                let ruleset = Ruleset::from_name(value);
                if ruleset != self.ruleset {
                    self.ruleset = ruleset;
                    self.start();
                }
            }
            ["setoption", "name", "heuristic", "value", value] => self.engine_plays = value == "mcts",
            ["setoption", "name", "Seed", "value", value] => self.seed = value.parse().unwrap(),
            ["config", ..] => {
                let arguments = line.strip_prefix("config").unwrap_or("");
                self.config = fen::parse_config(arguments, Ruleset::Server).unwrap();
                self.start();
            }
            ["uminewgame"] | ["position", "startpos"] => self.start(),
            ["position", "fen", ref words @ ..] => {
                let auto = if words.contains(&"x1") { Ruleset::Server } else { Ruleset::Spooky };
                let text = words.join(" ");
                self.set(fen::parse_seeded(&text, &self.ruled(auto), self.seed).unwrap());
            }
            ["turn", ..] => {
                self.set(self.game.clone());
                self.entering = Some(vec![line.to_owned()]);
            }
            ["action", ..] => self.entering.as_mut().unwrap().push(line.to_owned()),
            ["endturn", ..] => {
                let lines = self.entering.take().unwrap();
                self.set(self.after(lines.iter().map(String::as_str)));
            }
            ["play", ..] => self.set(self.after(turn_lines(said))),
            // The turn is legal and read back, and the position stays.
            ["go", ..] => drop(self.after(turn_lines(said))),
            ["getfen"] if self.game.config().rules.spells => {
                assert_eq!(Game::from_fen(said).as_ref(), Ok(&self.game), "{said}");
            }
            ["getfen"] => assert_eq!(said.trim_end(), fen::Display(&self.game).to_string()),
            _ => {}
        }
    }

    /// The position after the turn of these lines, which must be legal.
    fn after<'a>(&self, mut lines: impl Iterator<Item = &'a str>) -> Game {
        let mut reader = TurnReader::new(&self.game, lines.next().unwrap()).unwrap();
        lines.for_each(|line| reader.read(line).unwrap());
        let turn = reader.finish(&self.game).unwrap();
        let mut game = self.game.clone();
        game.play(&turn).unwrap();
        game
    }
}

/// The lines of the turn that a search has printed, without the last.
fn turn_lines(said: &str) -> impl Iterator<Item = &str> {
    let turn = said.lines().skip_while(|said| !said.starts_with("turn"));
    turn.take_while(|said| !said.starts_with("endturn"))
}
