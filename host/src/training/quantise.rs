//! Quantisation: a network in floating point becomes a network file. Parameters are rounded to the steps of the
//! profile, and lanes whose sums could overflow are shrunk until the loader accepts the file.

use anyhow::{Result, anyhow, bail, ensure};
use barrow_nnue::format::{Block, Extent, FormatError, HEADER_LEN, Labels, Line, file_len, get, put, seal};
use barrow_nnue::kernels::Weight;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::{ORACLE_ROWS, Profile};

use super::losses::CURVE;
use super::money_curve::LOGIT_SCALE;
use super::params::{NetworkShape, Params, place_in_wider};
use super::vector::add_scaled;

/// Times that a lane or row is shrunk before quantisation fails.
const SHRINK_LIMIT: usize = 4_000;

/// Quantised network: a network file in memory.
pub struct Quantised {
    /// Bytes of the file in lines, at an address that the loader accepts.
    pub lines: Vec<Line>,
    /// Number of times that a lane or row was shrunk.
    pub shrunk: usize,
    /// Extent of the network.
    pub extent: Extent,
}

impl Quantised {
    /// Bytes of the file.
    pub fn bytes<P: Profile>(&self) -> &[u8] {
        &Line::bytes(&self.lines)[..file_len::<P>(self.extent)]
    }
}

/// Quantises a network. The provenance is printable ASCII of at most 96 bytes. Fails when the parameters are those of
/// another profile, no numbers, out of range, or overflow even after shrinking.
pub fn quantise<P: Profile>(params: &Params, provenance: &str) -> Result<Quantised> {
    if *params.shape() != NetworkShape::of::<P>() {
        bail!("not a network of profile {}", P::NAME);
    }
    let extent = Extent { general: params.has_general(), ..params.shape().extent() };
    let architecture = format!("{} {} {}", P::NAME, P::L1, <P::Layout as barrow_nnue::layout::Layout>::NAME);
    let labels = Labels { architecture: &architecture, provenance, unit_scale: LOGIT_SCALE };
    let mut params = params.clone();
    change_curve_by_win(&mut params, 1.0);
    let mut lines = vec![Line::ZERO; file_len::<P>(extent).div_ceil(size_of::<Line>())];
    for shrunk in 0..SHRINK_LIMIT {
        let file = &mut bytemuck::cast_slice_mut(&mut lines)[..file_len::<P>(extent)];
        write::<P>(&params, extent, file, &labels)?;
        match Network::<P>::from_bytes(file) {
            Ok(_) => return Ok(Quantised { lines, shrunk, extent }),
            Err(FormatError::Overflow { block, lane }) => shrink(&mut params, block, lane),
            Err(error) => bail!("{error}"),
        }
    }
    bail!("sums overflow even after shrinking weights {SHRINK_LIMIT} times")
}

/// Parameters of a network file, from which training can go on. What rounding took away stays lost, so quantising them
/// again gives the same weights. Rows of unit types that the unit table has gained since the file was written are zero. Fails
/// when the file is no network of the profile, or one for more unit types than this program has.
pub fn dequantise<P: Profile>(file: &[u8]) -> Result<Params> {
    let mut lines = vec![Line::ZERO; file.len().div_ceil(size_of::<Line>())];
    Line::bytes_mut(&mut lines)[..file.len()].copy_from_slice(file);
    let file = &Line::bytes(&lines)[..file.len()];
    let network = Network::<P>::from_bytes(file).map_err(|error| anyhow!("{error}"))?;
    let (extent, shape) = (network.header().extent(), NetworkShape::of::<P>());
    let wanted = shape.extent();
    ensure!(
        extent.units <= wanted.units,
        "a network for {} unit types: this program has {}",
        extent.units,
        wanted.units
    );
    ensure!(
        extent.modes <= wanted.modes && extent.places <= wanted.places,
        "a network with modes or contexts of places that networks of the profile {} are trained without",
        P::NAME
    );
    let mut params = Params::initial(&shape, 1);
    for block in Block::ALL {
        let (steps, half) = (steps::<P>(block), half_step::<P>(block));
        // A head that the file lacks, or a mode, begins as that of a new network.
        let known = block.len::<P>(Extent { units: wanted.units, ..extent });
        params.block_mut(block)[..known].fill(0.0);
        for (place, number) in get::<P>(file, extent, block).enumerate() {
            let place = place_in_wider::<P>(block, place, extent, wanted);
            params.block_mut(block)[place] = ((f64::from(number) - half) / steps) as f32;
        }
    }
    change_curve_by_win(&mut params, -1.0);
    Ok(params)
}

