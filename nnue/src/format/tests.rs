//! Damaged files: each gives its own error, and none a panic.

extern crate std;
use std::string::ToString;
use std::vec::Vec;

use barrow_core::rng::Rng;
use proptest::prelude::*;

use super::*;
use crate::nets::Network;
use crate::random_net;
use crate::shape::{BASE_UNITS, Handheld, MODE_CAP, PLACE_ROWS, Profile, Tiny, UNIT_CAP, general_rows};

/// Extent of the files in most of these tests: with the general's net.
const ALL: Extent = Extent { units: BASE_UNITS, general: true, places: 0, modes: 0 };

fn lines<P: Profile>(seed: u64) -> Vec<Line> {
    let mut lines = std::vec![Line::ZERO; file_len::<P>(ALL) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), ALL, seed).unwrap();
    lines
}

fn load(lines: &[Line]) -> Result<(), FormatError> {
    Network::<Tiny>::from_bytes(Line::bytes(lines)).map(|_| ())
}

/// Result of loading a file in which some bytes were replaced and, if `checked`, the header's check sum was computed
/// anew.
fn after(at: usize, bytes: &[u8], checked: bool) -> Result<(), FormatError> {
    let mut lines = lines::<Tiny>(1);
    let file = Line::bytes_mut(&mut lines);
    file[at..at + bytes.len()].copy_from_slice(bytes);
    if checked {
        header::tests::recheck(file);
    }
    load(&lines)
}

#[test]
fn a_sound_file_is_taken() {
    let tiny = lines::<Tiny>(1);
    let network = Network::<Tiny>::from_bytes(Line::bytes(&tiny)).unwrap();
    assert_eq!(network.header().architecture(), "random");
    assert_eq!(network.header().provenance(), "random numbers");
    assert_eq!(network.header().profile(), 3);
    let handheld = lines::<Handheld>(1);
    assert!(Network::<Handheld>::from_bytes(Line::bytes(&handheld)).is_ok());
}

#[test]
fn a_file_may_have_contexts_of_places_or_none() {
    let extent = Extent { units: BASE_UNITS, general: true, places: PLACE_ROWS, modes: 0 };
    let mut long = std::vec![Line::ZERO; file_len::<Tiny>(extent) / 64];
    random_net::fill::<Tiny>(Line::bytes_mut(&mut long), extent, 1).unwrap();
    let short = lines::<Tiny>(1);
    assert!(long.len() > short.len());
    let [with, without] =
        [&long, &short].map(|lines| Network::<Tiny>::from_bytes(Line::bytes(lines)).unwrap());
    assert_eq!([with.has_places(), without.has_places()], [true, false]);
    assert_eq!([with.header().extent(), without.header().extent()], [extent, ALL]);
    assert_eq!(with.wide_table(), without.wide_table());
}

