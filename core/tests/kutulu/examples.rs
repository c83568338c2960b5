//! The worked examples of rules §11: states, answers, and what must be seen after each turn.

use barrow_core::contests::kutulu::{
    Action, Cell, Constants, EXPLORERS, Effect, EffectKind, Explorer, Map, MapTables, Minion, MinionPhase,
    State,
};
use barrow_core::contests::lcg48::Lcg48;

const FILE: &str = include_str!("../data/kutulu.txt");

macro_rules! examples {
    ($($name:ident, $id:literal;)*) => {
        $(#[test]
        fn $name() {
            check($id);
        })*

        #[test]
        fn every_example_is_a_test() {
            let known: Vec<&str> = FILE.lines().filter_map(|line| line.strip_prefix("= ")).collect();
            let known: Vec<&str> = known.iter().map(|line| line.split(' ').next().unwrap()).collect();
            assert_eq!(known, [$($id),*]);
        }
    };
}

examples! {
    kutulu_k01_company_ignores_walls, "K01";
    kutulu_k02_a_lone_survivor_loses_50, "K02";
    kutulu_k03_move_among_several_shortest_paths, "K03";
    kutulu_k04_move_to_nowhere, "K04";
    kutulu_k05_plan_heals_in_walking_distance, "K05";
    kutulu_k06_healing_stops_at_250, "K06";
    kutulu_k07_a_running_light_refuses_a_plan, "K07";
    kutulu_k08_yell_reaches_one_square, "K08";
    kutulu_k09_a_lock_refuses_a_plan_and_works_once, "K09";
    kutulu_k10_mutual_yells, "K10";
    kutulu_k11_equal_distances_keep_the_target, "K11";
    kutulu_k12_light_turns_a_wanderer_away, "K12";
    kutulu_k12b_without_the_light, "K12b";
    kutulu_k13_first_step_turn_1, "K13";
    kutulu_k13b_first_step_turn_2, "K13b";
    kutulu_k13c_first_step_turn_3, "K13c";
    kutulu_k14_walking_into_a_wanderer, "K14";
    kutulu_k15_walking_away_from_a_wanderer, "K15";
    kutulu_k16_two_on_one_square, "K16";
    kutulu_k17_tied_spawn_points, "K17";
    kutulu_k18_a_wanderer_runs_out_of_life, "K18";
    kutulu_k19_a_slasher_comes, "K19";
    kutulu_k20_rush_to_the_remembered_square, "K20";
    kutulu_k21_two_equally_near, "K21";
    kutulu_k22_the_target_is_kept, "K22";
    kutulu_k23_the_target_changes, "K23";
    kutulu_k24_a_wandering_slasher, "K24";
    kutulu_k25_two_on_the_landing_square, "K25";
    kutulu_k26_a_shelter_runs_empty, "K26";
    kutulu_k27_shelters_are_filled, "K27";
    kutulu_k28_two_die_together, "K28";
    kutulu_k29_a_dying_companion_counts, "K29";
    kutulu_k30_a_dead_yellers_lock_stays, "K30";
    kutulu_k31_an_unknown_verb, "K31";
    kutulu_k32_turn_200, "K32";
    kutulu_k33_lights_do_not_add_up, "K33";
    kutulu_k34_a_tie_with_seed_1, "K34";
    kutulu_k34b_a_tie_with_seed_1000000, "K34b";
    kutulu_k35_light_walks_with_its_caster, "K35";
}

