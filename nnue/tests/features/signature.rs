//! Signatures of what networks see: features, rows of every layout, their differences, contexts of the heads, tables,
//! and what is said of files whose weights are too large. They change with the features and the format.

use barrow_core::hex::Hex;
use barrow_core::minions::{Action, GameConfig, GeneralAction, Tech, UndoLog, UnitLabel};
use barrow_core::rng::Rng;
use barrow_nnue::accumulator::{Delta, NeedsRefresh};
use barrow_nnue::features::{self, Scale, Stage};
use barrow_nnue::format::{Block, Extent, FormatError, Labels, Line, file_len, get, put, seal};
use barrow_nnue::kernels::Weight;
use barrow_nnue::layout::{Folded, Full, Layout};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::general::{self, Choice};
use barrow_nnue::nets::places::{PlaceSurvey, Settler};
use barrow_nnue::nets::prophet::{self, PredictionKind};
use barrow_nnue::nets::seer::Purpose;
use barrow_nnue::random_net;
use barrow_nnue::shape::{Desktop, Handheld, PLACE_ROWS, Profile, Tiny, Trunk, UNITS};
use barrow_testing::Signature;

use super::{Game, Side, positions, seen};

const STAGES: [Stage; 3] = [Stage::TurnStart, Stage::AfterAttack, Stage::AfterSpawn];

fn mix_rows<L: Layout>(signature: &mut Signature, game: &Game, next: &Game) {
    for (stage, after) in STAGES.into_iter().zip(STAGES.into_iter().rev()) {
        signature.mix(Side::ALL.map(|side| seen::<L>(game, stage, side)));
        let boards = game.state().boards().iter().zip(next.state().boards());
        for ((old, new), &map) in boards.zip(game.config().maps()) {
            let delta = Delta::<L, 64>::between(map, (old, stage), (new, after));
            let nothing = Delta::<L, 64>::between(map, (old, stage), (old, stage));
            signature.mix((delta.needs_refresh(), delta.is_nothing(), nothing.is_nothing()));
            for side in Side::ALL {
                signature.mix((delta.wide_added(side), delta.wide_removed(side)));
                signature.mix((delta.narrow_added(side), delta.narrow_removed(side)));
            }
            signature.mix(Delta::<L, 8>::between(map, (old, stage), (new, after)).needs_refresh());
        }
    }
}

/// Contexts of the heads that look at one board.
fn mix_contexts(signature: &mut Signature, game: &Game) {
    for index in 0..game.config().num_boards() {
        let view = game.view(index).unwrap();
        let (prophet, places) = (prophet::Survey::new(view), PlaceSurvey::new(&view));
        for (hex, piece) in view.board.iter_all() {
            let contexts = prophet.contexts(hex, piece);
            let kinds = [PredictionKind::Killed, PredictionKind::Unsummoned, PredictionKind::Passive];
            signature.mix((contexts, kinds.map(|kind| contexts.rows(kind))));
            if let Some(settler) = Settler::piece(&view, hex) {
                Hex::all().step_by(7).for_each(|to| signature.mix(places.contexts(&settler, to)));
            }
        }
        for (unit, hex) in UnitLabel::ALL.into_iter().zip(Hex::all().step_by(2)).chain([
            (UnitLabel::Zombie, Hex::new(99).unwrap()),
            (UnitLabel::Necromancer, Hex::new(55).unwrap()),
        ]) {
            let contexts = places.contexts(&Settler::reinforcement(&view, unit), hex);
            signature.mix([Purpose::Spawn, Purpose::Move].map(|purpose| contexts.rows(purpose)));
        }
    }
}

/// Contexts of the general and the steps of some choice.
fn mix_general(signature: &mut Signature, game: &Game, dice: &mut Rng) {
    let survey = general::Survey::new(game);
    survey.position(game, |row| signature.mix(row));
    for place in 0..=game.config().techline.len() as u8 {
        survey.tech(game.config(), place, |row| signature.mix(row));
    }
    let mut after = game.clone();
    for _ in 0..4 {
        let action = match dice.below(6) {
            0 => GeneralAction::BuySpell,
            1 => GeneralAction::Sell,
            _ => GeneralAction::Advance { index: dice.below(25) as u8 },
        };
        signature.mix(after.apply(Action::General(action), &mut UndoLog::off()));
        let choice = Choice::between(game, &after);
        choice.steps(|step, place| signature.mix((step, place)));
    }
}

