//! Code of Kutulu against its rules: the worked examples, recorded games, and properties.

mod examples;
mod properties;
mod recorded;