/// Plays an example and compares what is seen after each turn.
fn check(id: &str) {
    let mut lines = FILE.lines().skip_while(|line| !line.starts_with(&format!("= {id} ")));
    let heading = lines.next().unwrap();
    let rows: Vec<&str> = lines.next().unwrap().split('/').collect();
    let map = Map::read(rows[0].len(), rows.len(), rows.iter().copied()).unwrap();
    let tables = MapTables::new(&map);
    let mut state = start(heading, lines.next().unwrap(), &map);
    let mut turns = 0;
    while let Some(turn) = lines.next().and_then(|line| line.strip_prefix("> ")) {
        let (number, answers) = turn.split_once(' ').unwrap();
        state.turn = number.parse().unwrap();
        state.check(&map).unwrap();
        let mut actions = [None; EXPLORERS];
        for (id, answer) in answers.split("; ").enumerate() {
            actions[id] = Action::read(answer, &tables, state.explorers[id].cell);
        }
        let before = state.scores;
        state.play(&tables, &actions).unwrap();
        let seen: Vec<String> = state.entities(&map, 0).iter().map(ToString::to_string).collect();
        let expected = lines.next().unwrap();
        let expected: Vec<String> =
            expected.split("; ").filter(|line| !line.is_empty()).map(in_full).collect();
        assert_eq!(seen, expected, "turn {number}");
        let mut scores = before;
        let mut is_over = false;
        for word in lines.next().unwrap().split_ascii_whitespace() {
            match word.split_once(':') {
                Some((id, score)) => scores[id.parse::<usize>().unwrap()] = Some(score.parse().unwrap()),
                None => is_over = true,
            }
        }
        assert_eq!((state.scores, state.is_over()), (scores, is_over), "turn {number}");
        turns += 1;
    }
    assert!(turns > 0);
}

/// `E 0 1 ...` as the protocol has it.
fn in_full(line: &str) -> String {
    let (letter, rest) = line.split_once(' ').unwrap();
    let word = match letter {
        "E" => "EXPLORER",
        "W" => "WANDERER",
        "S" => "SLASHER",
        "P" => "EFFECT_PLAN",
        "L" => "EFFECT_LIGHT",
        "U" => "EFFECT_SHELTER",
        "Y" => "EFFECT_YELL",
        _ => panic!("{line}"),
    };
    format!("{word} {rest}")
}

fn start(heading: &str, entities: &str, map: &Map) -> State {
    let words: Vec<&str> = heading.split(' ').collect();
    let constants = Constants::read(&words[2..6].join(" ")).unwrap();
    let mut state = State::empty(constants, Lcg48::new(words[6].parse().unwrap()));
    state.next_id = words[7].parse().unwrap();
    for (id, yells) in words[9].split(',').enumerate() {
        state.explorers[id].yelled_at = yells.parse().unwrap();
        state.explorers[id].had_slasher = words[8].as_bytes()[id] == b'1';
    }
    for entity in entities.split("; ") {
        let (letter, numbers) = entity.split_once(' ').unwrap();
        let numbers: Vec<i16> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        add(&mut state, map, letter, &numbers);
    }
    state
}

fn add(state: &mut State, map: &Map, letter: &str, numbers: &[i16]) {
    let [id, x, y, first, second, third] = numbers[..6] else { panic!("{numbers:?}") };
    let square = |x: i16, y: i16| -> Cell { map.at(x, y).unwrap() };
    let explorer = |id: i16| u8::try_from(id).ok();
    let byte = |number: i16| u8::try_from(number).unwrap();
    let effect = |kind, caster| Effect { kind, caster, left: byte(first) };
    match letter {
        "E" => {
            let id = id as usize;
            state.alive |= 1 << id;
            let known = state.explorers[id];
            state.explorers[id] = Explorer {
                cell: square(x, y),
                sanity: byte(first),
                plans: byte(second),
                lights: byte(third),
                ..known
            };
        }
        "W" | "S" => {
            let phase = MinionPhase::ALL[second as usize];
            let is_slasher = letter == "S";
            let counts = !is_slasher || phase != MinionPhase::Wandering && phase != MinionPhase::Rush;
            let remembered =
                numbers.get(6..8).filter(|last| last[0] >= 0).map(|last| square(last[0], last[1]));
            let minion = Minion {
                id: id as u16,
                is_slasher,
                phase,
                cell: square(x, y),
                counter: if counts { byte(first) } else { 0 },
                target: explorer(third),
                remembered,
            };
            state.minions.push(minion).unwrap();
        }
        "U" => state.effects.push(effect(EffectKind::Shelter { cell: square(x, y) }, None)).unwrap(),
        "P" => state.effects.push(effect(EffectKind::Plan, explorer(second))).unwrap(),
        "L" => state.effects.push(effect(EffectKind::Light, explorer(second))).unwrap(),
        _ => state.effects.push(effect(EffectKind::Yell { victim: byte(third) }, explorer(second))).unwrap(),
    }
}
