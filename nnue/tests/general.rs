//! The general's net: contexts along the tech line, whole numbers against real ones, and files without the net.

use std::collections::BTreeSet;

use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::ports::GeneralPolicy;
use barrow_core::minions::{
    Action, Builder, Game, GameConfig, GeneralAction, MapLabel, Ruleset, Side, SideArray, Tech, TechLevels,
    TechStatus, Techline, UndoLog, UnitLabel,
};
use barrow_core::rng::Rng;
use barrow_nnue::format::{Block, Extent, Line, file_len, get};
use barrow_nnue::kernels::Weight;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::general::{Choice, Survey};
use barrow_nnue::ports::GeneralPort;
use barrow_nnue::random_net;
use barrow_nnue::shape::{
    Desktop, GENERAL_ROWS, Handheld, NEIGHBOUR_GROUPS, NEIGHBOURS, POSITION_GROUPS, Profile, TECH_GROUPS,
    Tiny, UNITS, sum,
};
use barrow_testing::MIDGAME;

/// Extent of a network with the general's net and without other nets that a file may leave out.
const ALL: Extent = Extent { units: UNITS, general: true, places: 0, modes: 0 };

fn random<P: Profile>(extent: Extent, seed: u64) -> Vec<Line> {
    let mut lines = vec![Line::ZERO; file_len::<P>(extent) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), extent, seed).unwrap();
    lines
}

fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = GameConfig::default().with_ruleset(ruleset);
        games.extend(MIDGAME.lines().step_by(7).map(|line| fen::parse(line, &config).unwrap()));
    }
    games
}

/// Positions that some random choices of the general lead to, with their actions.
fn choices(game: &Game, dice: &mut Rng) -> Vec<(Game, Vec<GeneralAction>)> {
    let techs = game.config().techline.len() as u32;
    let random = |_| {
        let (mut after, mut actions) = (game.clone(), Vec::new());
        for _ in 0..6 {
            let action = match dice.below(8) {
                0 => GeneralAction::BuySpell,
                1 => GeneralAction::Sell,
                2 => GeneralAction::March,
                _ => GeneralAction::Advance { index: dice.below(techs) as u8 },
            };
            if after.apply(Action::General(action), &mut UndoLog::off()).is_ok() {
                actions.push(action);
            }
        }
        (after, actions)
    };
    (0..8).map(random).collect()
}

/// Numbers of a block as real numbers in which an activation of 1 is 1.
fn real<P: Profile>(file: &[u8], block: Block, bits: u32) -> Vec<f64> {
    let one = f64::from(1_u32 << bits);
    get::<P>(file, ALL, block).map(|number| f64::from(number) / one).collect()
}

/// Logit of a choice in real numbers, as network §13 says it.
fn exact_logit<P: Profile>(file: &[u8], game: &Game, choice: Choice) -> f64 {
    let (a, w) = (P::Weight::ACTIVATION_BITS, P::Weight::WEIGHT_BITS);
    let contexts = real::<P>(file, Block::GeneralContexts, a);
    let bias = real::<P>(file, Block::GeneralBias, a);
    let steps = real::<P>(file, Block::GeneralSteps, w);
    let steps_bias = real::<P>(file, Block::GeneralStepsBias, a + w);
    let survey = Survey::new(game);
    let mut logit = 0.0;
    choice.steps(|step, place| {
        let mut rows = Vec::new();
        survey.position(game, |row| rows.push(row));
        if let Some(place) = place {
            survey.tech(game.config(), place, |row| rows.push(row));
        }
        logit += steps_bias[step as usize];
        for neuron in 0..P::BOARD_LAYER {
            let sum: f64 = rows.iter().map(|&row| contexts[usize::from(row) * P::BOARD_LAYER + neuron]).sum();
            let activation = (bias[neuron] + sum).clamp(0.0, 1.0);
            logit += activation * steps[step as usize * P::BOARD_LAYER + neuron];
        }
    });
    logit
}

