//! The board in a browser (`barrow serve`): the page, analysis and games by WebSocket, and a store that survives a kill.
//!
//! A request passes the rates and the check of its origin (`routes`). A WebSocket is a conversation: messages are obeyed one
//! after another, and lines leave through an outbox, so that neither a slow client nor a search holds up anything else
//! (`sockets`, `outbox`; `long_texts`, `patient_stream`). Searches of all clients wait in one queue, in which clients take turns (`searches`). A game is kept in
//! the store with every change (`store`, whose changes are committed one after another by `commits`); what is in memory of it (`live_games`) can be lost, and several servers may share a
//! store. `docs/guides/server.md` is for who runs it.

mod analysis_socket;
mod assets;
mod client;
mod commits;
mod game_analysis;
mod game_messages;
mod game_searches;
mod game_socket;
mod link;
mod live_games;
mod long_texts;
mod metrics;
mod origin;
mod outbox;
mod patient_stream;
mod rate;
mod repeated_fault;
mod routes;
mod searches;
mod server;
mod settings;
mod shared;
mod sockets;
mod stop;
mod store;
mod store_file;

pub use origin::Origins;
pub use rate::Rate;
pub use searches::SearchSettings;
pub use server::serve;
pub use settings::{ClientCaps, ServerSettings};