#[test]
fn what_networks_see_has_its_known_signature() {
    let mut signature = Signature::default();
    let games = positions(31, 48);
    let mut dice = Rng::new(31);
    for (index, game) in games.iter().enumerate() {
        let boards = game.state().boards().iter().zip(game.config().maps());
        for (board, &map) in boards {
            features::board(map, board, STAGES[index % 3], |feature| signature.mix(feature));
        }
        features::global(game, |feature| signature.mix(feature));
        mix_contexts(&mut signature, game);
        mix_general(&mut signature, game, &mut dice);
        let next = games
            .iter()
            .skip(index + 1)
            .find(|next| next.config().num_boards() == game.config().num_boards());
        mix_rows::<Full>(&mut signature, game, next.unwrap_or(game));
        mix_rows::<Folded>(&mut signature, game, next.unwrap_or(game));
    }
    signature.check(0xcf87_ad05_8493_820c);
}

fn mix_layout<L: Layout>(signature: &mut Signature) {
    for table in [L::WIDE, L::NARROW, L::GLOBAL] {
        signature.mix(table);
        signature.mix((table.rows(UNITS), table.rows(64), table.groups(40).collect::<Vec<_>>()));
        signature.mix((0..=u16::MAX).step_by(97).map(|row| table.group_of(row)).collect::<Vec<_>>());
        table
            .groups(UNITS)
            .for_each(|group| signature.mix(group.largest_sum(|row| u32::from(row) * 7919 % 101)));
    }
}

#[test]
fn tables_have_their_known_signature() {
    let mut signature = Signature::default();
    mix_layout::<Full>(&mut signature);
    mix_layout::<Folded>(&mut signature);
    for scale in
        [Scale::DAMAGE, Scale::ATTACKS, Scale::FEW, Scale::CARDS, Scale::MANA, Scale::SOULS, Scale::TURN]
    {
        signature.mix((scale.levels(), scale.steps(), scale.bits(), scale.end()));
        for number in (0..200).chain([255, 256, 1_000, 65_535, 1 << 20, u32::MAX]) {
            signature.mix(scale.of(number));
            scale.visit(number, |level| signature.mix(level));
        }
    }
    for block in Block::ALL {
        signature.mix((block, block.name(), block.element()));
        for (units, places, modes) in [(34, 0, 0), (UNITS, PLACE_ROWS, 2), (40, PLACE_ROWS, 3)] {
            let extent = Extent { units, general: modes != 2, places, modes };
            signature.mix((block.shape::<Desktop>(extent), block.range::<Handheld>(extent)));
            signature.mix((block.range::<Desktop>(extent), block.shape::<Tiny>(extent)));
        }
    }
    signature.check(0xe13f_a560_ecc3_e206);
}

/// Whether a network of small random weights is taken when some are as large as can be, or in a block of their own.
fn mix_overflows<P: Profile>(signature: &mut Signature, seeds: std::ops::Range<u64>) -> usize {
    let extent = Extent { units: UNITS, general: true, places: PLACE_ROWS, modes: 2 };
    let mut lines = vec![Line::ZERO; file_len::<P>(extent) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), extent, 5).unwrap();
    let mut refused = 0;
    for seed in seeds {
        let mut dice = Rng::new(seed);
        let mut changed = lines.clone();
        let file = Line::bytes_mut(&mut changed);
        let block = Block::ALL[seed as usize % Block::ALL.len()];
        let mut numbers: Vec<i32> = get::<P>(file, extent, block).collect();
        let factor = [1, 2, 3, 5, 9][dice.below(5) as usize];
        let most = [127, 32_767, 1 << 30][block.element().bytes::<P>() / 2];
        for number in &mut numbers {
            *number = (*number * factor).clamp(-most, most);
        }
        for _ in 0..dice.below(6) {
            let place = dice.below(numbers.len() as u32) as usize;
            numbers[place] = if dice.chance(1, 2) { most } else { -most };
        }
        put::<P>(file, extent, block, numbers).unwrap();
        let labels = Labels { architecture: "a", provenance: "b", unit_scale: 2.0 };
        seal::<P>(file, extent, &labels).unwrap();
        let read = Network::<P>::from_bytes(file).map(|network| {
            let header = network.header();
            (header.dimensions(), header.quantisation(), header.layout(), header.body_len())
        });
        refused += usize::from(matches!(read, Err(FormatError::Overflow { .. })));
        signature.mix(read);
    }
    refused
}

