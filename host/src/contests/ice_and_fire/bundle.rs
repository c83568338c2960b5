//! The bot for A Code of Ice and Fire as one source file.

use crate::contests::bundle::{BundleError, Room, bundle};
use crate::core_rooms;

/// Source files of `core` in the bundle.
const ROOMS: &[Room] = &core_rooms![
    "contests/ice_and_fire/action.rs",
    "contests/ice_and_fire/bot/chains.rs",
    "contests/ice_and_fire/bot/cut_scan.rs",
    "contests/ice_and_fire/bot/cut_search.rs",
    "contests/ice_and_fire/bot/cuts.rs",
    "contests/ice_and_fire/bot/defence.rs",
    "contests/ice_and_fire/bot/distances.rs",
    "contests/ice_and_fire/bot/expansion.rs",
    "contests/ice_and_fire/bot/holding.rs",
    "contests/ice_and_fire/bot/line_play.rs",
    "contests/ice_and_fire/bot/mod.rs",
    "contests/ice_and_fire/bot/options.rs",
    "contests/ice_and_fire/bot/planner.rs",
    "contests/ice_and_fire/bot/purchases.rs",
    "contests/ice_and_fire/bot/turn_draft.rs",
    "contests/ice_and_fire/bot/unit_moves.rs",
    "contests/ice_and_fire/cell.rs",
    "contests/ice_and_fire/command.rs",
    "contests/ice_and_fire/command_text.rs",
    "contests/ice_and_fire/game.rs",
    "contests/ice_and_fire/input/reader.rs",
    "contests/ice_and_fire/input/refusal.rs",
    "contests/ice_and_fire/map.rs",
    "contests/ice_and_fire/map_generator.rs",
    "contests/ice_and_fire/mod.rs",
    "contests/ice_and_fire/rules.rs",
    "contests/ice_and_fire/state.rs",
    "contests/ice_and_fire/state_builder.rs",
    "contests/ice_and_fire/turn_order.rs",
    "contests/lcg48.rs",
    "list.rs",
    "rng.rs",
    "search/best_first.rs",
];

const MAIN: &str = "\
fn main() {
let (input, output, errors) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
let (rules, options) = (contests::ice_and_fire::Rules::PERMANENT, contests::ice_and_fire::bot::Options::FULL);
let result = program::play(&mut input.lock(), &mut output.lock(), &mut errors.lock(), &rules, &options,
program::MOVETIME);
if let Err(why) = result {
eprintln!(\"{}\", why);
std::process::exit(1);
}
}
";

/// The source file of the bot, which `rustc -O` compiles alone and which speaks the contest's protocol.
pub fn source() -> Result<String, BundleError> {
    bundle(
        "Barrow's bot for A Code of Ice and Fire, made by `barrow ice-and-fire bundle`. MIT or Apache-2.0.",
        ROOMS,
        include_str!("protocol.rs"),
        MAIN,
    )
}
