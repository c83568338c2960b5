//! Games of an engine on the server's model, started as the adapter starts it: without options.

use std::fmt;

use barrow::umi::Session;
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset, Side, Techline};
use barrow_core::rng::Rng;

use crate::acceptance::Turn;
use crate::adapter::{Mode, play};

/// The ten maps of the server's pool.
const MAPS: [&str; 10] = [
    "MidnightLake",
    "EternalBattlefield",
    "ForbiddenIsle",
    "MegaPuddles",
    "BlackenedShores",
    "RiverStyx",
    "Sorcerer'sLair",
    "ChaosDiamond",
    "Apocalypse",
    "TreacherousPathways",
];

/// Asks for a turn in a position, as the server does but with a limit of nodes, and returns the lines from `turn` on.
pub(crate) fn ask(session: &mut Session<Vec<u8>>, position: &str, nodes: u64) -> Vec<String> {
    session.output().clear();
    for line in [format!("position fen {position}"), format!("play nodes {nodes} movetime 600000")] {
        session.handle(&line).unwrap();
        session.settle().unwrap();
    }
    let said = String::from_utf8(session.output().clone()).unwrap();
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let told = lines.iter().take_while(|line| line.starts_with("info eval winprob ")).count();
    assert!(told == 1 && lines[1] == "turn", "{position}\n{said}");
    assert!(lines[lines.len() - 1].starts_with("endturn"), "{said}");
    lines[1..].to_vec()
}

/// Sums over some games.
#[derive(Default, Debug)]
struct Figures {
    games: u32,
    finished: u32,
    turns: u32,
    asked: usize,
    most_lines: usize,
    refused: Vec<String>,
    died: Vec<String>,
}

/// Player of Yellow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Yellow {
    /// The same engine, through the adapter too.
    Engine,
    /// A player on the server's own page, who casts spells: random, or hand-written.
    Caster,
}

/// The configuration of a game on the server: maps and order of techs by the number.
fn config(number: u32) -> GameConfig {
    let mut dice = Rng::new(u64::from(number));
    let boards = 1 + number as usize % 4;
    let maps: Vec<&str> =
        MAPS.iter().cycle().skip(number as usize).step_by(3).take(boards).copied().collect();
    let points = boards as u8 - boards as u8 / 4;
    let line = Techline::random(&mut dice);
    let letters: Vec<String> =
        line.techs().iter().map(|tech| char::from(tech.letter()).to_string()).collect();
    let line = format!("{points} {} {}", maps.join(","), letters.join(","));
    fen::parse_config(&line, Ruleset::Server).unwrap()
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { games, finished, turns, asked, most_lines, .. } = self;
        let (refused, died) = (self.refused.len(), self.died.len());
        write!(f, "{games} games, {finished} finished, {turns} turns of {most_lines} lines at most, ")?;
        write!(f, "{asked} actions: {refused} refused, {died} deaths")
    }
}

impl Figures {
    fn play(&mut self, number: u32, yellow: Yellow, nodes: u64, turns: u32) {
        let config = config(number);
        let mode = if number.is_multiple_of(2) { Mode::AtOnce } else { Mode::InOrder };
        let mut session = Session::new(Vec::new());
        session.handle(&format!("config {}", fen::ConfigLine(&config))).unwrap();
        let mut random = Random::new(u64::from(number));
        let mut greedy = Greedy::new(u64::from(number));
        let mut game = Game::new(config, u64::from(number));
        self.games += 1;
        for _ in 0..turns {
            if game.state().is_over() {
                self.finished += 1;
                break;
            }
            if yellow == Yellow::Caster && game.side_to_move() == Side::Yellow {
                let turn = if number.is_multiple_of(3) { random.choose(&game) } else { greedy.choose(&game) };
                game.play(&turn).unwrap();
                continue;
            }
            let position = fen::Display(&game).to_string();
            let lines = ask(&mut session, &position, nodes);
            let answer = play(Turn::new(game), &lines, mode);
            self.turns += 1;
            self.asked += answer.asked;
            self.most_lines = self.most_lines.max(lines.len());
            let place = |what: &String| format!("game {number}, {mode:?}: {what}\n{position}\n{lines:#?}");
            self.refused.extend(answer.refused.iter().map(place));
            self.died.extend(answer.died.iter().map(place));
            game = answer.after;
        }
    }
}

#[test]
fn the_server_refuses_nothing_of_an_engine_that_was_told_nothing() {
    let mut figures = Figures::default();
    for number in 0..4 {
        figures.play(number, Yellow::Engine, 2, 30);
    }
    assert_eq!((&figures.refused, &figures.died), (&vec![], &vec![]));
    assert!(figures.turns >= 80 && figures.asked > 500, "{figures:?}");
}

#[test]
fn what_a_position_does_not_tell_breaks_nothing() {
    let mut figures = Figures::default();
    for number in 0..8 {
        figures.play(number, Yellow::Caster, 2, 40);
    }
    println!("{figures}");
    let Figures { turns, asked, refused, .. } = &figures;
    // Frozen and shackled pieces, and terrain that was moved, show in refusals only.
    assert!(*turns >= 60 && refused.len() * 20 < *asked, "{figures:?}");
}

#[test]
#[ignore = "long"]
fn two_hundred_games_without_a_refusal() {
    let nodes = std::env::var("BARROW_NODES").ok().and_then(|nodes| nodes.parse().ok()).unwrap_or(20);
    let mut figures = Figures::default();
    for number in 0..200 {
        figures.play(number, Yellow::Engine, nodes, 200);
        if number % 10 == 9 {
            println!("{figures}");
        }
    }
    assert_eq!((&figures.refused, &figures.died), (&vec![], &vec![]));
}