/// Half a step of a block that the kernels round down: with as much more in the bias they round to nearest. 0 for other
/// blocks.
fn half_step<P: Profile>(block: Block) -> f64 {
    match block {
        Block::EmbedBias | Block::JoinBias | Block::BoardLayerBias => {
            f64::from(1_u32 << (<P::Weight as Weight>::WEIGHT_BITS - 1))
        }
        _ => 0.0,
    }
}

/// Adds the rows of the win logit, times a factor, to those of the money curve: in training these are changes of the win
/// logit, in files win logits.
fn change_curve_by_win(params: &mut Params, factor: f32) {
    for block in [Block::Oracle, Block::OracleBias] {
        let columns = params.block(block).len() / ORACLE_ROWS;
        let (win, rest) = params.block_mut(block).split_at_mut(columns);
        for row in rest.chunks_exact_mut(columns).skip(CURVE - 1) {
            add_scaled(row, factor, win);
        }
    }
}

/// Rounds all blocks into a file and writes its header.
fn write<P: Profile>(params: &Params, extent: Extent, file: &mut [u8], labels: &Labels<'_>) -> Result<()> {
    for block in Block::ALL {
        let (steps, half) = (steps::<P>(block), half_step::<P>(block));
        let numbers = &params.block(block)[..block.len::<P>(extent)];
        if let Some(place) = numbers.iter().position(|number| number.is_nan()) {
            bail!("{}: weight {place} is not a number", block.name());
        }
        let numbers = numbers.iter().map(|&number| (f64::from(number) * steps + half).round());
        let out_of_range = |place| anyhow!("{}: number {place} is out of range", block.name());
        // The cast stops at the bounds, which biases may have.
        if let Some(place) = numbers.clone().position(|number| number.abs() > f64::from(i32::MAX)) {
            return Err(out_of_range(place));
        }
        put::<P>(file, extent, block, numbers.map(|number| number as i32)).map_err(out_of_range)?;
    }
    debug_assert!(file.len() > HEADER_LEN);
    seal::<P>(file, extent, labels).map_err(|error| anyhow!("{error}"))
}

/// Number of steps in 1.0 of a parameter of a block.
pub(super) fn steps<P: Profile>(block: Block) -> f64 {
    let (activation, weight) = (<P::Weight as Weight>::ACTIVATION_BITS, <P::Weight as Weight>::WEIGHT_BITS);
    let bits = match block {
        Block::Wide
        | Block::Narrow
        | Block::BoardBias
        | Block::Global
        | Block::GlobalBias
        | Block::GeneralContexts
        | Block::GeneralBias => activation,
        Block::EmbedBias
        | Block::JoinBias
        | Block::OracleBias
        | Block::BoardLayerBias
        | Block::ProphetBias
        | Block::SeerBias
        | Block::GeneralStepsBias
        | Block::PlaceBias
        | Block::ModesBias => activation + weight,
        _ => weight,
    };
    f64::from(1_u32 << bits)
}

