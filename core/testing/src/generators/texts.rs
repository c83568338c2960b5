//! Generated texts of positions: lines of recorded and of generated games with faults mixed in. Some are refused;
//! what is accepted is often a position that no game reaches, with hundreds of reinforcements or in mid-turn.

use std::sync::LazyLock;

use barrow_core::minions::text::fen;
use barrow_core::minions::{GameConfig, Ruleset, Spell, UnitLabel};

use super::choices::Choices;
use super::positions::position;
use crate::MIDGAME;

/// Lines of recorded games.
static RECORDED: LazyLock<Vec<&str>> = LazyLock::new(|| MIDGAME.lines().collect());

/// Letters of the units in a line, those of Yellow.
const UNITS: &[u8] = b"ZISPWGTHKXAUJVMLOCRQBEYDN";

/// Numbers at and beside the bounds of fields.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "20",
    "40",
    "254",
    "255",
    "256",
    "65535",
    "65536",
    "999999",
    "1000000",
    "1000001",
    "4294967296",
];

/// Generates the text of a position with its configuration: a recorded line, or one of a generated position in the
/// extended form, with up to five faults.
pub fn position_text(choices: &mut Choices<'_>, ruleset: Ruleset) -> (String, GameConfig) {
    let (mut words, config) = if choices.chance(8) {
        let game = position(choices, ruleset);
        (words(&fen::Extended(&game).to_string()), game.config().clone())
    } else {
        let line = RECORDED.get(2 * choices.below(256) + choices.below(2)).copied().unwrap_or_default();
        (words(line), GameConfig::default().with_ruleset(ruleset))
    };
    if choices.chance(4) && !words.iter().any(|word| word == "x1") {
        words.push("x1".to_owned());
    }
    for _ in 0..choices.below(6) {
        mutate(choices, &mut words);
    }
    (words.join(" "), config)
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn number(choices: &mut Choices<'_>) -> &'static str {
    choices.pick(&NUMBERS).unwrap_or("0")
}

fn mutate(choices: &mut Choices<'_>, words: &mut Vec<String>) {
    let boards: Vec<usize> = (0..words.len()).filter(|&at| words[at].matches('|').count() == 5).collect();
    match choices.below(8) {
        0 => mutate_letter(choices, words),
        1 => words[0] = format!("{}|{}", number(choices), number(choices)),
        2 => words[1] = format!("{}|{}", choices.below(3), choices.below(3)),
        3 => mutate_techs(choices, &mut words[2]),
        4 => extend(choices, words, boards.len()),
        _ => {
            if let Some(at) = choices.pick(&boards) {
                mutate_board(choices, &mut words[at]);
            }
        }
    }
}

/// Replaces, removes or repeats one letter of a word.
fn mutate_letter(choices: &mut Choices<'_>, words: &mut [String]) {
    let place = choices.below(words.len());
    let mut word: Vec<u8> = words[place].bytes().collect();
    if word.is_empty() {
        return;
    }
    let at = choices.below(word.len());
    match choices.below(4) {
        0 => drop(word.remove(at)),
        1 => word.insert(at, word[at]),
        _ => word[at] = b' ' + choices.below(95) as u8,
    }
    words[place] = String::from_utf8_lossy(&word).into_owned();
}

fn mutate_techs(choices: &mut Choices<'_>, word: &mut String) {
    let letters = word.chars().map(|letter| match letter {
        'L' | 'U' | 'A' if choices.chance(8) => ['L', 'U', 'A', 'A'][choices.below(4)],
        letter => letter,
    });
    *word = letters.collect();
}

/// Changes a part of a board: its state, its lists of units, or its rows.
fn mutate_board(choices: &mut Choices<'_>, word: &mut String) {
    let mut parts: Vec<String> = word.split('|').map(str::to_owned).collect();
    match choices.below(4) {
        0 => parts[0] = String::from(["n", "1", "2", "f"][choices.below(4)]),
        1 => parts[1] = unit_list(choices),
        2 => parts[2] = unit_list(choices).to_lowercase(),
        _ => parts[5] = rows(choices),
    }
    *word = parts.join("|");
}

fn unit_list(choices: &mut Choices<'_>) -> String {
    let letter = |choices: &mut Choices<'_>| char::from(choices.pick(UNITS).unwrap_or(b'Z'));
    match choices.below(4) {
        0 => String::new(),
        1 => letter(choices).to_string().repeat(253 + choices.below(4)),
        2 => letter(choices).to_string().repeat(choices.below(60)),
        _ => (0..choices.below(24)).map(|_| letter(choices)).collect(),
    }
}

fn rows(choices: &mut Choices<'_>) -> String {
    let density = choices.below(17);
    let necromancers = choices.chance(4);
    let hex = |choices: &mut Choices<'_>| {
        if !choices.chance(density) {
            return '1';
        }
        let letter = if necromancers { b'N' } else { choices.pick(UNITS).unwrap_or(b'Z') };
        char::from(if choices.chance(8) { letter } else { letter.to_ascii_lowercase() })
    };
    let rows: Vec<String> = (0..10).map(|_| (0..10).map(|_| hex(choices)).collect()).collect();
    rows.join("/")
}

/// Adds a field of the extended form, or replaces the field of that name.
fn extend(choices: &mut Choices<'_>, words: &mut Vec<String>, boards: usize) {
    let board = choices.below(boards);
    let names = |choices: &mut Choices<'_>, most: usize| {
        let cards =
            (0..choices.below(most)).map(|_| choices.pick(&Spell::ALL).unwrap_or(Spell::Fester).name());
        cards.collect::<Vec<_>>().join(",")
    };
    let types = |choices: &mut Choices<'_>| {
        let units = (0..choices.below(6)).map(|_| choices.pick(&UnitLabel::ALL).unwrap_or(UnitLabel::Zombie));
        units.collect::<Vec<_>>()
    };
    let field = match choices.below(9) {
        0 => format!("tp={},{},{}", number(choices), number(choices), choices.below(2)),
        1 => format!("b{board}.f={}|{}", choices.below(3), choices.below(3)),
        2 => format!("b{board}.m={}", ["0", "3", "100", "32767", "-5", "-32768"][choices.below(6)]),
        3 => format!("b{board}.p={}|{}", number(choices), number(choices)),
        4 => format!(
            "b{board}.k={}{}",
            ["", "s", "w", "l", "r", "tu", "u"][choices.below(7)],
            choices.below(4)
        ),
        5 => format!("b{board}.h={}|{}", names(choices, 50), names(choices, 8)),
        6 => {
            let list = types(choices)
                .iter()
                .map(|unit| format!("{}*{}", number(choices), unit.name()))
                .collect::<Vec<_>>();
            format!("b{board}.r={0}|{0}", list.join(","))
        }
        7 => {
            let list = types(choices).iter().map(|unit| unit.name()).collect::<Vec<_>>().join(",");
            format!("b{board}.c={list}|{list}")
        }
        _ => return shorten_queue(choices, words),
    };
    let name = field.split('=').next().unwrap_or_default().to_owned() + "=";
    match words.iter_mut().find(|word| word.starts_with(&name)) {
        Some(word) => *word = field,
        None => words.push(field),
    }
}

/// Cuts a queue or the row of an extended line, or repeats its last card.
fn shorten_queue(choices: &mut Choices<'_>, words: &mut [String]) {
    let lists: Vec<usize> = (0..words.len())
        .filter(|&at| ["dy=", "db=", "row="].iter().any(|name| words[at].starts_with(name)))
        .collect();
    let Some(at) = choices.pick(&lists) else { return };
    let mut cards: Vec<String> = words[at].split(',').map(str::to_owned).collect();
    let last = cards[cards.len() - 1].clone();
    if choices.chance(8) {
        cards.truncate(1 + choices.below(cards.len()));
    } else {
        cards.extend(vec![last; choices.below(30)]);
    }
    words[at] = cards.join(",");
}
