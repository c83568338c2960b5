//! Random networks that the loader accepts: to test, to measure and to fuzz with. They know nothing of any game.

use barrow_core::rng::Rng;

use crate::format::{Block, Element, FormatError, Labels, put, seal};
use crate::kernels::Weight;
use crate::layout::{Group, Layout};
use crate::shape::Profile;

/// Fills a slice that is [`file_len`](crate::format::file_len) long with a network of random weights, the same for
/// the same seed. With usual positions its neurons are sometimes at rest, sometimes full, mostly between.
pub fn fill<P: Profile>(file: &mut [u8], seed: u64) -> Result<(), FormatError> {
    let mut rng = Rng::new(seed);
    let small = P::Weight::BYTES == 1;
    let one = 1 << (P::Weight::ACTIVATION_BITS + P::Weight::WEIGHT_BITS);
    for block in Block::ALL {
        let most = match block {
            Block::Wide if small => 16,
            Block::Wide => 96,
            Block::Narrow => small_rows(P::Layout::NARROW_GROUPS, P::Layout::NARROW_ROWS, 22_000),
            Block::Global => small_rows(P::Layout::GLOBAL_GROUPS, P::Layout::GLOBAL_ROWS, 16_000),
            _ => match block.element() {
                Element::Weight if small => 40,
                Element::Weight => 200,
                Element::Short => 64,
                Element::Long => one / 4,
            },
        };
        let mut number = || rng.below(2 * most + 1) as i32 - most as i32;
        let written = put::<P>(file, block, (0..block.len::<P>()).map(|_| number()));
        // All numbers are in range, so only a slice that is too short is left.
        written.map_err(|_| FormatError::TooShort { bytes: file.len() })?;
    }
    seal::<P>(file, &Labels { architecture: "random", provenance: "random numbers", unit_scale: 100.0 })
}

/// Largest weight with which rows that are active together stay within a sum.
fn small_rows(groups: &[Group], rows: usize, sum: u32) -> u32 {
    let (mut grouped, mut active) = (0, 0);
    for group in groups {
        grouped += usize::from(group.rows);
        active += u32::from(group.active);
    }
    let active = active + rows.saturating_sub(grouped) as u32;
    (sum / active.max(1)).min(64)
}
