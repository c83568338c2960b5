//! Messages of a game's WebSocket besides those of the session (`host/web/session`): which game it is, and by which links.

use serde::{Deserialize, Serialize};

/// Request to open a game that is stored.
#[derive(Deserialize)]
pub(super) struct OpenRequest {
    /// Number of the request.
    pub(super) id: u64,
    /// Link to play or to watch.
    pub(super) link: String,
}

/// Number of the game that is open now. It answers `open`; before the answer of `new` and `load` it has no number.
#[derive(Serialize)]
pub(super) struct OpenedGame {
    /// Number of the request.
    pub(super) id: Option<u64>,
    /// Always `game`.
    pub(super) reply: &'static str,
    /// Link to play; none for who only watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) play: Option<String>,
    /// Link to watch.
    pub(super) watch: String,
}
