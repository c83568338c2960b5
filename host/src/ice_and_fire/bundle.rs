//! The bot as one source file.

use crate::bundle::{BundleError, Room, bundle};
use crate::core_rooms;

/// What it is made of.
const ROOMS: &[Room] = &core_rooms![
    "bots/ice_and_fire/chains.rs",
    "bots/ice_and_fire/cuts.rs",
    "bots/ice_and_fire/defend.rs",
    "bots/ice_and_fire/draft.rs",
    "bots/ice_and_fire/fields.rs",
    "bots/ice_and_fire/lines.rs",
    "bots/ice_and_fire/look.rs",
    "bots/ice_and_fire/mod.rs",
    "bots/ice_and_fire/options.rs",
    "bots/ice_and_fire/planner.rs",
    "bots/ice_and_fire/random.rs",
    "bots/ice_and_fire/replies.rs",
    "bots/ice_and_fire/spend.rs",
    "bots/ice_and_fire/walk.rs",
    "ice_and_fire/action.rs",
    "ice_and_fire/board.rs",
    "ice_and_fire/cell.rs",
    "ice_and_fire/command.rs",
    "ice_and_fire/game.rs",
    "ice_and_fire/generator.rs",
    "ice_and_fire/input.rs",
    "ice_and_fire/map.rs",
    "ice_and_fire/mod.rs",
    "ice_and_fire/rules.rs",
    "ice_and_fire/state.rs",
    "ice_and_fire/turn.rs",
    "lcg48.rs",
    "list.rs",
    "rng.rs",
    "search/best_first.rs",
];

const MAIN: &str = "\
fn main() {
let (input, output, errors) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
let (rules, options) = (ice_and_fire::Rules::PERMANENT, bots::ice_and_fire::Options::FULL);
let result = program::play(&mut input.lock(), &mut output.lock(), &mut errors.lock(), &rules, &options,
program::MOVETIME);
if let Err(why) = result {
eprintln!(\"{}\", why);
std::process::exit(1);
}
}
";

/// A source file that `rustc -O` compiles alone, and that plays the contest's protocol.
pub fn source() -> Result<String, BundleError> {
    bundle(
        "Barrow's bot for A Code of Ice and Fire, made by `barrow ice-and-fire bundle`. MIT or Apache-2.0.",
        ROOMS,
        include_str!("contest.rs"),
        MAIN,
    )
}
