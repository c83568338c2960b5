//! Partners of the bot for A Code of Ice and Fire that only arenas and tests play: random turns, and simple bots of other
//! styles. They stand beside the game and not in it, so that the single-file bot does without them.

mod land;
mod random;
mod sparring;

pub use self::random::random_turn;
pub use self::sparring::Sparring;
