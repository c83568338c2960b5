//! The nets of a file: [`oracle`] values positions, [`prophet`] predicts removals, [`seer`] places units. These three
//! read the accumulators of a [`Network`]; the last two share a [`board_layer`]. The [`general`]'s net, which a file may
//! leave out, rates choices of techs.

pub mod board_layer;
pub mod exponential;
pub mod general;
mod general_contexts;
mod general_layer;
mod layer;
mod load;
pub mod logistic;
mod network;
pub mod oracle;
mod overflow;
pub mod places;
pub mod prophet;
pub mod seer;
#[cfg(test)]
mod tests;

pub use self::network::Network;
