//! Requests of a page, as WebSockets and workers bring them: every text gets one answer that can be read, a refusal has
//! changed nothing, whatever is offered or found legal can be entered, and the game comes back whole from its own texts.
//!
//! The input is text, mutated by words and lines. A line that begins with a brace is the text of a request. Any other is a
//! short form: the name of the question, and what is asked as words; `!` and two bytes enter a choice that is offered.

#![no_main]

use std::sync::LazyLock;

use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, minions_names, mutate};
use barrow_session::messages::{Answer, Reply};
use barrow_session::page_engine::PageEngine;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::{Value, json};

/// Largest number of requests in a conversation.
const REQUESTS: usize = 6;

/// Largest number of bytes of a refusal: it quotes at most 200 characters of what was sent.
const REFUSAL_BYTES: usize = 1200;

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut words =
        "server spooky startpos now after text fen mgn link nodes seed stages true false null 0 c2d2"
            .split(' ')
            .collect::<Vec<_>>();
    words.extend(minions_names());
    let lines = &[
        "!%b%b",
        "!%b%b",
        "!%b%b",
        "!%b%b",
        "new server %s %s",
        "new spooky %s",
        "load startpos",
        "load barrow 1|server|2 %s,%s S,P,W|%s",
        "enter %n %h%h",
        "enter action tech %n",
        "enter action board %n buy %s",
        "enter action board %n spawn %s %h",
        "enter action board %n cast %s %h",
        "enter action board %n resign",
        "check %n %h%h",
        "check action board %n end_phase",
        "undo",
        "clear",
        "end_turn",
        "end_turn",
        "play %n %h%h|%n %h%h",
        "propose %n %h%h",
        "take_back %n",
        "resign",
        "export fen",
        "position %n",
        "choices %n %h",
        "book %s",
        "search %n",
        "review %n",
        "stop",
        "contests",
        "watch COURSE %s",
        "watch SEED %n",
        "{\"id\":%n,\"ask\":\"choices\",\"board\":%n,\"spell\":\"%s\"}",
        "{\"id\":%n,\"ask\":\"new\",\"maps\":[\"%s\"],\"points\":%n,\"yellow\":{\"souls\":%n,\"unlocked\":%n}}",
        "{\"id\":%n,\"ask\":\"search\",\"place\":{\"after\":%n},\"nodes\":%n}",
        "{\"id\":%n,\"ask\":\"load\",\"text\":\"%s\",\"config\":\"%s\"}",
    ];
    Vocabulary { words, lines }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

fuzz_target!(|data: &[u8]| {
    let engine = PageEngine::new(None).expect("a new game");
    let mut page = Page { engine, searches: one_in(16, data), compares: one_in(5, data) };
    for line in data.split(|&byte| byte == b'\n').take(REQUESTS) {
        match line {
            [b'!', choice @ ..] => page.enter_offered(choice),
            [b'{', ..] => page.send(&String::from_utf8_lossy(line)),
            _ => page.send(&request(&String::from_utf8_lossy(line)).to_string()),
        }
    }
    // Two games are read and printed: as much as several requests.
    if one_in(3, data) {
        page.read_own_texts();
    }
});

/// Request in its short form.
fn request(line: &str) -> Value {
    let (ask, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words: Vec<&str> = rest.split(' ').collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse::<u64>().ok());
    let lines: Vec<&str> = rest.split('|').collect();
    let id = 7;
    match ask {
        "new" => json!({"id": id, "ask": ask, "ruleset": words[0], "maps": words[1..]}),
        "load" | "watch" => json!({"id": id, "ask": ask, "text": lines.join("\n")}),
        "enter" | "check" => json!({"id": id, "ask": ask, "line": rest}),
        "play" | "propose" => json!({"id": id, "ask": ask, "turn": lines}),
        "take_back" => json!({"id": id, "ask": ask, "turns": number(0)}),
        "position" => json!({"id": id, "ask": ask, "after": number(0)}),
        "export" => json!({"id": id, "ask": ask, "form": rest}),
        "choices" => json!({"id": id, "ask": ask, "board": number(0).unwrap_or(0), "hex": words.get(1)}),
        "book" => json!({"id": id, "ask": ask, "ruleset": rest}),
        "search" | "review" => json!({"id": id, "ask": ask, "nodes": number(0)}),
        _ => json!({"id": id, "ask": ask}),
    }
}

/// A page and its engine.
struct Page {
    engine: PageEngine,
    /// Whether searches are begun: their memory takes longer to set up than a conversation.
    searches: bool,
    /// Whether the game is compared before and after each request, which takes longer than most requests.
    compares: bool,
}

impl Page {
    /// Answer to a request that is obeyed at once.
    fn answer(&mut self, request: &Value) -> Answer {
        let text = self.engine.obey(&request.to_string());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The game as text.
    fn text(&mut self, form: &str) -> String {
        match self.answer(&json!({"id": 0, "ask": "export", "form": form})).reply {
            Some(Reply::Text { text }) => text,
            other => panic!("no text but {other:?}"),
        }
    }

    fn send(&mut self, text: &str) {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let ask = value["ask"].as_str().unwrap_or_default();
        // Bots of contest games have targets of their own.
        if ask.starts_with("match") || (matches!(ask, "search" | "review") && !self.searches) {
            return;
        }
        let before = self.compares.then(|| (self.text("link"), self.text("mgn")));
        let mut answer = self.engine.obey(text);
        if answer.is_empty() {
            self.engine.step(1);
            answer = self.engine.result(true, 0.0);
        }
        let read: Answer = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert!(read.id.is_none_or(|id| Some(id) == value["id"].as_u64()), "{answer}");
        assert!(read.reply.is_some() != read.error.is_some(), "{answer}");
        if let Some(error) = read.error {
            assert!(error.len() <= REFUSAL_BYTES && !error.contains('\n'), "{error}");
            if let Some(before) = before {
                assert_eq!(before, (self.text("link"), self.text("mgn")), "{text}: {error}");
            }
        }
        if ask == "check"
            && let Some(Reply::Checked { why }) = read.reply
        {
            let entered = self.answer(&json!({"id": 1, "ask": "enter", "line": value["line"]}));
            assert_eq!(why.is_none(), entered.error.is_none(), "{text}: {why:?}, {:?}", entered.error);
        }
    }

    /// Enters one of the choices that a board offers.
    fn enter_offered(&mut self, choice: &[u8]) {
        let (board, number) =
            (choice.first().map_or(0, |byte| byte % 8), choice.get(1).map_or(0, |&byte| byte));
        let offered = self.answer(&json!({"id": 2, "ask": "choices", "board": board}));
        let Some(Reply::Choices(found)) = offered.reply else { return };
        let possible: Vec<_> = found.choices.iter().filter(|choice| choice.why.is_none()).collect();
        let Some(choice) = possible.get(usize::from(number) % possible.len().max(1)) else { return };
        let entered = self.answer(&json!({"id": 3, "ask": "enter", "line": choice.line}));
        assert!(entered.error.is_none(), "{} was offered: {:?}", choice.line, entered.error);
    }

    /// Reads the game from each of its texts. What a text does not hold, the lines entered or the turns before, is left out.
    fn read_own_texts(&mut self) {
        let (link, record, position) = (self.text("link"), self.text("mgn"), self.text("fen"));
        for (form, text) in [("link", link), ("mgn", record)] {
            let loaded = self.answer(&json!({"id": 4, "ask": "load", "text": text}));
            assert!(loaded.error.is_none(), "{text}: {:?}", loaded.error);
            assert_eq!(self.text(form), text);
            assert_eq!(self.text("fen"), position, "{text}");
        }
    }
}
