//! A soak: one UMI process plays game after game, with the rulesets by turns, and its searches end in every way there
//! is. No line is an error, and the memory of the process stays as it was.
//!
//! `BARROW_GAMES=10000 cargo test --release -p barrow --test soak -- --nocapture` is the long form.

mod program;

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Games without `BARROW_GAMES`.
const GAMES: u64 = 40;

/// Turns after which a game is left for the next one.
const TURNS: u64 = 60;

/// Games after which every kind of game has been played.
const ROUND: u64 = 8;

/// Growth of memory in KiB that says nothing yet after a few games: the system gives memory in pages and arenas.
const SLACK: u64 = 1024;

/// A running engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start() -> Engine {
        let mut child =
            program::program().arg("umi").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Engine { child, input, output: BufReader::new(output).lines() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads up to the line that begins so, and returns it. A word of a fault on the way is one.
    fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.output.next().expect("the engine ended").unwrap();
            assert!(!line.starts_with("error: ") && !line.starts_with("info string"), "{line}");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    fn is_ready(&mut self) {
        self.say("isready");
        self.until("readyok");
    }

    /// Resident memory in KiB; nothing where the system does not tell.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
    }

    /// Asks for a turn, which is played in the end. Returns whether the game is over.
    fn turn(&mut self, way: u64) -> bool {
        match way % 6 {
            0 => {
                self.say("play infinite");
                self.is_ready();
                self.say("stop");
            }
            1 => {
                for line in ["go ponder nodes 2", "ponderhit"] {
                    self.say(line);
                }
                self.until("endturn");
                self.say("play nodes 1");
            }
            2 => {
                for line in ["go ponder", "stop"] {
                    self.say(line);
                }
                self.until("endturn");
                self.say("play movetime 1");
            }
            3 => self.say("play wtime 9 btime 9"),
            _ => self.say("play nodes 3"),
        }
        self.until("endturn") != "endturn"
    }

    fn game(&mut self, game: u64) {
        let ruleset = ["server", "spooky"][(game % 2) as usize];
        let boards = ["AllLand", "MidnightLake,BlackenedShores"][(game / 2 % 2) as usize];
        let threads = 1 + game / 4 % 2;
        for line in [
            &*format!("setoption name Ruleset value {ruleset}"),
            &*format!("setoption name Threads value {threads}"),
            "setoption name Hash value 4",
            "setoption name Ponder value true",
            &*format!("config 1 {boards} S,P,W,H,G,K,T,X,A,J,U,V,M,L,O,C,R,Q,B,1,E,D,Y,3,2"),
            "uminewgame",
        ] {
            self.say(line);
        }
        for turn in 0..TURNS {
            if self.turn(game + turn) {
                break;
            }
            if turn % 16 == 0 {
                self.say("getfen");
                self.is_ready();
            }
        }
    }
}

#[test]
fn memory_stays_as_it_was_over_any_number_of_games() {
    let games = std::env::var("BARROW_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(GAMES);
    let mut engine = Engine::start();
    // The most memory in any round of games, for each tenth of all games.
    let mut memory: Vec<u64> = Vec::new();
    let tenth = (games / 10).max(1);
    for game in 0..games {
        engine.game(game);
        let part = (game / tenth) as usize;
        memory.resize(memory.len().max(part + 1), 0);
        if let Some(now) = engine.memory().filter(|_| game >= ROUND) {
            memory[part] = memory[part].max(now);
        }
        if (game + 1) % tenth == 0 {
            println!("{} games: {:?} KiB, at most {}", game + 1, engine.memory(), memory[part]);
        }
    }
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());
    // What comes with the first games, threads of their own for instance, is there from then on.
    let settled: Vec<u64> = memory.into_iter().skip_while(|&most| most == 0).skip(1).collect();
    if let (Some(&first), Some(&last)) = (settled.first(), settled.last()) {
        let slack = if games < 1_000 { SLACK } else { 0 };
        assert!(last <= first + first / 100 + slack, "memory grew from {first} to {last} KiB: {settled:?}");
    }
}
