//! RoboRally against its rules: the worked examples, recorded games, and properties of whole races.

mod board_elements;
mod edition_2023;
mod ends;
mod examples;
mod floor_races;
mod properties;
mod reboots;
mod second_edition;
