//! Random networks that the loader accepts, for tests, benches and fuzzing.

use barrow_core::rng::Rng;

use crate::format::{Block, Element, Extent, FormatError, Labels, put, seal};
use crate::kernels::Weight;
use crate::layout::{Layout, Table};
use crate::shape::Profile;

/// Fills a slice that is [`file_len`](crate::format::file_len) long with a network of random weights and this
/// extent, the same for the same seed. The weights are such that most neurons of usual positions are neither 0
/// nor at the ceiling.
pub fn fill<P: Profile>(file: &mut [u8], extent: impl Into<Extent>, seed: u64) -> Result<(), FormatError> {
    let extent = extent.into();
    let units = extent.units;
    let mut rng = Rng::new(seed);
    let small = P::Weight::BYTES == 1;
    let one = 1 << (P::Weight::ACTIVATION_BITS + P::Weight::WEIGHT_BITS);
    for block in Block::ALL {
        let most = match block {
            Block::Wide if small => 16,
            Block::Wide => 96,
            Block::Narrow => small_rows(&P::Layout::NARROW, units, 22_000),
            Block::Global => small_rows(&P::Layout::GLOBAL, units, 16_000),
            Block::GeneralContexts if small => 8,
            Block::GeneralContexts => 32,
            _ => match block.element() {
                Element::Weight if small => 40,
                Element::Weight => 200,
                Element::Short => 64,
                Element::Long => one / 4,
            },
        };
        let mut number = || rng.below(2 * most + 1) as i32 - most as i32;
        let written = put::<P>(file, extent, block, (0..block.len::<P>(extent)).map(|_| number()));
        // All numbers are in range, so only a slice that is too short is left.
        written.map_err(|_| FormatError::TooShort { bytes: file.len() })?;
    }
    seal::<P>(
        file,
        extent,
        &Labels { architecture: "random", provenance: "random numbers", unit_scale: 100.0 },
    )
}

/// Largest weight with which the rows of a table that are active together stay within a sum.
fn small_rows(table: &Table, units: usize, sum: u32) -> u32 {
    let active: u32 = table.groups(units).map(|group| u32::from(group.active)).sum();
    (sum / active.max(1)).min(64)
}
