//! Version of the program: number, commit, network and instruction set, by which a report of a fault can be placed.

use std::fmt::Write;
use std::sync::LazyLock;

use barrow_nnue::embedded_nets;
use barrow_nnue::format::Header;
use barrow_nnue::kernels::FAMILY;

/// Number of the version.
pub const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// Commit that the program was built from, where the environment variable `BARROW_COMMIT` named it to the compiler.
const COMMIT: Option<&str> = option_env!("BARROW_COMMIT");

/// Instruction set that the program was built for.
const INSTRUCTIONS: &str = if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
    "x86-64-v3"
} else if cfg!(target_arch = "x86_64") {
    "x86-64"
} else {
    std::env::consts::ARCH
};

/// First eight hexadecimal digits of the SHA-256 of a network's weights.
pub fn short_hash(header: &Header) -> String {
    let [a, b, c, d, ..] = *header.hash();
    format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
}

/// Version in one line: `0.1.0 (commit 1a2b3c4d, network 8e8afd60, x86-64-v3, avx2)`. The commit is left out where the
/// build did not know it.
pub fn full() -> &'static str {
    static FULL: LazyLock<String> = LazyLock::new(|| {
        let mut text = format!("{NUMBER} (");
        if let Some(commit) = COMMIT {
            let _ = write!(text, "commit {commit}, ");
        }
        // The header alone is read: checking the weights would take longer than most commands.
        if let Ok(header) = Header::read(embedded_nets::DESKTOP) {
            let _ = write!(text, "network {}, ", short_hash(&header));
        }
        let _ = write!(text, "{INSTRUCTIONS}, {FAMILY})");
        text
    });
    &FULL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::network::EngineNetwork;

    #[test]
    fn the_version_names_the_network_that_plays() {
        let network = EngineNetwork::embedded().unwrap();
        assert!(full().starts_with(&format!("{NUMBER} (")), "{}", full());
        assert!(full().contains(&format!("network {}, ", short_hash(network.header()))), "{}", full());
    }
}
