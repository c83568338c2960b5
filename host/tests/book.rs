//! What the pages of `docs` and the README show of the program is what it does: every block of theirs that is marked
//! `console`, `umi` or `roborally` is run.
//!
//! In a `console` block a line `$ barrow ...` is a command, words in quotes as in a shell and `\` at the end of a line
//! going on with the next; what follows is its output, standard error behind standard output. In a `umi` block lines
//! behind `> ` are sent to `barrow umi`, in a `roborally` block to `barrow roborally bot`, and the others are its answers. A line `...` stands for any lines, `...` within
//! a line for any text. The commands of a page run in one folder, one after the other; a picture (`.svg`) that they
//! leave there is the one of the same name in `docs/pictures`. Programs that a page shows whole are files of the tree, which
//! other checks build, and stand on the page as they are there.
//!
//! `BARROW_WRITE_BOOK=1 cargo test -p barrow --test book` writes outputs without `...`, and pictures, anew.

mod program;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use program::{barrow_in, empty_folder, start, text};

/// Line of a block and what came before: a command or what is sent, with the answer that the page shows.
struct Exchange {
    /// Lines of the page that are the command, as they stand there.
    asked: Vec<String>,
    answer: Vec<String>,
}

/// Part of a page: text, or a block with the line that opens it.
enum Part {
    Text(String),
    Block { language: String, opening: String, exchanges: Vec<Exchange> },
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Files that a page shows whole: the page, the language of its block, the file.
const SHOWN_WHOLE: [(&str, &str, &str); 2] = [
    ("docs/guides/embedding.md", "rust,ignore", "host/handheld/first-firmware/src/main.rs"),
    ("docs/guides/embedding.md", "c", "host/capi/examples/guide.c"),
];

/// The README and all pages of `docs`, by their paths from the root.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A page in parts.
fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = page.lines().peekable();
    let mut plain = String::new();
    while let Some(line) = lines.next() {
        let language = line.trim().strip_prefix("```").unwrap_or_default();
        let mut closing = !line.trim_start().starts_with("```");
        if language != "console" && session(language).is_none() {
            let _ = writeln!(plain, "{line}");
            // Other blocks are text, whatever stands in them.
            while !closing && let Some(line) = lines.next() {
                let _ = writeln!(plain, "{line}");
                closing = line.trim_start().starts_with("```");
            }
            continue;
        }
        parts.push(Part::Text(std::mem::take(&mut plain)));
        let prompt = if language == "console" { "$ " } else { "> " };
        let mut exchanges: Vec<Exchange> = Vec::new();
        for line in lines.by_ref().take_while(|line| line.trim() != "```") {
            let continued = exchanges.last().is_some_and(|last| {
                last.answer.is_empty() && last.asked.last().is_some_and(|line| line.ends_with('\\'))
            });
            match exchanges.last_mut() {
                Some(last) if continued => last.asked.push(line.to_owned()),
                _ if line.starts_with(prompt) => {
                    exchanges.push(Exchange { asked: vec![line.to_owned()], answer: Vec::new() });
                }
                Some(last) => last.answer.push(line.to_owned()),
                None => panic!("a block begins with an answer: {line}"),
            }
        }
        parts.push(Part::Block { language: language.to_owned(), opening: line.to_owned(), exchanges });
    }
    parts.push(Part::Text(plain));
    parts
}

/// Words of a command line: blanks separate, quotes of either kind join.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for sign in line.chars() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {line}");
    words.extend(word);
    words
}

