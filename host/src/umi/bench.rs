//! A fixed piece of work: turns for positions that never change, and a number that tells whether they changed.

use std::time::{Duration, Instant};

use barrow_core::minions::{Game, Ruleset, fen, umi};

use super::limits::Limits;
use super::think::Thinker;

/// What the work came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// Changes only when a turn changes.
    pub(super) signature: u64,
}

const CONFIG: &str = "2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";

/// A start, an opening and two middle games.
const POSITIONS: [&str; 4] = [
    "0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
     f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1",
    "8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
     n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2",
    "24|23 1|0 UAUAUULLLLLLLLLLLLLLLLLLL|AUAUAAUUALLLLLLLLLLLLLLLL n|||||2ZGZZZZ2/1GPZ6/2G2Z2N1/1ZZ1PZZ2h/Z3ZP3z/\
     1ZZ3wzt1/1Z1Z1n1s2/6h1zz/6z3/5z4 n|||||1P8/1Z1ZZ5/1GZ1Z5/ZPNZ6/1GGZ6/7zn1/6z3/5wz3/3tz1zz1z/6z3 0 17",
    "23|22 1|1 UAUAUUUALLLLLLLLLLLLLLLLL|AUAUAAUUAUALLLLLLLLLLLLLL 1|GPZ|hstz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/\
     6zz2/0 n|||||1P8/2Z1ZZ4/1Z3Z4/GGZZZ5/2N4zn1/PG8/6wz2/5zz3/3z2z2z/3t2z3 0 19",
];

/// Has every position thought about once, under both rulesets.
pub(super) fn run(thinker: &mut dyn Thinker, limits: &Limits) -> Report {
    let started = Instant::now();
    let (mut nodes, mut signature) = (0, 0xcbf2_9ce4_8422_2325_u64);
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = fen::parse_config(CONFIG, ruleset);
        let games = POSITIONS.iter().filter_map(|text| fen::parse(text, config.as_ref().ok()?).ok());
        for game in games.collect::<Vec<Game>>() {
            let thought = thinker.think(&game, limits);
            nodes += thought.nodes;
            // FNV-1a over the lines of the turn.
            for byte in umi::TurnText::new(&game, &thought.turn).to_string().bytes() {
                signature = (signature ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    Report { nodes, time: started.elapsed(), signature }
}
