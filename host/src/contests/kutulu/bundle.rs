//! The bot for Code of Kutulu as one source file.

use crate::contests::bundle::{BundleError, Room, bundle};
use crate::core_rooms;

/// Source files of `core` in the bundle.
const ROOMS: &[Room] = &core_rooms![
    "contests/kutulu/action.rs",
    "contests/kutulu/bot/baseline.rs",
    "contests/kutulu/bot/light.rs",
    "contests/kutulu/bot/local_game.rs",
    "contests/kutulu/bot/mod.rs",
    "contests/kutulu/bot/opening.rs",
    "contests/kutulu/bot/outlook.rs",
    "contests/kutulu/bot/protocol_bot.rs",
    "contests/kutulu/bot/search_player.rs",
    "contests/kutulu/bot/tuning.rs",
    "contests/kutulu/bot/yell.rs",
    "contests/kutulu/constants.rs",
    "contests/kutulu/direction.rs",
    "contests/kutulu/entity.rs",
    "contests/kutulu/map.rs",
    "contests/kutulu/map_pool/data.rs",
    "contests/kutulu/map_pool/mod.rs",
    "contests/kutulu/map_pool/packed_map.rs",
    "contests/kutulu/map_tables.rs",
    "contests/kutulu/minion_moves.rs",
    "contests/kutulu/mod.rs",
    "contests/kutulu/path_search.rs",
    "contests/kutulu/state.rs",
    "contests/kutulu/state_tracker.rs",
    "contests/kutulu/turn.rs",
    "contests/lcg48.rs",
    "list.rs",
    "rng.rs",
    "search/logarithm.rs",
    "search/smitsimax/bandit.rs",
    "search/smitsimax/mod.rs",
];

/// The room of the sparring partners, empty: a bot plays without them, and contest sites take 100,000 characters.
const NO_SPARRING: Room = Room {
    path: "contests/kutulu/bot/sparring.rs",
    text: "pub const PLIES: usize = 0;\npub enum Sparring {}\n",
};

const MAIN: &str = "\
fn main() {
let (input, output, errors) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
let (limits, tuning) = (program::TurnLimits::CONTEST, contests::kutulu::bot::Tuning::DEFAULT);
let result = program::play(&mut input.lock(), &mut output.lock(), &mut errors.lock(), limits, tuning, 1);
if let Err(why) = result {
eprintln!(\"{}\", why);
std::process::exit(1);
}
}
";

/// The source file of the bot, which `rustc -O` compiles alone and which speaks the contest's protocol.
pub fn source() -> Result<String, BundleError> {
    let rooms: Vec<Room> = ROOMS.iter().copied().chain([NO_SPARRING]).collect();
    bundle(
        "Barrow's bot for Code of Kutulu, made by `barrow kutulu bundle`. MIT or Apache-2.0.",
        &rooms,
        include_str!("protocol.rs"),
        MAIN,
    )
}