#[test]
fn refusals_of_large_weights_have_their_known_signature() {
    let mut signature = Signature::default();
    let mut refused = mix_overflows::<Tiny>(&mut signature, 0..120);
    refused += mix_overflows::<Trunk<32, i16, Folded>>(&mut signature, 120..240);
    assert!((20..200).contains(&refused), "{refused}");
    signature.check(0xec48_c3fe_8fa0_ffc5);
}

#[test]
fn deltas_are_equal_when_their_rows_are() {
    let games = positions(32, 12);
    let delta = |game: &Game, stage| {
        let (board, map) = (&game.state().boards()[0], game.config().maps()[0]);
        Delta::<Full, 64>::between(map, (board, Stage::TurnStart), (board, stage))
    };
    let nothing = Delta::<Full, 64>::NOTHING;
    for game in &games {
        assert!(delta(game, Stage::TurnStart) == nothing);
        assert!(delta(game, Stage::AfterSpawn) != nothing);
        assert!(delta(game, Stage::AfterSpawn) == delta(&games[0], Stage::AfterSpawn));
        assert!(delta(game, Stage::AfterSpawn) != delta(game, Stage::AfterAttack));
    }
    assert_eq!(NeedsRefresh.to_string(), "more rows changed than a delta can list");
}

#[test]
fn rows_are_added_and_taken_away() {
    let (start, row): (Vec<i16>, Vec<i16>) = ((0..32).collect(), (0..32).map(|lane| 3 * lane - 40).collect());
    let bytes: Vec<i8> = row.iter().map(|&number| number as i8).collect();
    let sums: Vec<i16> = start.iter().zip(&row).map(|(a, b)| a + b).collect();
    let mut lanes = start.clone();
    <i16 as Weight>::add_row(&mut lanes, &row);
    assert_eq!(lanes, sums);
    <i8 as Weight>::sub_row(&mut lanes, &bytes);
    assert_eq!(lanes, start);
    <i8 as Weight>::add_row(&mut lanes, &bytes);
    assert_eq!(lanes, sums);
    <i16 as Weight>::sub_row(&mut lanes, &row);
    assert_eq!(lanes, start);
}

#[test]
fn unusual_rules_are_seen_one_by_one() {
    let usual = Game::new(GameConfig::default(), 1);
    let seen = |game: &Game| {
        let mut all = Vec::new();
        features::global(game, |feature| all.push(format!("{feature:?}")));
        all
    };
    let changed = |change: fn(&mut GameConfig)| {
        let mut config = GameConfig::default();
        change(&mut config);
        let game = Game::new(config, 1);
        let known = seen(&usual);
        seen(&game).into_iter().filter(|feature| !known.contains(feature)).collect::<Vec<_>>()
    };
    assert!(changed(|_| {}).is_empty());
    assert_eq!(
        changed(|config| config.rules.draw_after_turns = Some(5)),
        ["TurnLimit(0)", "TurnLimit(1)", "TurnLimit(3)"]
    );
    let switched = changed(|config| config.rules.auto_march = !config.rules.auto_march);
    assert!(switched.len() == 1 && switched[0].starts_with("Switch("), "{switched:?}");
    let other = changed(|config| config.rules.spawn_terrain_all = !config.rules.spawn_terrain_all);
    assert!(other.len() == 1 && other != switched, "{other:?}");
    let reserve = changed(|config| config.rules.start_reserve = UnitLabel::Warg);
    assert_eq!(reserve, [format!("StartReserve({})", UnitLabel::Warg.index())]);
}

#[test]
fn every_tech_has_a_number_of_its_own() {
    let numbers: Vec<u8> =
        GameConfig::default().techline.techs().iter().map(|&tech| features::tech_number(tech)).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), numbers.len());
    let special = [Tech::Copycat, Tech::Thaumaturgy, Tech::Metamagic].map(features::tech_number);
    assert_eq!(special, [34, 35, 36]);
}
