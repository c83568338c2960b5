//! The rows of the test: each command with arguments, and what is expected of them.
//!
//! More than 500 lines: one table with a row for each command.

/// Rows of one command. Arguments are words separated by spaces; `BARROW` is the program itself.
pub(crate) struct Row {
    /// Command, with the one above it.
    pub(crate) command: &'static str,
    /// Standard input of all runs.
    pub(crate) input: &'static str,
    /// Good arguments, with what standard output contains; standard error is empty.
    pub(crate) good: &'static [(&'static str, &'static str)],
    /// Arguments to which `--json` is added, with the exit code.
    pub(crate) json: &'static [(&'static str, i32)],
    /// Bad arguments, with the exit code and what standard error contains: one line where the input is bad (1).
    pub(crate) bad: &'static [(&'static str, i32, &'static str)],
}

/// Middle game in Spooky's form, of the default configuration.
pub(crate) const FEN: &str = "10|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    n|I|i|||2Z7/4Z5/2Z1Z5/2N7/Z1Z7/0/7zz1/6znz1/6zz2/0 n|I|i|||0/1Z1NZ5/2Z7/Z2Z6/1Z8/0/7zz1/6znz1/6zz2/0 1 2";

/// Scenario of RoboRally.
pub(crate) const WALL: &str = "SCENARIO W1 a wall\nBOARD\nsize 3 1\n.. .. ..\nwall 1 0 E\nENDBOARD\n\
    ROBOT 0 0 0 E 0 3 1 0 0 E A\nREGS 0 80 0 0 0 0\nRUN 1\nEXPECT\n0 1 0 E 0 3 1 0 0 E A\n";

/// Recorded game of Code of Kutulu.
pub(crate) const FLIGHT: &str = "SEED 21\nMAP Hypersonic\nCONSTS 5 1 4 33\nTURN 1 4\nEXPLORER 0 5 5 250 2 3\n\
    EXPLORER 1 9 5 250 2 3\nEXPLORER 2 5 7 250 2 3\nEXPLORER 3 9 7 250 2 3\nACT 0 FLY\nACT 1 FLY\nACT 2 FLY\n\
    ACT 3 FLY\nEND 1 0\nSCORES -1 -1 -1 -1\n";

/// Map of A Code of Ice and Fire by its seed.
pub(crate) const ISLAND: &str = "seed 0\n.M.....#####\n......M.####\n.........###\n...#......##\n#...#.....##\n\
    #M...#....##\n##....#...M#\n##.....#...#\n##......#...\n###.........\n####.M......\n#####.....M.\nmines 6\n";