#[test]
fn each_part_of_the_header_has_its_error() {
    let found = 7;
    assert_eq!(after(0, b"brw", true), Err(FormatError::Magic));
    assert_eq!(after(4, &[7, 0], true), Err(FormatError::Version { found }));
    assert_eq!(after(6, &[7, 0], true), Err(FormatError::Profile { found, wanted: 3 }));
    for (which, wanted) in [32, 8, 16, 16, 32, 16].into_iter().enumerate() {
        let error = FormatError::Dimensions { which: which as u8, found, wanted };
        assert_eq!(after(8 + 2 * which, &[7, 0], true), Err(error));
    }
    assert_eq!(after(20, &[2], true), Err(FormatError::Weights { found: 2, wanted: 1 }));
    assert_eq!(after(21, &[7], true), Err(FormatError::Scales { found: (7, 6), wanted: (6, 6) }));
    assert_eq!(after(22, &[7], true), Err(FormatError::Scales { found: (6, 7), wanted: (6, 6) }));
    assert_eq!(after(23, &[7], true), Err(FormatError::Reserved));
    for scale in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.0] {
        assert_eq!(after(24, &scale.to_le_bytes(), true), Err(FormatError::Scale), "{scale}");
    }
    for (which, wanted) in [12, 474, 268, 8].into_iter().enumerate() {
        let error = FormatError::Dimensions { which: 6 + which as u8, found, wanted };
        assert_eq!(after(28 + 2 * which, &[7, 0], true), Err(error));
    }
    // 65 unit types are too many; those that a header may announce need more rows.
    assert_eq!(after(36, &[31], true), Err(FormatError::Units { found: 65 }));
    assert_eq!(after(36, &[1], true), Err(FormatError::Dimensions { which: 7, found: 474, wanted: 477 }));
    let wanted = general_rows(BASE_UNITS) as u16;
    assert_eq!(after(38, &[7, 0], true), Err(FormatError::Dimensions { which: 11, found, wanted }));
    // Without the general's net the body is shorter.
    assert!(matches!(after(38, &[0, 0], true), Err(FormatError::BodyLength { .. })));
    assert!(matches!(
        after(40, &[0xab; 8], true),
        Err(FormatError::Layout { found: 0xabab_abab_abab_abab, .. })
    ));
    assert!(matches!(
        after(48, &[7; 8], true),
        Err(FormatError::BodyLength { found: 0x0707_0707_0707_0707, .. })
    ));
    assert_eq!(after(56, &[7], true), Err(FormatError::Hash));
    for text in [&b"\n"[..], b"\0r", b"\xff"] {
        assert_eq!(after(88, text, true), Err(FormatError::Text));
        assert_eq!(after(120, text, true), Err(FormatError::Text));
    }
    assert_eq!(after(88, b"R", true), Ok(()));
    assert_eq!(after(88, b"R", false), Err(FormatError::Header));
    assert_eq!(after(120, b"R", false), Err(FormatError::Header));
    assert_eq!(after(24, &1.0f32.to_le_bytes(), false), Err(FormatError::Header));
    // All contexts of places or none, and those that a header announces make the file longer.
    let error = FormatError::Dimensions { which: 10, found, wanted: 960 };
    assert_eq!(after(216, &[7, 0], true), Err(error));
    assert!(matches!(after(216, &960u16.to_le_bytes(), true), Err(FormatError::BodyLength { .. })));
    assert_eq!(after(220, &[7], true), Err(FormatError::Reserved));
    assert_eq!(after(248, &[7], false), Err(FormatError::Header));
}

/// One bit turned in every byte of the header, in one byte of every 997 of the body; every length of a header, and
/// others.
#[test]
fn a_thousand_damaged_files_give_a_thousand_errors() {
    let mut lines = lines::<Tiny>(2);
    let len = 64 * lines.len();
    let mut rng = Rng::new(3);
    let mut errors = 0;
    for at in (0..HEADER_LEN).chain((HEADER_LEN..len).step_by(997)) {
        let bit = 1 << rng.below(8);
        Line::bytes_mut(&mut lines)[at] ^= bit;
        let error = load(&lines).unwrap_err();
        assert_eq!(error == FormatError::Hash, at >= HEADER_LEN, "{at} {error:?}");
        assert_eq!(error.to_string().lines().count(), 1);
        Line::bytes_mut(&mut lines)[at] ^= bit;
        errors += 1;
    }
    load(&lines).unwrap();
    for end in (0..HEADER_LEN).chain((HEADER_LEN..len).step_by(1009)).chain([len - 1]) {
        let error = Network::<Tiny>::from_bytes(&Line::bytes(&lines)[..end]).unwrap_err();
        let wanted = if end < HEADER_LEN {
            FormatError::TooShort { bytes: end }
        } else {
            FormatError::Truncated { found: end, wanted: len }
        };
        assert_eq!(error, wanted);
        errors += 1;
    }
    lines.push(Line::ZERO);
    for end in len + 1..=len + 64 {
        let error = Network::<Tiny>::from_bytes(&Line::bytes(&lines)[..end]).unwrap_err();
        assert_eq!(error, FormatError::Oversized { found: end, wanted: len });
        errors += 1;
    }
    assert!(errors >= 1_000, "{errors}");
}

#[test]
fn bytes_at_an_odd_address_are_refused() {
    let sound = lines::<Tiny>(1);
    let mut shifted = std::vec![Line::ZERO; sound.len() + 1];
    for offset in [1, 2, 4, 8, 16, 32] {
        let file = &mut Line::bytes_mut(&mut shifted)[offset..offset + 64 * sound.len()];
        file.copy_from_slice(Line::bytes(&sound));
        assert_eq!(Network::<Tiny>::from_bytes(file).unwrap_err(), FormatError::Misaligned);
    }
}

#[test]
fn a_network_of_another_profile_is_refused() {
    let tiny = lines::<Tiny>(1);
    let error = Network::<Handheld>::from_bytes(Line::bytes(&tiny)).unwrap_err();
    assert_eq!(error, FormatError::Profile { found: 3, wanted: 2 });
    assert_eq!(error.to_string(), "network of profile tiny, expected handheld");
    let error = FormatError::Profile { found: 0, wanted: 1 };
    assert_eq!(error.to_string(), "network of profile custom, expected desktop");
}

