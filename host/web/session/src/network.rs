//! Networks of the search: any of the shipped profiles.

use barrow_nnue::format::Header;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::{Desktop, Handheld, Profile, Tiny};

/// Network of any of the shipped profiles, which stays in memory until the program ends.
#[derive(Clone, Copy, Debug)]
pub enum SessionNetwork {
    /// Network for desktops.
    Desktop(Network<'static, Desktop>),
    /// Network for handhelds.
    Handheld(Network<'static, Handheld>),
    /// Network for small chips.
    Tiny(Network<'static, Tiny>),
}

impl SessionNetwork {
    /// Network of a file's bytes, at an address divisible by 64. An error says why they are no network for this program.
    pub fn from_bytes(bytes: &'static [u8]) -> Result<SessionNetwork, String> {
        let header = Header::read(bytes).map_err(|error| error.to_string())?;
        let network = match header.profile() {
            Handheld::CODE => Network::from_bytes(bytes).map(SessionNetwork::Handheld),
            Tiny::CODE => Network::from_bytes(bytes).map(SessionNetwork::Tiny),
            _ => Network::from_bytes(bytes).map(SessionNetwork::Desktop),
        };
        network.map_err(|error| error.to_string())
    }

    /// Name of the profile.
    pub fn name(&self) -> &'static str {
        match self {
            SessionNetwork::Desktop(_) => Desktop::NAME,
            SessionNetwork::Handheld(_) => Handheld::NAME,
            SessionNetwork::Tiny(_) => Tiny::NAME,
        }
    }
}
