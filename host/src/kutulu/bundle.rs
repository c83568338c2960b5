//! The bot as one source file.

use crate::bundle::{BundleError, Room, bundle};
use crate::core_rooms;

/// What it is made of.
const ROOMS: &[Room] = &core_rooms![
    "bots/kutulu/baseline.rs",
    "bots/kutulu/brain.rs",
    "bots/kutulu/crowd.rs",
    "bots/kutulu/light.rs",
    "bots/kutulu/mod.rs",
    "bots/kutulu/opening.rs",
    "bots/kutulu/player.rs",
    "bots/kutulu/tuning.rs",
    "bots/kutulu/yell.rs",
    "kutulu/action.rs",
    "kutulu/constants.rs",
    "kutulu/direction.rs",
    "kutulu/entity.rs",
    "kutulu/map.rs",
    "kutulu/maze.rs",
    "kutulu/minions.rs",
    "kutulu/mod.rs",
    "kutulu/path.rs",
    "kutulu/pool/data.rs",
    "kutulu/pool/mod.rs",
    "kutulu/state.rs",
    "kutulu/turn.rs",
    "kutulu/watch.rs",
    "lcg48.rs",
    "list.rs",
    "rng.rs",
    "search/logarithm.rs",
    "search/smitsimax/bandit.rs",
    "search/smitsimax/mod.rs",
];

const MAIN: &str = "\
fn main() {
let (input, output, errors) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
let (limits, tuning) = (program::Limits::CONTEST, bots::kutulu::Tuning::DEFAULT);
let result = program::play(&mut input.lock(), &mut output.lock(), &mut errors.lock(), limits, tuning, 1);
if let Err(why) = result {
eprintln!(\"{}\", why);
std::process::exit(1);
}
}
";

/// A source file that `rustc -O` compiles alone, and that plays the contest's protocol.
pub fn source() -> Result<String, BundleError> {
    bundle(
        "Barrow's bot for Code of Kutulu, made by `barrow kutulu bundle`. MIT or Apache-2.0.",
        ROOMS,
        include_str!("contest.rs"),
        MAIN,
    )
}
