//! Mutation of texts by words and lines, so that most of them get past the parser. A target gives its vocabulary; one
//! mutation in eight is of bytes, the fuzzer's own.

use std::ops::Range;

use barrow_core::minions::{Ability, MapLabel, Movable, Spell, UnitLabel};
use barrow_core::rng::Rng;

/// Words and lines of a kind of text.
///
/// In lines `%n` stands for a number, `%s` for one of the words, `%h` for a hex such as c4, `%b` for any byte.
pub struct Vocabulary {
    /// Words that a reader of the text knows.
    pub words: Vec<&'static str>,
    /// Lines that a reader of the text accepts, at least sometimes.
    pub lines: &'static [&'static str],
}

/// Names in texts of Minions: spells, units, objects, abilities, maps.
pub fn minions_names() -> Vec<&'static str> {
    let mut names = Spell::ALL.map(Spell::name).to_vec();
    names.extend(UnitLabel::ALL.map(UnitLabel::name));
    names.extend(Movable::ALL.map(Movable::name));
    names.extend(Ability::ALL.map(Ability::name));
    names.extend(MapLabel::ALL.map(MapLabel::name));
    names
}

/// Numbers at bounds that readers have.
const NUMBERS: [&str; 20] = [
    "-1",
    "0",
    "1",
    "2",
    "3",
    "5",
    "8",
    "11",
    "12",
    "20",
    "100",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65536",
    "4294967295",
    "18446744073709551616",
    "-2147483648",
];

/// Bytes between two words.
const SEPARATORS: &[u8] = b" \n;,|=/\"";

/// Largest number of changes in one mutation.
const CHANGES: u32 = 4;

/// Mutates the text in the first `size` bytes of `data` and returns its new size, at most `most`.
pub fn mutate(vocabulary: &Vocabulary, data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut rng = Rng::new(u64::from(seed));
    if rng.below(8) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, most);
    }
    let mut text = data[..size].to_vec();
    for _ in 0..=rng.below(CHANGES) {
        change(vocabulary, &mut text, &mut rng);
    }
    text.truncate(most);
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

fn index(rng: &mut Rng, len: usize) -> usize {
    rng.below(len as u32) as usize
}

fn pick<'a>(rng: &mut Rng, words: &[&'a str]) -> &'a str {
    words.get(index(rng, words.len())).copied().unwrap_or("")
}

/// Changes a word or a line.
fn change(vocabulary: &Vocabulary, text: &mut Vec<u8>, rng: &mut Rng) {
    let word = word_at(text, index(rng, text.len()));
    let line = line_at(text, index(rng, text.len()));
    match rng.below(12) {
        0 | 1 => put(text, word, pick(rng, &vocabulary.words).as_bytes()),
        2 | 3 => {
            let number = number_near(&text[word.clone()], rng);
            put(text, word, number.as_bytes());
        }
        // Another word, or another line, of the same text.
        4 => {
            let other = text[word_at(text, index(rng, text.len()))].to_vec();
            put(text, word, &other);
        }
        5 => {
            let other = text[line_at(text, index(rng, text.len()))].to_vec();
            put(text, line, &other);
        }
        6..=8 => {
            let mut new = filled(pick(rng, vocabulary.lines), vocabulary, rng);
            new.push(b'\n');
            put(text, line.start..line.start, &new);
        }
        9 => {
            let copy = text[line.start..line.end.saturating_add(1).min(text.len())].to_vec();
            put(text, line.start..line.start, &copy);
        }
        10 => put(text, line.start..(line.end + 1).min(text.len()), b""),
        _ if rng.below(4) == 0 => text.truncate(line.end),
        _ => put(text, word.end..word.end, format!(" {}", pick(rng, &vocabulary.words)).as_bytes()),
    }
}

fn put(text: &mut Vec<u8>, place: Range<usize>, new: &[u8]) {
    text.splice(place, new.iter().copied());
}

/// The longest part of the text around a place in which no byte is a separator.
fn part_at(text: &[u8], place: usize, separators: &[u8]) -> Range<usize> {
    let place = place.min(text.len());
    let parts = |byte: &u8| separators.contains(byte);
    let start = text[..place].iter().rposition(parts).map_or(0, |at| at + 1);
    let end = text[place..].iter().position(parts).map_or(text.len(), |at| place + at);
    start..end
}

fn word_at(text: &[u8], place: usize) -> Range<usize> {
    part_at(text, place, SEPARATORS)
}

fn line_at(text: &[u8], place: usize) -> Range<usize> {
    part_at(text, place, b"\n")
}

/// A number beside the one that a word is, or one of those at bounds.
fn number_near(word: &[u8], rng: &mut Rng) -> String {
    let known = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
    match known {
        Some(number) if rng.below(2) == 0 => {
            number.saturating_add(rng.below(5) as i64).saturating_sub(2).to_string()
        }
        _ => number(rng),
    }
}

fn number(rng: &mut Rng) -> String {
    if rng.below(2) == 0 { pick(rng, &NUMBERS).to_owned() } else { rng.below(24).to_string() }
}

/// A line with its places filled.
fn filled(line: &str, vocabulary: &Vocabulary, rng: &mut Rng) -> Vec<u8> {
    let mut parts = line.split('%');
    let mut filled = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let mut letters = part.chars();
        match letters.next() {
            Some('n') => filled.extend(number(rng).bytes()),
            Some('s') => filled.extend(pick(rng, &vocabulary.words).bytes()),
            Some('h') => filled.extend([b'a' + rng.below(10) as u8, b'0' + rng.below(10) as u8]),
            _ => filled.push(rng.below(256) as u8),
        }
        filled.extend(letters.as_str().bytes());
    }
    filled
}
