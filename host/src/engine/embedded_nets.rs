//! The embedded nets: the networks that are part of the program.

use std::sync::OnceLock;

use barrow_nnue::embedded_nets;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::{Desktop, Handheld, Tiny};

/// The network for desktops. The first call checks it; `None` means that the program was built with a damaged file.
pub fn desktop() -> Option<Network<'static, Desktop>> {
    static NETWORK: OnceLock<Option<Network<'static, Desktop>>> = OnceLock::new();
    *NETWORK.get_or_init(|| Network::from_bytes(embedded_nets::DESKTOP).ok())
}

/// The network for handhelds; `None` as in [`desktop`].
pub fn handheld() -> Option<Network<'static, Handheld>> {
    static NETWORK: OnceLock<Option<Network<'static, Handheld>>> = OnceLock::new();
    *NETWORK.get_or_init(|| Network::from_bytes(embedded_nets::HANDHELD).ok())
}

/// The network for small chips; `None` as in [`desktop`].
pub fn tiny() -> Option<Network<'static, Tiny>> {
    static NETWORK: OnceLock<Option<Network<'static, Tiny>>> = OnceLock::new();
    *NETWORK.get_or_init(|| Network::from_bytes(embedded_nets::TINY).ok())
}