/// Whether text has a form in which `...` stands for anything.
fn fits(form: &str, text: &str) -> bool {
    let parts: Vec<&str> = form.split("...").collect();
    let Some(rest) = text.strip_prefix(parts[0]) else { return false };
    if parts.len() == 1 {
        return rest.is_empty();
    }
    let (last, middle) = parts[1..].split_last().unwrap();
    let mut rest = rest;
    for part in middle {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether lines have a form in which a line `...` stands for any number of lines.
fn lines_fit(form: &[String], lines: &[&str]) -> bool {
    match form.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=lines.len()).any(|skipped| lines_fit(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.first().is_some_and(|line| fits(first, line.trim_end())) && lines_fit(rest, &lines[1..])
        }
    }
}

/// Output of a command in a folder, standard error behind standard output.
fn run_command(folder: &Path, asked: &[String]) -> String {
    let line: Vec<&str> = asked.iter().map(|line| line.trim_end_matches('\\').trim()).collect();
    let words = words(line.join(" ").strip_prefix("$ ").unwrap());
    let (program, arguments) = words.split_first().unwrap();
    assert_eq!(program, "barrow", "only barrow is run");
    let output = barrow_in(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let (said, complaint) = (text(&output.stdout), text(&output.stderr));
    // An error that the page shows is one that is meant.
    let refused = complaint.contains("barrow: ") || complaint.contains("error: ");
    assert!(output.status.success() || refused, "{words:?}: {complaint}");
    format!("{said}{complaint}")
}

/// Line that no session knows, so that its answer ends the one before.
const END: &str = "end-of-answer";

/// Command that holds the conversation of a block, by the language of the block, with the start of its answer to a line that it
/// does not know.
fn session(language: &str) -> Option<(&'static [&'static str], &'static str)> {
    match language {
        "umi" => Some((&["umi"], "error: no such command: ")),
        "roborally" => Some((&["roborally", "bot"], "error: unknown command ")),
        _ => None,
    }
}

/// Answers of a command to the lines of a block, each with the lines that came before it.
fn run_session(folder: &Path, (command, unknown): (&[&str], &str), exchanges: &[Exchange]) -> Vec<String> {
    let mut child = start(folder, command);
    let mut input = child.stdin.take().unwrap();
    for exchange in exchanges {
        let line = exchange.asked[0].strip_prefix("> ").unwrap();
        input.write_all(format!("{line}\n{END}\n").as_bytes()).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let end = format!("{unknown}{END}\n");
    text(&output.stdout).split_terminator(&end).map(str::to_owned).collect()
}

/// Percentages of the text of a page that none of its blocks has, as a reader would look for them there.
fn unheard_percentages(page: &str) -> Vec<String> {
    let (mut prose, mut shown) = (String::new(), String::new());
    for part in parts(page) {
        match part {
            Part::Text(text) => prose.push_str(&text),
            Part::Block { exchanges, .. } => {
                shown.extend(
                    exchanges
                        .iter()
                        .flat_map(|exchange| exchange.answer.iter().map(|line| format!("{line}\n"))),
                );
            }
        }
    }
    let numbers = prose.split(|sign: char| sign.is_whitespace() || "(),;:".contains(sign));
    let numbers = numbers.map(|word| word.trim_end_matches('.'));
    numbers.filter(|word| word.ends_with('%') && !shown.contains(word)).map(str::to_owned).collect()
}

/// Runs the blocks of a page in a folder; the page as it ought to be, with complaints.
fn run_page(folder: &Path, page: &str, complaints: &mut String) -> (String, usize) {
    let (mut written, mut blocks) = (String::new(), 0);
    for part in parts(page) {
        let (language, opening, mut exchanges) = match part {
            Part::Text(text) => {
                written.push_str(&text);
                continue;
            }
            Part::Block { language, opening, exchanges } => (language, opening, exchanges),
        };
        blocks += 1;
        // Whether the page has another answer, and one without gaps.
        let mut differs = |asked: &str, form: &[String], said: &str| {
            let lines: Vec<&str> = said.lines().collect();
            let fits = lines_fit(form, &lines);
            if !fits {
                let _ = writeln!(complaints, "{asked}\nsays:\n{said}\nthe page has:\n{}", form.join("\n"));
            }
            !fits && !form.iter().any(|line| line.contains("..."))
        };
        let mut answers = match session(&language) {
            Some(session) => run_session(folder, session, &exchanges),
            None => exchanges.iter().map(|exchange| run_command(folder, &exchange.asked)).collect(),
        };
        answers.resize(exchanges.len(), "no answer".to_owned());
        for (exchange, said) in exchanges.iter_mut().zip(answers) {
            if differs(&exchange.asked.join("\n"), &exchange.answer, &said) {
                exchange.answer = said.lines().map(|line| line.trim_end().to_owned()).collect();
            }
        }
        let _ = writeln!(written, "{opening}");
        for line in exchanges.iter().flat_map(|exchange| exchange.asked.iter().chain(&exchange.answer)) {
            let _ = writeln!(written, "{line}");
        }
        written.push_str("```\n");
    }
    (written, blocks)
}

#[test]
fn the_pages_show_what_the_program_does() {
    let writes = std::env::var_os("BARROW_WRITE_BOOK").is_some();
    let (mut complaints, mut blocks, mut pictures) = (String::new(), 0, 0);
    for name in pages() {
        let folder = empty_folder(&format!("book-{}", name.replace('/', "-")));
        let path = root().join(&name);
        let page = fs::read_to_string(&path).unwrap();
        let mut found = String::new();
        let (written, run) = run_page(&folder, &page, &mut found);
        blocks += run;
        if !found.is_empty() {
            let _ = writeln!(complaints, "{name}: {found}");
        }
        if name == "docs/thinking.md" {
            let unheard = unheard_percentages(&written);
            // What is written anew is mended by hand afterwards.
            assert!(
                (writes || unheard.is_empty()) && written.contains('%'),
                "{name}: no block has {unheard:?}"
            );
        }
        if writes && written != page {
            fs::write(&path, written).unwrap();
        }
        for entry in fs::read_dir(&folder).unwrap() {
            let drawn = entry.unwrap().path();
            if drawn.extension().is_none_or(|extension| extension != "svg") {
                continue;
            }
            let kept = root().join("docs/pictures").join(drawn.file_name().unwrap());
            pictures += 1;
            if fs::read(&kept).ok() != fs::read(&drawn).ok() {
                let _ = writeln!(complaints, "{name}: {} is not what is drawn now", kept.display());
                if writes {
                    fs::copy(&drawn, &kept).unwrap();
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}\nBARROW_WRITE_BOOK=1 writes them anew");
    assert!(blocks >= 10 && pictures >= 5, "{blocks} blocks, {pictures} pictures");
}

/// Page with the only block of this language replaced by `file`; `None` unless there is exactly one such block.
fn with_file(page: &str, language: &str, file: &str) -> Option<String> {
    let opening = format!("\n```{language}\n");
    let (before, block) = page.split_once(&opening)?;
    let after = block.find("\n```\n").map(|end| &block[end + 1..])?;
    (!after.contains(&opening)).then(|| format!("{before}{opening}{file}{after}"))
}

#[test]
fn programs_stand_on_the_pages_as_they_are() {
    for (name, language, file) in SHOWN_WHOLE {
        let path = root().join(name);
        let page = fs::read_to_string(&path).unwrap();
        let program = fs::read_to_string(root().join(file)).unwrap();
        let written =
            with_file(&page, language, &program).unwrap_or_else(|| panic!("{name}: no one block {language}"));
        if written != page {
            if std::env::var_os("BARROW_WRITE_BOOK").is_some() {
                fs::write(&path, &written).unwrap();
            }
            panic!("{name} does not show {file} as it is; BARROW_WRITE_BOOK=1 writes it anew");
        }
    }
    let page = "a\n```c\nx\n```\nb\n";
    assert_eq!(with_file(page, "c", "y\nz\n").unwrap(), "a\n```c\ny\nz\n```\nb\n");
    assert_eq!((with_file(page, "rust", "y\n"), with_file(&page.repeat(2), "c", "y\n")), (None, None));
}

#[test]
fn a_page_that_shows_something_else_is_found() {
    let folder = empty_folder("book-test");
    let check = |page: &str| {
        let mut complaints = String::new();
        let (written, blocks) = run_page(&folder, page, &mut complaints);
        (written, blocks, complaints)
    };
    let good = "# Title\n\n```console\n$ barrow rules unit \\\n    zombie\nzombie (Z)\n...\n  speed 1\n...\n```\ntext\n";
    let (written, blocks, complaints) = check(good);
    assert_eq!((written.as_str(), blocks, complaints.as_str()), (good, 1, ""));
    let (_, _, complaints) = check(&good.replace("speed 1", "speed 2"));
    assert!(complaints.contains("speed 2") && complaints.contains("speed 1"), "{complaints}");
    // What has no gaps can be written anew.
    let (written, _, complaints) = check("```console\n$ barrow rules unit dragon\n```\n");
    assert_eq!(
        written,
        "```console\n$ barrow rules unit dragon\nbarrow: no such unit: dragon; barrow rules unit lists all\n```\n"
    );
    assert!(!complaints.is_empty());
    // Blocks of other languages are left alone.
    let other = "```text\n$ barrow rules unit dragon\nyes\n```\n";
    assert_eq!(check(other), (other.to_owned(), 0, String::new()));
    let session = "```umi\n> isready\nreadyok\n> dance\nerror: ...: dance\n```\n";
    assert_eq!(check(session), (session.to_owned(), 1, String::new()));
    assert!(!check(&session.replace("readyok", "ready")).2.is_empty());
    let prose = "The rate is 7% or (8%).\n```console\n$ barrow rules unit zombie\n7%\n```\n";
    assert_eq!(unheard_percentages(prose), ["8%."].map(|word| word.trim_end_matches('.')));
}
