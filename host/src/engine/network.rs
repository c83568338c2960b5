//! Networks for the searches of this machine: the embedded one, and files that are named on the command line.

use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, anyhow};
use barrow_core::minions::Game;
use barrow_core::minions::turn_search::ports::{AttackPolicy, Evaluator, GeneralPolicy, SpawnPolicy};
use barrow_nnue::format::{Header, Line};
use barrow_nnue::kept_sums::KeptSums;
use barrow_nnue::nets::Network;
use barrow_nnue::ports::{GeneralPort, OraclePort, VisionPort};
use barrow_nnue::shape::{Desktop, Handheld, Profile, Tiny};

use super::embedded_nets;
use crate::io::{NETWORK_CAP, read_bytes};
use crate::text::net_report::NetReport;

/// First bytes of a checkpoint, a network in floating point that a training writes.
pub const CHECKPOINT_MAGIC: [u8; 8] = *b"BRWFLOAT";

/// Boards whose sums an evaluator keeps: 150 KB for a desktop's network.
const KEPT_BOARDS: usize = 128;

/// Decks of each side whose sums it keeps.
const KEPT_DECKS: usize = 16;

/// Network of any of the shipped profiles, borrowed from the bytes of its file.
#[derive(Clone, Copy, Debug)]
pub enum EngineNetwork<'a> {
    /// Network for desktops.
    Desktop(Network<'a, Desktop>),
    /// Network for handhelds.
    Handheld(Network<'a, Handheld>),
    /// Network for small chips.
    Tiny(Network<'a, Tiny>),
}

/// Network that stays in memory until the program ends, as searches on several threads need it.
pub type StaticNetwork = &'static EngineNetwork<'static>;

/// Files in memory that searches were told to use, each once.
static OPEN: Mutex<Vec<StaticNetwork>> = Mutex::new(Vec::new());

impl<'a> EngineNetwork<'a> {
    /// Network of a file's bytes, at an address divisible by 64. An error says why they are no network for this program.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<EngineNetwork<'a>> {
        let header = read_header(bytes)?;
        let network = match header.profile() {
            Handheld::CODE => Network::from_bytes(bytes).map(EngineNetwork::Handheld),
            Tiny::CODE => Network::from_bytes(bytes).map(EngineNetwork::Tiny),
            _ => Network::from_bytes(bytes).map(EngineNetwork::Desktop),
        };
        network.map_err(|error| anyhow!("{error}"))
    }

    /// Header of the file.
    pub fn header(&self) -> &Header {
        match self {
            EngineNetwork::Desktop(network) => network.header(),
            EngineNetwork::Handheld(network) => network.header(),
            EngineNetwork::Tiny(network) => network.header(),
        }
    }

    /// Name of the profile.
    pub fn profile_name(&self) -> &'static str {
        match self {
            EngineNetwork::Desktop(_) => Desktop::NAME,
            EngineNetwork::Handheld(_) => Handheld::NAME,
            EngineNetwork::Tiny(_) => Tiny::NAME,
        }
    }

    /// Report of what the nets output for a position without a search.
    pub fn report(&self, game: &Game) -> NetReport {
        match self {
            EngineNetwork::Desktop(network) => NetReport::new(network, game),
            EngineNetwork::Handheld(network) => NetReport::new(network, game),
            EngineNetwork::Tiny(network) => NetReport::new(network, game),
        }
    }
}

/// Reads the header of a network file. A checkpoint, which has the same weights before they are rounded, is told from files
/// that are no networks at all.
pub fn read_header(bytes: &[u8]) -> Result<Header> {
    Header::read(bytes).map_err(|error| {
        if bytes.starts_with(&CHECKPOINT_MAGIC) {
            return anyhow!("a checkpoint, of which `barrow quantize` makes a network file");
        }
        anyhow!("{error}")
    })
}

/// Equality of files: equal headers, which hold the hash of the weights.
impl PartialEq for EngineNetwork<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.header() == other.header()
    }
}