fn whole_numbers_are_real_numbers<P: Profile>() {
    let lines = random::<P>(ALL, 6);
    let file = Line::bytes(&lines);
    let network = Network::<P>::from_bytes(file).unwrap();
    let mut dice = Rng::new(7);
    let mut logits = BTreeSet::new();
    for game in games() {
        let mut steps = network.general_steps(&game).unwrap();
        for (after, actions) in choices(&game, &mut dice) {
            let logit = network.choice_logit(&mut steps, &after);
            let exact = exact_logit::<P>(file, &game, Choice::between(&game, &after));
            // Nothing is rounded but the sum, to a fixed-point number.
            assert!((logit.to_num::<f64>() - exact).abs() <= 1.0 / 65_536.0, "{actions:?}: {logit} {exact}");
            logits.insert(logit);
        }
    }
    assert!(logits.len() > 200, "{}", logits.len());
}

#[test]
fn logits_of_choices_are_those_of_real_numbers() {
    whole_numbers_are_real_numbers::<Desktop>();
    whole_numbers_are_real_numbers::<Handheld>();
    whole_numbers_are_real_numbers::<Tiny>();
}

#[test]
fn the_order_of_the_actions_does_not_matter() {
    let lines = random::<Tiny>(ALL, 6);
    let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
    let (mut dice, mut compared) = (Rng::new(8), 0);
    for game in games() {
        for (after, mut actions) in choices(&game, &mut dice) {
            dice.shuffle(&mut actions);
            let mut other = game.clone();
            let legal =
                |&action: &GeneralAction| other.apply(Action::General(action), &mut UndoLog::off()).is_ok();
            if !actions.iter().all(legal)
                || other.state().tech(game.side_to_move()) != after.state().tech(game.side_to_move())
            {
                continue;
            }
            let [here, there] = [&after, &other].map(|after| {
                let mut steps = network.general_steps(&game).unwrap();
                network.choice_logit(&mut steps, after)
            });
            assert_eq!(here, there, "{actions:?}");
            compared += usize::from(actions.len() > 1);
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn every_group_has_at_most_one_row_and_all_rows_are_in_the_table() {
    let groups: Vec<usize> =
        NEIGHBOUR_GROUPS.repeat(NEIGHBOURS).into_iter().chain(TECH_GROUPS).chain(POSITION_GROUPS).collect();
    assert_eq!(sum(&groups), GENERAL_ROWS);
    assert_eq!([NEIGHBOURS * sum(&NEIGHBOUR_GROUPS), GENERAL_ROWS - sum(&POSITION_GROUPS)], [133, 178]);
    assert_eq!(GENERAL_ROWS, 333);
    let group_of = |row: u16| {
        let mut end = 0;
        groups.iter().position(|size| {
            end += size;
            usize::from(row) < end
        })
    };
    let mut seen = BTreeSet::new();
    for game in games() {
        let survey = Survey::new(&game);
        for place in 0..game.config().techline.len() as u8 {
            let mut found = BTreeSet::new();
            let mut add = |row| {
                assert!(found.insert(group_of(row).unwrap()), "{row}");
                seen.insert(row);
            };
            survey.position(&game, &mut add);
            survey.tech(game.config(), place, &mut add);
            // The kind, the distance and, but for souls and armies below the first step, the position are always known.
            assert!(found.len() >= 2 + POSITION_GROUPS.len() - 3, "{found:?}");
        }
        survey.tech(game.config(), game.config().techline.len() as u8, |row| {
            panic!("row {row} beyond the line")
        });
    }
    assert!(seen.len() > 150, "{}", seen.len());
}

/// Rows of the tech of a unit.
fn rows_of(game: &Game, unit: UnitLabel) -> BTreeSet<u16> {
    let place = game.config().techline.position(Tech::UnitTech(unit)).unwrap();
    let mut rows = BTreeSet::new();
    Survey::new(game).tech(game.config(), place, |row| {
        rows.insert(row);
    });
    rows
}

/// Position in which Yellow is to move, Blue has acquired the tech of a unit and has this many of it in reserve.
fn owned_by_blue(line: Techline, unit: UnitLabel, count: u8) -> Game {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::ALL[0]]).unwrap().with_techline(line);
    let place = config.techline.position(Tech::UnitTech(unit)).unwrap();
    let mut blue = TechLevels::default();
    (0..=place).for_each(|place| blue.set(place, TechStatus::Unlocked));
    blue.set(place, TechStatus::Acquired);
    let mut builder = Builder::from_game(Game::new(config, 1));
    builder.board(0).unwrap().set_reserve(Side::Blue, unit, count);
    let mut levels = SideArray::new(TechLevels::default(), TechLevels::default());
    levels[Side::Blue] = blue;
    builder.turn(Side::Yellow, 0).tech(levels, levels);
    builder.build().unwrap()
}

/// The triangle, worked by hand: wight (5) beats ghost (4), warg (3) and spectre (8). Blue owns spectre and has three.
#[test]
fn a_tech_sees_who_owns_what_it_beats_wherever_the_line_has_it() {
    let [wight, spectre, rat] = ["wight", "spectre", "rat"].map(|name| match Tech::from_name(name) {
        Some(Tech::UnitTech(unit)) => unit,
        _ => panic!("{name} is a unit"),
    });
    let numbers = [wight, spectre, rat].map(|unit| Tech::UnitTech(unit).number());
    assert_eq!(numbers, [5, 8, 9]);
    let mut seen = Vec::new();
    for line in [Techline::default(), Techline::random(&mut Rng::new(5)), Techline::random(&mut Rng::new(6))]
    {
        let game = owned_by_blue(line, spectre, 3);
        // Neighbour 6 is N + 3: locked for us and theirs is row 2 of its levels; three units are context 2 of enemies.
        let first = 6 * 19;
        let rows = rows_of(&game, wight);
        assert!(rows.contains(&(first + 2)) && rows.contains(&(first + 9 + 5 + 2)), "{rows:?}");
        // For the rat, which beats spectre as N - 1, the same is neighbour 2; nobody has units of its own N + 3.
        let first = 2 * 19;
        let rows = rows_of(&game, rat);
        assert!(rows.contains(&(first + 2)) && rows.contains(&(first + 9 + 5 + 2)), "{rows:?}");
        assert!(!rows.iter().any(|row| (6 * 19 + 9..7 * 19).contains(row)), "{rows:?}");
        seen.push(game.config().techline.position(Tech::UnitTech(spectre)).unwrap());
    }
    seen.dedup();
    assert!(seen.len() > 1, "the lines are the same");
}

/// Shared weights: with the same triangle around them, two techs differ by their kind and their distance alone.
#[test]
fn techs_share_the_rows_of_their_triangles() {
    let [wight, spectre] = ["wight", "spectre"].map(|name| match Tech::from_name(name) {
        Some(Tech::UnitTech(unit)) => unit,
        _ => panic!("{name} is a unit"),
    });
    let game = Game::new(GameConfig::new(Ruleset::Server, &[MapLabel::ALL[0]]).unwrap(), 1);
    let triangle = |unit| rows_of(&game, unit).into_iter().filter(|&row| row < 133).collect::<Vec<_>>();
    assert_eq!(triangle(wight), triangle(spectre));
    assert_ne!(rows_of(&game, wight), rows_of(&game, spectre));
}

#[test]
fn a_file_without_the_net_has_no_policy_and_the_same_other_nets() {
    let files = [ALL, Extent::from(UNITS)].map(|extent| random::<Tiny>(extent, 9));
    let [with_bytes, without_bytes] = files.each_ref().map(|lines| Line::bytes(lines));
    assert!(with_bytes.len() > without_bytes.len());
    assert!(with_bytes[256..].starts_with(&without_bytes[256..]), "the net comes behind all others");
    let [with, without] =
        files.each_ref().map(|lines| Network::<Tiny>::from_bytes(Line::bytes(lines)).unwrap());
    assert!(with.has_general() && !without.has_general());
    assert!(without.general_steps(&games()[0]).is_none() && GeneralPort::new(without).is_none());
    let game = &games()[0];
    let mut port = GeneralPort::new(with).unwrap();
    // Nobody has begun a position.
    assert_eq!(port.prior(game, &[]), 1);
    port.begin(game);
    assert_eq!(port.prior(game, &[]), 65_536, "a choice without steps has the logit 0");
}
