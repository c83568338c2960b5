//! Analysis queries: the reader panics on no line, and every position that it accepts can be played in, and is printed and
//! read back as the same.
//!
//! An input that begins with a brace is a line of JSON. Any other is the text of positions and turns, divided by tabs,
//! which are made a query.

#![no_main]

use barrow::analysis::queried_positions;
use barrow_core::minions::text::fen;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if text.starts_with('{') {
        check(&text);
        return;
    }
    let mut parts = text.split('\t');
    let position = parts.next().unwrap_or("");
    let turns: Vec<String> = parts.map(|turn| list(turn.split('|'))).collect();
    for ruleset in ["server", "spooky"] {
        check(&format!(
            "{{\"id\":\"a\",\"ruleset\":\"{ruleset}\",\"position\":{},\"turns\":[{}],\"after\":[0]}}",
            quoted(position),
            turns.join(",")
        ));
    }
});

/// JSON list of texts.
fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", texts.map(quoted).collect::<Vec<_>>().join(","))
}

/// JSON text.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn check(line: &str) {
    let Ok(positions) = queried_positions(line) else { return };
    for game in positions {
        let text = fen::Extended(&game).to_string();
        let again = fen::parse(&text, game.config()).expect("its own text");
        assert!(again.state() == game.state(), "{text}");
    }
}
