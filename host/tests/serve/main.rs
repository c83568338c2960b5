//! `barrow serve` as its clients meet it: routes, hostile requests, games by links, analysis, what a kill leaves, and two servers
//! on one store.

mod analysis;
mod games;
mod hostile;
mod limits;
mod load;
#[path = "../program/mod.rs"]
mod program;
mod routes;
mod server;
