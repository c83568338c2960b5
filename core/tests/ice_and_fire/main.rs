//! A Code of Ice and Fire: the worked examples of its rules, and properties of rules and bot.

mod bot;
mod cuts;
mod examples;
mod expansion;
mod extremes;
mod properties;
mod scene;