#[test]
fn numbers_come_back_as_they_were_put() {
    let mut file = std::vec![0; file_len::<Handheld>(ALL)];
    for block in Block::ALL {
        let most = if block.element() == Element::Long { i32::MAX } else { i32::from(i16::MAX) };
        let numbers: Vec<i32> =
            [-most - 1, -1, 0, 1, most].into_iter().cycle().take(block.len::<Handheld>(ALL)).collect();
        assert_eq!(put::<Handheld>(&mut file, ALL, block, numbers.iter().copied()), Ok(numbers.len()));
        assert!(get::<Handheld>(&file, ALL, block).eq(numbers), "{block:?}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_not_put() {
    let mut file = std::vec![0; file_len::<Tiny>(ALL)];
    for (block, most) in [(Block::Wide, 127), (Block::BoardBias, 32_767)] {
        for number in [most, -most - 1] {
            assert_eq!(put::<Tiny>(&mut file, ALL, block, [0, number]), Ok(2));
        }
        for number in [most + 1, -most - 2] {
            assert_eq!(put::<Tiny>(&mut file, ALL, block, [0, number]), Err(1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_header_is_read_back_as_it_was_sealed(
        architecture in "[ -~]{0,32}", provenance in "[ -~]{0,96}", scale in any::<f32>(), later in 0usize..4,
        modes in 0usize..4, all_places in any::<bool>(), general: bool,
    ) {
        let places = usize::from(all_places) * PLACE_ROWS;
        let extent = Extent { units: BASE_UNITS + later, general, places, modes };
        let labels =
            Labels { architecture: &architecture, provenance: &provenance, unit_scale: scale.abs() };
        let mut file = std::vec![0; file_len::<Tiny>(extent)];
        let sealed = seal::<Tiny>(&mut file, extent, &labels);
        prop_assert_eq!(sealed.is_ok(), scale.is_finite() && scale != 0.0);
        if sealed.is_err() {
            return Ok(());
        }
        let header = Header::read(&file).unwrap();
        header.check_profile::<Tiny>().unwrap();
        header.check_body(&file).unwrap();
        let (architecture, provenance) = (header.architecture(), header.provenance());
        prop_assert_eq!(Labels { architecture, provenance, unit_scale: header.unit_scale() }, labels);
        prop_assert_eq!((header.extent(), header.profile()), (extent, Tiny::CODE));
        let mut again = file.clone();
        again[..HEADER_LEN].fill(0);
        seal::<Tiny>(&mut again, header.extent(), &labels).unwrap();
        prop_assert!(again == file, "the same labels make another header");
    }
}

#[test]
fn labels_that_do_not_fit_are_refused() {
    let mut file = std::vec![0; file_len::<Tiny>(BASE_UNITS)];
    let sound = Labels { architecture: "x", provenance: "y", unit_scale: 1.0 };
    let long = "x".repeat(33);
    for architecture in ["\n", "ä", "a\0", &long] {
        assert_eq!(
            seal::<Tiny>(&mut file, BASE_UNITS, &Labels { architecture, ..sound }),
            Err(FormatError::Text)
        );
    }
    assert_eq!(
        seal::<Tiny>(&mut file, BASE_UNITS, &Labels { unit_scale: f32::NAN, ..sound }),
        Err(FormatError::Scale)
    );
    for units in [BASE_UNITS - 1, UNIT_CAP + 1] {
        assert_eq!(seal::<Tiny>(&mut file, units, &sound), Err(FormatError::Units { found: units }));
    }
    let most = Extent { units: UNIT_CAP, modes: MODE_CAP, ..BASE_UNITS.into() };
    let mut full = std::vec![0; file_len::<Tiny>(most)];
    assert_eq!(seal::<Tiny>(&mut full, most, &sound), Ok(()));
    assert_eq!(Header::read(&full).unwrap().check_profile::<Tiny>(), Ok(()));
    let modes = MODE_CAP + 1;
    let many = Extent { modes, ..BASE_UNITS.into() };
    assert_eq!(seal::<Tiny>(&mut file, many, &sound), Err(FormatError::Modes { found: modes }));
    let len = file.len();
    assert!(matches!(seal::<Tiny>(&mut file[1..], BASE_UNITS, &sound), Err(FormatError::Truncated { .. })));
    file.push(0);
    assert_eq!(
        seal::<Tiny>(&mut file, BASE_UNITS, &sound),
        Err(FormatError::Oversized { found: len + 1, wanted: len })
    );
}