pub(crate) const ROWS: &[Row] = &[
    Row {
        command: "analysis",
        input: "{\"id\":\"a\",\"nodes\":2,\"movetime\":600000}\n{\"id\":7}\n",
        good: &[("--workers 1 --hash 4", "\"final\":true"), ("", "\"error\":"), ("--schema", "\"query\"")],
        json: &[],
        bad: &[("--workers 0", 2, "--workers"), ("--net notes.txt", 1, "notes.txt: ")],
    },
    Row {
        command: "analyze",
        input: "1|1 0|0 nonsense\n",
        good: &[
            ("--nodes 2 --hash 4", "best turn:"),
            ("--nodes 2 --hash 4MiB --movetime 1.5s", "best turn:"),
            ("--game games.mgn --number 1 --nodes 2 --hash 4", "Yellow: "),
        ],
        json: &[
            ("--nodes 2 --hash 4 --tree", 0),
            ("--game games.mgn --number 1 --turn 2 --nodes 2 --hash 4", 0),
            ("--game games.mgn --number 2 --nodes 2 --hash 4", 0),
        ],
        bad: &[
            ("-", 1, "FEN, column "),
            ("--game games.mgn --number 3", 1, "games.mgn: holds 2 games"),
            ("--game games.mgn --number 1 --nodes 2 --svg notes.txt", 1, "notes.txt: exists already"),
            ("--net notes.txt", 1, "notes.txt: "),
            ("--hash 0", 2, "--hash"),
            ("--hash 1.3GiB", 2, "expected MiB, or a number with MiB or GiB"),
            ("--movetime 2x", 2, "expected milliseconds, or a number with ms, s, m or h"),
            ("--svg curve.svg", 2, "--game"),
            ("--blunder 5", 2, "--game"),
            ("- --blunder 5", 2, "cannot be used with"),
            ("- --svg curve.svg", 2, "cannot be used with"),
            ("- --turn 1", 2, "cannot be used with"),
            ("- --number 1", 2, "cannot be used with"),
            ("--game games.mgn --number 1 --turn 2 --blunder 5", 2, "cannot be used with"),
            ("--game games.mgn --number 1 --force", 2, "--svg"),
            (
                "--game games.mgn --number 1 --svg x.svg --annotated ./x.svg",
                2,
                "--svg and --annotated are the same file: ./x.svg",
            ),
            (
                "--game games.mgn --number 1 --annotated games.mgn --force",
                2,
                "--annotated is a file that --game reads: games.mgn",
            ),
        ],
    },
    Row {
        command: "attack",
        input: "",
        good: &[("positions.fen --rounds 1", "2 boards, attackers")],
        json: &[("positions.fen --rounds 1", 0)],
        bad: &[("notes.txt", 1, "notes.txt: line 1: "), ("-", 1, "-: no position"), ("", 2, "<FILE>")],
    },
    Row {
        command: "bench",
        input: "",
        good: &[
            ("--nodes 2", "signature "),
            ("tactics --nodes 1", "kill "),
            ("tactics --player builtin:greedy", "kill "),
            ("optimism --nodes 1", "optimism "),
        ],
        json: &[
            ("search --nodes 2", 0),
            ("rules --movetime 4", 0),
            ("eval --movetime 0.004s", 0),
            ("tactics --nodes 1", 0),
            ("optimism --nodes 1", 0),
        ],
        bad: &[
            ("dance", 2, "dance"),
            ("--nodes 0", 2, "--nodes"),
            ("--threads 257", 2, "--threads"),
            ("--hard", 2, "bench search takes no --hard"),
            ("search --movetime 5", 2, "bench search takes no --movetime"),
            ("rules --threads 2", 2, "bench rules takes no --threads"),
            ("rules --ruleset server", 2, "bench rules takes no --config and no --ruleset"),
            ("eval --positions positions.fen", 2, "bench eval takes no --positions"),
            ("optimism --unverified", 2, "bench optimism takes no --unverified"),
            ("--player builtin:mcts", 2, "bench search takes no --player"),
            ("tactics --player builtin:mcts --nodes 1", 2, "cannot be used with"),
            ("tactics --player builtin:mcts --movetime 1", 2, "takes no --movetime of a built-in player"),
            ("tactics --player cmd:./nowhere", 1, "player a does not start"),
            ("threads --config MidnightLake", 2, "bench threads takes no --config without --positions"),
            ("tactics --hard --positions positions.fen", 2, "cannot be used with"),
            ("optimism --positions notes.txt", 1, "notes.txt: line 1: "),
            ("optimism --positions -", 1, "-: no position"),
        ],
    },
    Row {
        command: "calibrate",
        input: "",
        good: &[("--data games.jsonl --every 1", "18 games, ")],
        json: &[("--data games.jsonl --every 1 --nodes 2 --positions 2", 0)],
        bad: &[
            ("--data notes.txt", 1, "notes.txt: line 1"),
            ("--data games.jsonl --csv notes.txt", 1, "notes.txt: exists already"),
            ("--data - -", 2, "- is named twice"),
            ("--data games.jsonl --csv x --svg x", 2, "--csv and --svg are the same file: x"),
            ("--data games.jsonl --svg games.jsonl --force", 2, "--svg is a file that --data reads"),
            ("", 2, "--data"),
        ],
    },
    Row {
        command: "check",
        input: "",
        good: &[],
        json: &[("cmd:BARROW,option.heuristic=greedy --positions 1 --movetime 50ms --margin 1m", 0)],
        bad: &[
            ("cmd:./no-such-engine", 1, "no-such-engine"),
            ("cmd:BARROW,option.Hsh=1", 1, "option Hsh: error: no such option: Hsh"),
            ("builtin:greedy", 2, "cmd:COMMAND"),
            ("", 2, "cmd:COMMAND"),
        ],
    },
    Row {
        command: "completions",
        input: "",
        good: &[("bash", "selfplay")],
        json: &[],
        bad: &[("tcsh", 2, "tcsh"), ("", 2, "<SHELL>")],
    },
    Row {
        command: "config",
        input: "",
        good: &[("", "BARROW_HASH")],
        json: &[("", 0)],
        bad: &[("hash", 2, "hash")],
    },
    Row {
        command: "convert",
        input: "",
        good: &[
            ("games.mgn --number 1", "[Mgn \"1\"]"),
            ("games.mgn --to json", "{\"mgn\":1"),
            ("games.jsonl --out converted.mgn.gz --force", "18 games, "),
        ],
        json: &[("games.jsonl --out converted.mgn --force", 0)],
        bad: &[
            ("notes.txt", 1, "notes.txt: line 1: no game in a known form"),
            ("games.mgn --to web-server", 1, "holds one game"),
            ("games.mgn --out notes.txt", 1, "notes.txt: exists already"),
            ("games.mgn --json", 2, "--json needs --out"),
            ("games.mgn --number 3", 1, "games.mgn: there is no game 3, only 2"),
            (".", 1, ".: Is a directory"),
            ("- -", 2, "- is named twice"),
            ("", 2, "<FILES>"),
        ],
    },
    Row {
        command: "eval",
        input: "nonsense\n",
        good: &[("", "by the network, Yellow wins the game with"), ("--net tiny.brw", "by the network, ")],
        json: &[("", 0), ("--game games.mgn --number 1", 0)],
        bad: &[("-", 1, "FEN, column "), ("--net notes.txt", 1, "notes.txt: "), ("--turn 1", 2, "--game")],
    },
    Row {
        command: "ice-and-fire arena",
        input: "",
        good: &[("wait random --games 2", "2 games: ")],
        json: &[("wait random --games 2", 0)],
        bad: &[
            ("wait cmd:./no-such-bot", 1, "no-such-bot"),
            ("wait", 2, "PLAYER"),
            ("wait dancer", 2, "dancer"),
            ("wait random --threads 257", 2, "--threads"),
            ("wait random --sprt 0 6500", 2, "expected at 6500 Elo rounds to 1"),
        ],
    },
    Row {
        command: "ice-and-fire bot",
        input: "",
        good: &[("", "")],
        json: &[],
        bad: &[("--player dancer", 2, "dancer")],
    },
    Row {
        command: "ice-and-fire bundle",
        input: "",
        good: &[("", "fn main()")],
        json: &[],
        bad: &[("--out notes.txt", 1, "notes.txt: exists already")],
    },
    Row {
        command: "ice-and-fire replay",
        input: "",
        good: &[("island.txt", "1 file, 1 step, 0 mismatches")],
        json: &[("island.txt", 0)],
        bad: &[("notes.txt", 1, "notes.txt: "), ("", 2, "<FILES>")],
    },
    Row {
        command: "ice-and-fire show",
        input: "",
        good: &[("--seed 1", "turn ")],
        json: &[("--seed 1", 0)],
        bad: &[
            ("notes.txt", 1, "notes.txt: "),
            ("--seed x", 2, "--seed"),
            ("--seed -1", 2, "'-1' for '--seed <SEED>': expected a whole number without a sign"),
            ("--turn 3", 2, "<FILE>"),
            ("--turn 3 --seed 2", 2, "cannot be used with"),
            ("--turn 3 --contest", 2, "cannot be used with"),
            ("island.txt --seed 2", 2, "cannot be used with"),
            ("island.txt --contest", 2, "cannot be used with"),
        ],
    },
    Row {
        command: "ice-and-fire tune",
        input: "",
        good: &[(
            "--player greedy,x1=4 --against wait --tune x1=1..9 --iterations 1 --parts 1 --pairs 1 --results tuning4.jsonl",
            "4 games, 1 of 1 iterations",
        )],
        json: &[(
            "--player greedy,x1=4 --against wait --against greedy --tune x1=1..9 --iterations 2 --parts 2 --pairs 1 \
             --results tuning5.jsonl --shard 1/2",
            0,
        )],
        bad: &[
            ("--player greedy --against wait --tune x1=1..9 --results tuning6.jsonl", 2, "x1=VALUE"),
            (
                "--player greedy,x1=14 --against wait --tune x1=1..9 --results tuning6.jsonl",
                2,
                "x1 begins with 14, which is not within 1..9",
            ),
            ("--player greedy,x1=4 --tune x1=1..9 --results tuning6.jsonl", 2, "--against"),
            ("--player greedy,x1=4 --against wait --tune x1=1..9 --results notes.txt", 1, "exists already"),
        ],
    },
    Row {
        command: "kutulu arena",
        input: "",
        good: &[("wait random --games 4 --map cog", "4 games of ")],
        json: &[("wait smitsimax,simulations=4 --games 4 --map cog", 0)],
        bad: &[
            ("cmd:./no-such-bot", 1, "no-such-bot"),
            ("wait --map moon", 2, "moon"),
            ("wait --map cog --force", 2, "cannot be used with"),
            ("wait --threads 0", 2, "--threads"),
            ("", 2, "<PLAYER>"),
        ],
    },
    Row {
        command: "kutulu bot",
        input: "x\n",
        good: &[],
        json: &[],
        bad: &[("", 1, "line 1"), ("--movetime x", 2, "--movetime")],
    },
    Row {
        command: "kutulu bundle",
        input: "",
        good: &[("", "fn main()")],
        json: &[],
        bad: &[("--out notes.txt", 1, "notes.txt: exists already")],
    },
    Row {
        command: "kutulu replay",
        input: "",
        good: &[("flight.txt", "1 file, 2 steps, 0 mismatches")],
        json: &[("flight.txt", 0)],
        bad: &[("notes.txt", 1, "notes.txt: "), ("- -", 2, "- is named twice"), ("", 2, "<FILES>")],
    },
    Row {
        command: "kutulu show",
        input: "",
        good: &[("--map cog", "Cog\n"), ("flight.txt --turn 1", "EXPLORER 0 5 5")],
        json: &[("--seed 3", 0)],
        bad: &[
            ("notes.txt", 1, "notes.txt: "),
            ("--map moon", 2, "moon"),
            ("--turn 1", 2, "<FILE>"),
            ("--turn 1 --seed 2", 2, "cannot be used with"),
            ("--turn 1 --map cog", 2, "cannot be used with"),
            ("flight.txt --map cog", 2, "cannot be used with"),
            ("flight.txt --seed 2", 2, "cannot be used with"),
        ],
    },
    Row {
        command: "kutulu tune",
        input: "",
        good: &[(
            "--player smitsimax,simulations=4,yell=25 --against wait --tune yell=20..30 --iterations 1 --parts 1 --pairs 1 \
             --results tuning7.jsonl",
            "8 games, 1 of 1 iterations",
        )],
        json: &[(
            "--player smitsimax,simulations=4,yell=25 --against wait --tune yell=20..30 --iterations 2 --parts 2 --pairs 1 \
             --results tuning8.jsonl --shard 1/2",
            0,
        )],
        bad: &[
            (
                "--player smitsimax --against wait --against wait --against wait --against wait --tune yell=1..9 \
                 --results tuning9.jsonl",
                2,
                "three opponents",
            ),
            ("--player smitsimax --against wait --tune yell=1..9 --results tuning9.jsonl", 2, "yell=VALUE"),
        ],
    },
    Row {
        command: "learn",
        input: "",
        good: &[],
        json: &[(
            "--dir loop --generations 1 --profile tiny --games 17 --boards 1 --nodes 1 --epochs 1 --turns 16 \
             --gate nodes=1,hash=4 --max-gate-games 2",
            0,
        )],
        bad: &[
            ("--dir notes.txt", 1, "notes.txt"),
            ("--dir x --hours 0", 2, "expected a number above 0"),
            ("--dir x --from notes.txt", 1, "notes.txt: "),
            ("--dir x --sprt 5 1", 2, "--sprt: ELO0 must be less than ELO1"),
            ("--dir x --sprt 0 6500", 2, "expected at 6500 Elo rounds to 1"),
            ("", 2, "--dir"),
        ],
    },
    Row {
        command: "manual",
        input: "",
        good: &[("--out pages", "manual pages are in pages")],
        json: &[],
        bad: &[("--out pages", 1, "pages: not empty"), ("--out notes.txt", 1, "notes.txt"), ("", 2, "--out")],
    },
    Row {
        command: "merge",
        input: "",
        good: &[
            ("games.jsonl games.jsonl --out j1.jsonl", "18 games of 2 files, 18 met again, 0 damaged"),
            ("games.jsonl --out j2.jsonl.gz", "0 met again, 0 damaged"),
        ],
        json: &[("games.jsonl games.jsonl --out j3.jsonl", 0)],
        bad: &[
            ("notes.txt --out j4.jsonl", 1, "notes.txt: line 1: "),
            ("no/such --out j5.jsonl", 1, "no/such: "),
            ("games.jsonl --out notes.txt", 1, "notes.txt: exists already"),
            ("games.jsonl --out no/such.jsonl", 1, "no/such.jsonl: there is no such folder"),
            ("- --out j8.jsonl", 2, "-: files are read twice"),
            ("games.jsonl --out j6.jsonl --sprt 0 5", 2, "--sprt is for results of matches"),
            ("--out j7.jsonl", 2, "FILE"),
        ],
    },
    Row {
        command: "tune",
        input: "",
        good: &[(
            "--player builtin:mcts,nodes=2,hash=4 --tune noise=0..400 --iterations 1 --parts 1 --pairs 1 --boards 1 \
             --results tuning.jsonl",
            "2 games, 1 of 1 iterations",
        )],
        json: &[(
            "search --player builtin:mcts,nodes=2,hash=4 --tune noise=0..400 --iterations 3 --parts 2 --pairs 1 --boards 1 \
             --results tuning2.jsonl --shard 1/2",
            0,
        )],
        bad: &[
            (
                "--tune hash=1..2 --results tuning3.jsonl",
                2,
                "hash is no number that can be tuned; these are: ",
            ),
            ("--tune noise=2..1 --results tuning3.jsonl", 2, "NAME=LOW..HIGH"),
            ("--tune noise=0..200 --tune noise=30..400 --results tuning3.jsonl", 2, "noise twice"),
            (
                "--player builtin:greedy,seed=1 --tune seed=1..2 --results tuning3.jsonl",
                2,
                "numbers of builtin:mcts only can be tuned",
            ),
            ("--player cmd:x --tune noise=0..200 --results tuning3.jsonl", 2, "builtin:mcts only"),
            ("--tune noise=0..200 --results notes.txt", 1, "notes.txt: exists already"),
            ("--tune noise=0..200 --results x --threads 257", 2, "--threads"),
            ("--tune noise=0..200 --results notes.txt --resume", 1, "notes.txt: line 1: no file of a tuning"),
        ],
    },
    Row {
        command: "match",
        input: "",
        good: &[
            ("--a builtin:greedy --b builtin:random --games 2 --boards 1", "Elo of a over b: "),
            (
                "--player builtin:greedy --player builtin:random --player builtin:random,seed=1 --games 2 --boards 1 \
                 --format gauntlet",
                "gauntlet of 3 players, 4 games",
            ),
        ],
        json: &[
            ("--a builtin:greedy --b builtin:random --games 2 --boards 1 --sprt -10 10", 0),
            (
                "--a builtin:greedy --b builtin:random --games 6 --boards 1 --shard 1/3 --results part.jsonl",
                0,
            ),
            (
                "--player builtin:greedy --player builtin:random --games 2 --openings games.mgn --openings-turn 2",
                0,
            ),
        ],
        bad: &[
            ("--a builtin:mcts,depth=0 --b builtin:random", 2, "depth: 0 is no whole number from 1 to 32"),
            ("--a builtin:mcts,nodes=5,nodes=6 --b builtin:random", 2, "nodes is set twice"),
            ("--a builtin:random --b cmd:./no-such-engine", 1, "player b does not start: ./no-such-engine"),
            ("--a builtin:random --b builtin:random --games 0", 2, "0 is not in 1.."),
            ("--a builtin:random --b builtin:random --opening-plies 201", 2, "201 is not in 0..=200"),
            ("--a builtin:random --b builtin:random --sprt 0 6500", 2, "expected at 6500 Elo rounds to 1"),
            (
                "--a builtin:random --b builtin:random --sprt -200000 0",
                2,
                "expected at -200000 Elo rounds to 0",
            ),
            ("--a builtin:random --b builtin:random --boards 1 --openings-turn 3", 2, "cannot be used with"),
            ("--a builtin:random --b builtin:random --handicaps 1 --config x", 2, "cannot be used with"),
            ("--a builtin:random --b builtin:random --openings-turn 3", 2, "--openings <FILE>"),
            ("--a builtin:random --b builtin:random --results -", 2, "results are written to files only"),
            ("--a builtin:random --b builtin:random --results x.gz", 2, "results are not compressed"),
            (
                "--a builtin:random --b builtin:random --openings games.mgn --openings-turn -1",
                2,
                "'-1' for '--openings-turn <N>': expected a number of turns, from 0",
            ),
            ("--a builtin:random --b builtin:random --games -3", 2, "'-3' for '--games <N>'"),
            ("--a builtin:random --b builtin:random --movetime 5", 2, "takes no --movetime"),
            ("--a builtin:random --b builtin:random --clock 5", 2, "takes no --clock"),
            ("--a builtin:random --b builtin:random --startup 5", 2, "takes no --startup"),
            ("--a builtin:random --b builtin:random --movetime 5 --margin 5", 2, "takes no --m"),
            (
                "--a builtin:random --b cmd:./no-such-engine --margin 5",
                2,
                "--margin needs --movetime or --clock",
            ),
            (
                "--a builtin:random --b builtin:random --games 2 --shard 0/2",
                2,
                "--shard: more parts than pairs",
            ),
            ("--a builtin:random --b builtin:random --shard 2/2", 2, "expected I/N with I less than N"),
            ("--a builtin:random --b builtin:random --record notes.txt", 1, "notes.txt: exists already"),
            ("--a builtin:random --b builtin:random --openings notes.txt", 1, "notes.txt: line 1: "),
            ("--a builtin:random --b builtin:random --results notes.txt", 1, "notes.txt: exists already"),
            (
                "--a builtin:random --b builtin:random --results x --record ./x",
                2,
                "--results and --record are the same file: ./x",
            ),
            (
                "--a builtin:random --b builtin:random --openings games.mgn --record games.mgn --force",
                2,
                "--record is a file that --openings reads: games.mgn",
            ),
            ("--a builtin:random --b builtin:random --format gauntlet", 2, "cannot be used with"),
            ("--a builtin:random --b builtin:random --threads 0", 2, "--threads"),
            (
                "--a builtin:random --b builtin:random --results notes.txt --resume",
                1,
                "line 1: no results of a match",
            ),
            ("--player builtin:random", 2, "2 to 26 players, not 1"),
            ("--a builtin:dancer --b builtin:random", 2, "no such brain"),
            ("--a builtin:random", 2, "--b"),
            ("--a builtin:random --b builtin:random --player builtin:random", 2, "cannot be used with"),
            ("", 2, "--a"),
        ],
    },
    Row {
        command: "net",
        input: "",
        good: &[("tiny.brw", "profile       tiny")],
        json: &[("net.brw", 0)],
        bad: &[("notes.txt", 1, "notes.txt: "), ("", 2, "<FILE>")],
    },
    Row {
        command: "perft",
        input: "nonsense\n",
        good: &[("--board 0", "minimal attacks in ")],
        json: &[("--board 1 --limit 10", 0)],
        bad: &[
            ("--board 9", 2, "--board 9: no such board"),
            ("-", 1, "FEN, column "),
            ("--limit x", 2, "--limit"),
        ],
    },
    Row {
        command: "play",
        input: "nonsense\nquit\n",
        good: &[("--side yellow --hash 4 --movetime 1", "error: nonsense: ")],
        json: &[],
        bad: &[
            ("--game notes.txt", 1, "notes.txt: line 1"),
            ("--record notes.txt", 1, "notes.txt: exists already"),
            ("--side red", 2, "--side"),
        ],
    },
    Row {
        command: "quantize",
        input: "",
        good: &[("net.float --out rounded.brw", "rounded.brw: tiny, ")],
        json: &[("net.float --out again.brw", 0)],
        bad: &[
            ("net.float --out notes.txt", 1, "notes.txt: exists already"),
            ("net.float --out net.float --force", 2, "--out is a file that FILE reads"),
            ("notes.txt --out x.brw", 1, "notes.txt: "),
            ("net.float", 2, "--out"),
            ("net.float --out - --json", 2, "--json needs --out FILE"),
        ],
    },
    Row {
        command: "replay",
        input: "{}\n",
        good: &[("games.mgn games.jsonl", "2 files, ")],
        json: &[("games.mgn", 0)],
        bad: &[
            ("-", 1, "line 1"),
            ("no-such-file", 1, "no-such-file: "),
            ("- games.mgn -", 2, "- is named twice"),
            ("", 2, "<FILES>"),
        ],
    },
    Row {
        command: "roborally arena",
        input: "",
        good: &[
            ("--players random random --games 2 --course checkmate --turn-limit 5", "2 races, "),
            (
                "--players random random --games 2 --course checkmate --turn-limit 5 --lengths",
                "longest 5; 2 cut",
            ),
        ],
        json: &[
            ("--players random random --games 2 --course checkmate --turn-limit 5", 0),
            (
                "--players odds:playouts=20,focus=8,foresee=4 random --rules 2016 --games 2 --turn-limit 2 --times",
                0,
            ),
            (
                "--players odds:playouts=20,focus=8,foresee=4 random --rules 2023 --games 2 --turn-limit 2 --times",
                0,
            ),
        ],
        bad: &[
            (
                "--players random --course grand-tour --rules classic",
                2,
                "grand-tour: a floor with an antenna",
            ),
            (
                "--players random random --course twister --rules 2016",
                2,
                "twister: the rules of 2016 need a floor",
            ),
            (
                "--players odds:announce=3 random --rules 2023 --games 1",
                1,
                "odds:announce=3: the rules of 2016 and 2023 have no power down",
            ),
            ("--players mc:depth=x", 2, "mc:depth=x: depth: not a fitting number: x"),
            ("--players random --course moon", 1, "neither a course nor a file: moon"),
            ("", 2, "--players"),
        ],
    },
    Row {
        command: "roborally bot",
        input: "roborally\nfly\nquit\n",
        good: &[
            ("--player random", "error: unknown command fly"),
            ("--rules 2016 --player random", "error: unknown command fly"),
            ("--rules 2023 --player random", "error: unknown command fly"),
        ],
        json: &[],
        bad: &[
            ("--player dancer", 2, "dancer"),
            ("--rules 2016 --player mc", 1, "eval=odds alone"),
            ("--seed x", 2, "--seed"),
        ],
    },
    Row {
        command: "roborally import",
        input: r#"[["flag", {"type": "Belt", "direction": "east"}]]"#,
        good: &[("-", "size 2 1"), ("- --columns", "size 1 2")],
        json: &[],
        bad: &[("notes.txt", 1, "line 1"), ("no-such-file", 1, "no-such-file: "), ("", 2, "<FILE>")],
    },
    Row {
        command: "roborally replay",
        input: "",
        good: &[("wall.txt", "1 file, 1 step, 0 mismatches")],
        json: &[("wall.txt", 0)],
        bad: &[("notes.txt", 1, "notes.txt: "), ("", 2, "<FILES>")],
    },
    Row {
        command: "roborally show",
        input: "",
        good: &[
            ("", "twister "),
            ("twister", ""),
            ("vault", "A>"),
            ("river --turns 2", "energy "),
            ("river --cells", "rows"),
        ],
        json: &[("river --turns 2", 0), ("twister --turns 3", 0), ("vault", 0)],
        bad: &[
            ("moon", 1, "neither a course nor a file: moon"),
            ("--turns x", 2, "--turns"),
            ("--svg", 2, "<COURSE>"),
            ("twister --robots 3", 2, "--turns"),
            ("twister --text --turns 3", 2, "cannot be used with"),
            ("twister --text --robots 3", 2, "cannot be used with"),
            ("twister --cells --seed 3", 2, "cannot be used with"),
            ("twister --cells --json", 2, "cannot be used with"),
            ("--json", 2, "<COURSE>"),
        ],
    },
    Row {
        command: "roborally tune",
        input: "",
        good: &[],
        json: &[("--player mc:playouts=4,playout=random,depth=1 --iterations 1 --games 2 --turn-limit 3", 0)],
        bad: &[("--player random", 2, "only mc has weights"), ("--iterations 0", 2, "--iterations")],
    },
    Row {
        command: "rules spell",
        input: "",
        good: &[("", "shield"), ("shield", "shield")],
        json: &[],
        bad: &[("fireball", 2, "no such spell: fireball"), ("shield shield", 2, "shield")],
    },
    Row {
        command: "rules techs",
        input: "nonsense\n",
        good: &[("", "24  "), ("--game games.mgn --number 1", "24  ")],
        json: &[],
        bad: &[("-", 1, "FEN, column "), ("--ruleset chess", 2, "--ruleset")],
    },
    Row {
        command: "rules unit",
        input: "",
        good: &[("", "zombie"), ("zombie", "costs 2 souls")],
        json: &[],
        bad: &[("dragon", 2, "no such unit: dragon"), ("--ruleset chess", 2, "--ruleset")],
    },
    Row {
        command: "schema",
        input: "",
        good: &[("", "\"kutulu arena\""), ("perft", "\"attacks\"")],
        json: &[],
        bad: &[("dance", 2, "dance prints no JSON object; barrow schema --help lists")],
    },
    Row {
        command: "selfplay",
        input: "",
        good: &[("--games 2 --boards 1 --out some.jsonl --mgn some.mgn", "2 games, ")],
        json: &[("--games 3 --boards 1 --out some.jsonl --mgn some.mgn --resume", 0)],
        bad: &[
            ("--out notes.txt", 1, "notes.txt: exists already"),
            ("--out more.jsonl --mgn notes.txt", 1, "notes.txt: exists already"),
            ("--out - --json", 2, "both would go to stdout"),
            ("--out both --mgn both", 2, "--out and --mgn are the same file: both"),
            (
                "--out some.jsonl --mgn notes.txt --resume --boards 1 --games 9",
                1,
                "something else than annotated games",
            ),
            ("--out x --player builtin:dancer", 2, "no such brain"),
            ("", 2, "--out"),
        ],
    },
    Row {
        command: "serve",
        input: "",
        good: &[],
        json: &[],
        bad: &[
            ("--addr 127.0.0.1:0 --data notes.txt", 1, "notes.txt: not a folder, "),
            ("--movetime 70000", 2, "--movetime: 70000 ms are more than --longest, 60000 ms"),
            ("--origin boards", 2, "--origin: boards is none"),
            ("--addr nowhere", 2, "--addr"),
        ],
    },
    Row {
        command: "show",
        input: "1|1 0|0 nonsense\n",
        good: &[("", "Turn 1, Yellow to move"), ("--game games.mgn --number 2 --turn 3", "Turn 4, ")],
        json: &[("", 0), ("--game games.mgn --number 1", 0)],
        bad: &[
            ("-", 1, "column 9"),
            ("--json --svg -", 2, "-: standard output is for the JSON object"),
            ("--game games.mgn --number 1 --turn 99", 1, "games.mgn: the game has 6 turns"),
            ("--turn 1", 2, "--game"),
            ("--game games.mgn --turn -1", 2, "expected a number of turns, from 0"),
            ("--config 256", 2, "--config: column 1: "),
            (
                "--game games.mgn --number 1 --ruleset server",
                2,
                "--ruleset: games.mgn is a game under the ruleset spooky",
            ),
        ],
    },
    Row {
        command: "train",
        input: "",
        good: &[],
        json: &[("--profile tiny --data games.jsonl --epochs 1 --turns 16 --out other.brw", 0)],
        bad: &[
            ("--data games.jsonl --out notes.txt", 1, "notes.txt: exists already"),
            ("--data notes.txt --out x.brw", 1, "notes.txt"),
            ("--data games.jsonl --out x.brw --rate 0", 2, "expected a number above 0"),
            ("--data games.jsonl --out games.jsonl --force", 2, "--out is a file that --data reads"),
            (
                "--data games.jsonl --out x.svg --curve x.csv",
                2,
                "--out and the picture beside --curve are the same file",
            ),
            ("", 2, "--out"),
        ],
    },
    Row {
        command: "umi",
        input: "umi\ndance\nquit\n",
        good: &[
            ("", "\numiok\nerror: no such command: dance\n"),
            ("--for web-server --option Hash=4", "umiok"),
        ],
        json: &[],
        bad: &[("--option Hash=0", 2, "barrow: --option: Hash cannot be 0"), ("--for nobody", 2, "nobody")],
    },
];