impl EngineNetwork<'static> {
    /// The embedded network that a search uses if no file is named; `None` means that the program was built with a
    /// damaged file.
    pub fn embedded() -> Option<StaticNetwork> {
        static NETWORK: OnceLock<Option<EngineNetwork<'static>>> = OnceLock::new();
        NETWORK.get_or_init(|| embedded_nets::desktop().map(EngineNetwork::Desktop)).as_ref()
    }

    /// Reads a network file and checks it. Files with equal contents share their memory. An error names the file and
    /// says why it is no network for this program.
    pub fn open(name: &str) -> Result<StaticNetwork> {
        let named = || name.to_owned();
        let file = read_bytes(name, NETWORK_CAP).with_context(named)?;
        let mut lines = vec![Line::ZERO; file.len().div_ceil(size_of::<Line>())];
        Line::bytes_mut(&mut lines)[..file.len()].copy_from_slice(&file);
        let network = EngineNetwork::from_bytes(&Line::bytes(&lines)[..file.len()]).with_context(named)?;
        tracing::info!("network {name}: {}, {}", network.profile_name(), network.header().provenance());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.iter().copied().find(|known| known.header() == network.header()) {
            return Ok(known);
        }
        // Whole and right, so that no memory is given away for a file that is refused.
        let bytes: &'static [u8] = &Line::bytes(lines.leak())[..file.len()];
        let network: StaticNetwork =
            Box::leak(Box::new(EngineNetwork::from_bytes(bytes).with_context(named)?));
        open.push(network);
        Ok(network)
    }

    /// Oracle as an evaluator.
    pub(crate) fn evaluator(&self) -> Box<dyn Evaluator + Send> {
        match self {
            EngineNetwork::Desktop(network) => evaluator(network),
            EngineNetwork::Handheld(network) => evaluator(network),
            EngineNetwork::Tiny(network) => evaluator(network),
        }
    }

    /// Death Prophet as an attack policy.
    pub(super) fn attack_policy(&self) -> Box<dyn AttackPolicy + Send> {
        match *self {
            EngineNetwork::Desktop(network) => Box::new(VisionPort::new(network)),
            EngineNetwork::Handheld(network) => Box::new(VisionPort::new(network)),
            EngineNetwork::Tiny(network) => Box::new(VisionPort::new(network)),
        }
    }

    /// The general's net as a general policy; `None` if the network has none.
    pub(super) fn general_policy(&self) -> Option<Box<dyn GeneralPolicy + Send>> {
        match *self {
            EngineNetwork::Desktop(network) => GeneralPort::new(network).map(|port| Box::new(port) as _),
            EngineNetwork::Handheld(network) => GeneralPort::new(network).map(|port| Box::new(port) as _),
            EngineNetwork::Tiny(network) => GeneralPort::new(network).map(|port| Box::new(port) as _),
        }
    }

    /// Dark Seer as a spawn policy.
    pub(super) fn spawn_policy(&self) -> Box<dyn SpawnPolicy + Send> {
        match *self {
            EngineNetwork::Desktop(network) => Box::new(VisionPort::new(network)),
            EngineNetwork::Handheld(network) => Box::new(VisionPort::new(network)),
            EngineNetwork::Tiny(network) => Box::new(VisionPort::new(network)),
        }
    }
}

/// Oracle with a memory for the sums of boards.
fn evaluator<P: Profile>(network: &Network<'static, P>) -> Box<dyn Evaluator + Send>
where
    OraclePort<'static, P, KeptSums<P, KEPT_BOARDS, KEPT_DECKS>>: Send,
{
    Box::new(OraclePort::with_memory(*network, KeptSums::<P, KEPT_BOARDS, KEPT_DECKS>::default()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use barrow_nnue::embedded_nets::{DESKTOP, HANDHELD, TINY};

    use super::*;

    #[test]
    fn files_of_every_profile_are_opened_once() {
        let folder = tempfile::tempdir().unwrap();
        for (number, bytes) in [DESKTOP, HANDHELD, TINY].into_iter().enumerate() {
            let [first, second] = ["a", "b"].map(|copy| {
                let name = folder.path().join(format!("{number}{copy}")).display().to_string();
                fs::write(&name, bytes).unwrap();
                EngineNetwork::open(&name).unwrap()
            });
            assert!(std::ptr::eq(first, second));
            assert_eq!(first.header().hash(), Header::read(bytes).unwrap().hash());
        }
        let embedded = EngineNetwork::embedded().unwrap();
        assert!(*embedded == *EngineNetwork::open(&folder.path().join("0a").display().to_string()).unwrap());
    }

    #[test]
    fn a_wrong_file_says_why_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("net").display().to_string();
        let mut damaged = TINY.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        for bytes in [&b"not a network"[..], &TINY[..TINY.len() - 1], &damaged] {
            fs::write(&name, bytes).unwrap();
            let error = format!("{:#}", EngineNetwork::open(&name).unwrap_err());
            assert!(
                error.starts_with(&name) && error.len() > name.len() + 4 && !error.contains('\n'),
                "{error}"
            );
        }
        fs::write(&name, [&CHECKPOINT_MAGIC[..], &[0; 300]].concat()).unwrap();
        let error = format!("{:#}", EngineNetwork::open(&name).unwrap_err());
        assert!(error.contains("barrow quantize"), "{error}");
        assert!(EngineNetwork::open("no/such/file").is_err());
    }
}