/// Shrinks the largest weights of a lane of the feature tables, or a row of a layer, by a tenth.
fn shrink(params: &mut Params, block: Block, lane: usize) {
    let tables: &[Block] = match block {
        Block::Wide | Block::Narrow => &[Block::Wide, Block::Narrow],
        Block::Global => &[Block::Global],
        _ => {
            if let Some(row) = params.rows_mut(block).nth(lane) {
                for weight in row {
                    *weight *= 0.9;
                }
            }
            return;
        }
    };
    let mut largest = 0.0_f32;
    for &table in tables {
        for row in params.rows_mut(table) {
            largest = row.get(lane).map_or(largest, |weight| largest.max(weight.abs()));
        }
    }
    for &table in tables {
        for row in params.rows_mut(table) {
            if let Some(weight) = row.get_mut(lane) {
                *weight = weight.clamp(-0.9 * largest, 0.9 * largest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use barrow_nnue::nets::prophet::{Contexts, PredictionKind};
    use barrow_nnue::random_net;
    use barrow_nnue::shape::{BASE_UNITS, CONTEXTS, Lanes, PLACE_ROWS, Tiny};

    use super::*;
    use crate::training::backprop::tests::test_network_and_samples;
    use crate::training::rounding_errors;

    #[test]
    fn a_rounded_network_has_almost_the_same_outputs() {
        let (params, samples) = test_network_and_samples();
        let quantised = quantise::<Tiny>(&params, "a test").unwrap();
        assert_eq!(quantised.shrunk, 0);
        let network = Network::<Tiny>::from_bytes(quantised.bytes::<Tiny>()).unwrap();
        assert_eq!(network.header().provenance(), "a test");
        let errors = rounding_errors(&network, &params, &samples, 100);
        for error in [errors.oracle, errors.curve, errors.prophet, errors.seer] {
            assert!(error.answers > 100 && error.largest < 0.05 && error.mean < 0.01, "{error:?}");
        }
    }

    #[test]
    fn weights_that_could_overflow_a_sum_are_shrunk() {
        let (mut params, _) = test_network_and_samples();
        params.block_mut(Block::Narrow).iter_mut().for_each(|weight| *weight = 1.9);
        let quantised = quantise::<Tiny>(&params, "").unwrap();
        assert!(quantised.shrunk > 0);
        let largest = get::<Tiny>(quantised.bytes::<Tiny>(), barrow_nnue::shape::UNITS, Block::Narrow).max();
        assert!(largest < Some(60), "{largest:?}");
    }

    #[test]
    fn the_shipped_networks_are_the_same_when_rounded_again() {
        fn check<P: Profile>(file: &[u8]) {
            let params = dequantise::<P>(file).unwrap();
            let again = quantise::<P>(&params, "").unwrap();
            assert_eq!(again.shrunk, 0);
            let different = again.bytes::<P>()[HEADER_LEN..]
                .iter()
                .zip(&file[HEADER_LEN..])
                .filter(|(a, b)| a != b)
                .count();
            assert_eq!(different, 0, "{}", P::NAME);
        }
        check::<Tiny>(barrow_nnue::embedded_nets::TINY);
        check::<barrow_nnue::shape::Handheld>(barrow_nnue::embedded_nets::HANDHELD);
        assert!(dequantise::<Tiny>(barrow_nnue::embedded_nets::HANDHELD).is_err());
    }

    #[test]
    fn the_general_is_in_the_file_when_it_was_taught_and_comes_back() {
        let (mut params, _) = test_network_and_samples();
        let without = quantise::<Tiny>(&params, "").unwrap();
        assert!(!without.extent.general);
        params.block_mut(Block::GeneralSteps).iter_mut().for_each(|weight| *weight = 0.25);
        let with = quantise::<Tiny>(&params, "").unwrap();
        assert!(with.extent.general && with.bytes::<Tiny>().len() > without.bytes::<Tiny>().len());
        assert!(Network::<Tiny>::from_bytes(with.bytes::<Tiny>()).unwrap().has_general());
        // What a file lacks begins anew and is left out again.
        let again = dequantise::<Tiny>(without.bytes::<Tiny>()).unwrap();
        assert!(
            !again.has_general() && again.block(Block::GeneralContexts).iter().any(|&weight| weight != 0.0)
        );
        assert!(quantise::<Tiny>(&again, "").unwrap().bytes::<Tiny>() == without.bytes::<Tiny>());
        let again = dequantise::<Tiny>(with.bytes::<Tiny>()).unwrap();
        assert_eq!(again.block(Block::GeneralSteps), params.block(Block::GeneralSteps));
        assert!(quantise::<Tiny>(&again, "").unwrap().bytes::<Tiny>() == with.bytes::<Tiny>());
    }

    #[test]
    fn a_network_for_more_than_there_is_here_is_refused() {
        let most = NetworkShape::of::<Tiny>().extent();
        for (extent, what) in [
            (Extent { units: most.units + 1, ..most }, "unit types"),
            (Extent { modes: most.modes + 1, ..most }, "modes or contexts"),
            (Extent { places: PLACE_ROWS, ..most }, "modes or contexts"),
        ] {
            let mut lines = vec![Line::ZERO; file_len::<Tiny>(extent) / size_of::<Line>()];
            random_net::fill::<Tiny>(Line::bytes_mut(&mut lines), extent, 3).unwrap();
            let refused = dequantise::<Tiny>(Line::bytes(&lines)).unwrap_err().to_string();
            assert!(refused.contains(what), "{refused}");
        }
    }

    #[test]
    fn a_network_says_the_same_in_the_places_of_one_for_more_types() {
        let narrow = Extent { units: BASE_UNITS, general: true, places: PLACE_ROWS, modes: 3 };
        let wide = Extent { units: BASE_UNITS + 3, ..narrow };
        let [mut from, mut to] = [narrow, wide].map(|extent| vec![Line::ZERO; file_len::<Tiny>(extent) / 64]);
        random_net::fill::<Tiny>(Line::bytes_mut(&mut from), narrow, 6).unwrap();
        for block in Block::ALL {
            let mut numbers = vec![0; block.len::<Tiny>(wide)];
            for (place, number) in get::<Tiny>(Line::bytes(&from), narrow, block).enumerate() {
                numbers[place_in_wider::<Tiny>(block, place, narrow, wide)] = number;
            }
            put::<Tiny>(Line::bytes_mut(&mut to), wide, block, numbers).unwrap();
        }
        let labels = Labels { architecture: "a test", provenance: "", unit_scale: 1.0 };
        seal::<Tiny>(Line::bytes_mut(&mut to), wide, &labels).unwrap();
        let told = [&from, &to].map(|lines| {
            let network = Network::<Tiny>::from_bytes(Line::bytes(lines)).unwrap();
            let layer = network.board_layer(&Lanes([50; 32]), &Lanes([20; 32]));
            let kinds = [PredictionKind::Killed, PredictionKind::Unsummoned, PredictionKind::Passive];
            // A unit type that both know, and one that has zeros for rows in the second.
            let contexts = [110, CONTEXTS as u16 + 1].map(|unit| Contexts([7, unit, 137, 143, 152]));
            let predict = |mode| {
                contexts
                    .map(|contexts| kinds.map(|kind| network.predict_in_mode(&layer, &contexts, kind, mode)))
            };
            ([0, 1, 2].map(predict), [0, 1, 2].map(|mode| network.mode_logit(&layer, mode)))
        });
        assert_eq!(told[0], told[1]);
    }

    #[test]
    fn a_weight_that_is_no_number_is_refused() {
        let (params, _) = test_network_and_samples();
        for (number, what) in
            [(f32::NAN, "is not a number"), (f32::INFINITY, "out of range"), (f32::MAX, "out of range")]
        {
            for block in [Block::Wide, Block::Oracle, Block::OracleBias] {
                let mut damaged = params.clone();
                damaged.block_mut(block)[7] = number;
                let refused = quantise::<Tiny>(&damaged, "").err().unwrap().to_string();
                assert!(refused.starts_with(block.name()) && refused.ends_with(what), "{refused}");
            }
        }
    }

    #[test]
    fn another_profile_is_refused() {
        let (params, _) = test_network_and_samples();
        assert!(quantise::<barrow_nnue::shape::Handheld>(&params, "").is_err());
        assert!(quantise::<Tiny>(&params, &"x".repeat(97)).is_err());
    }
}
