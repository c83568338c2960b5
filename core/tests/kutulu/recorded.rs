//! Recorded games of the referee, from their seeds and the explorers' steps: a digest of all that was to be seen,
//! and the scores.

use barrow_core::contests::kutulu::{Action, Actions, Direction, MapTables, State, pool_map};

/// Four letters a turn; a stop is a wait, a dash stands for nobody.
fn action(letter: u8) -> Option<Action> {
    Some(match letter {
        b'.' => Action::Wait,
        b'U' => Action::Step(Direction::Up),
        b'R' => Action::Step(Direction::Right),
        b'D' => Action::Step(Direction::Down),
        b'L' => Action::Step(Direction::Left),
        b'P' => Action::Plan,
        b'I' => Action::Light,
        b'Y' => Action::Yell,
        _ => return None,
    })
}

/// The 64-bit digest of Fowler, Noll and Vo, FNV-1a.
struct Digest(u64);

impl Digest {
    fn add(&mut self, state: &State, tables: &MapTables) {
        for entity in state.entities(tables.map(), 0).iter() {
            for byte in format!("{entity}\n").bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
}

#[test]
fn recorded_games_are_played_again_byte_for_byte() {
    let mut lines = include_str!("../data/kutulu.txt").lines();
    let (mut games, mut turns) = (0, 0);
    while let Some(line) = lines.next() {
        let Some(heading) = line.strip_prefix("* ") else { continue };
        let words: Vec<&str> = heading.split(' ').collect();
        let (index, constants, dice) = State::draw(words[0].parse().unwrap());
        assert_eq!(index.to_string(), words[1]);
        let tables = MapTables::new(&pool_map(index).unwrap());
        let mut state = State::start(tables.map(), constants, dice);
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        for letters in lines.next().unwrap().as_bytes().chunks(4) {
            digest.add(&state, &tables);
            let actions: Actions = [0, 1, 2, 3].map(|id| action(letters[id]));
            state.play(&tables, &actions).unwrap();
            turns += 1;
        }
        digest.add(&state, &tables);
        assert_eq!(format!("{:016x}", digest.0), words[2], "seed {}", words[0]);
        assert_eq!(state.scores.map(|score| score.unwrap().to_string()), words[3..7], "seed {}", words[0]);
        assert!(state.is_over());
        games += 1;
    }
    assert_eq!((games, turns), (16, 1371));
}
