//! The nets of a file: [`oracle`] values positions, [`prophet`] predicts removals, [`seer`] places units. All three
//! read the accumulators of a [`Network`]; the last two share a [`board_layer`].

pub mod board_layer;
pub mod logistic;
pub mod network;
pub mod oracle;
pub mod prophet;
pub mod seer;

pub use self::network::Network;
