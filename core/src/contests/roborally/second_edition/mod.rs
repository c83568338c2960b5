//! The second edition of 2016 (rules §16): every robot has its own deck, damage is cards in it, an antenna says who
//! moves first, and who falls reboots at once.
//!
//! Robots move, push and are carried as in the classic rules, by a classic [`State`](super::State) inside a [`Race`].
//! A turn is [`Race::draw_hands`], [`Race::program`] for each robot, [`Race::run_register`] five times and
//! [`Race::clean_up`]. Upgrade cards are left out, energy is counted.
//!
//! The edition of 2023 ([`Rules::OF_2023`], rules §17) is played on the same floors: a token in place of the antenna,
//! SPAM and Haywire out of one deck, shutting down, and who falls is back in the next turn.

mod cards;
mod courses;
mod floor;
mod haywire;
mod play;
mod priority;
mod race;
mod restored;
mod rules;
mod runaway;
mod token_play;

pub use cards::{Pile, PlayCard};
pub use courses::{COURSES, FloorCourse};
pub use floor::{ENERGY_CAP, Floor, REBOOT_CAP, Reboot};
pub use haywire::{Damage, DamagePile, Haywire};
pub use race::{HAND, Race};
pub use restored::{Aside, RaceRobot};
pub use rules::Rules;
