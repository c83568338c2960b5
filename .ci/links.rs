//! Checks that links lead somewhere, in documents and in the pages of a built book:
//!
//! ```text
//! links book FOLDER FILE...   Markdown files; those below FOLDER are pages of a book, whose list is FOLDER/SUMMARY.md
//! links built FOLDER          pages of HTML below FOLDER
//! ```
//!
//! Prints a line for each fault, then what was counted; ends with 1 if there was a fault, or nothing to count. A link is a
//! fault if its file does not exist, if its anchor is no heading of that file, or if it leads out of the book from one
//! of its pages, where a path in backticks serves. So is a page that the list does not name once. Links to the network
//! are not followed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (faults, counted) = match words.as_slice() {
        ["book", folder, files @ ..] => check_documents(folder, files),
        ["built", folder] => check_built(Path::new(folder)),
        _ => {
            eprintln!("links book FOLDER FILE... | links built FOLDER");
            return ExitCode::from(2);
        }
    };
    for fault in &faults {
        println!("{fault}");
    }
    println!("{counted} links checked, {} faults", faults.len());
    if faults.is_empty() && counted > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Faults of documents, and the number of links in them.
fn check_documents(folder: &str, files: &[&str]) -> (Vec<String>, usize) {
    let texts: BTreeMap<PathBuf, String> =
        files.iter().map(|file| (normal(Path::new(file)), fs::read_to_string(file).unwrap_or_default())).collect();
    let list = Path::new(folder).join("SUMMARY.md");
    let (mut faults, mut counted) = (Vec::new(), 0);
    let mut listed: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (file, text) in &texts {
        for (line, target) in links(text) {
            counted += 1;
            let place = format!("{}:{line}: {target}", file.display());
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let goal = match path {
                "" => file.clone(),
                _ => normal(&file.parent().unwrap_or(Path::new("")).join(path)),
            };
            if *file == list {
                *listed.entry(goal.clone()).or_default() += 1;
            }
            if file.starts_with(folder) && !goal.starts_with(folder) {
                faults.push(format!("{place} leads out of the book"));
            } else if file.starts_with(folder) && *file != list && goal.ends_with("README.md") {
                faults.push(format!("{place} is index.html in the built book: link to the folder, or not at all"));
            } else if !goal.exists() {
                faults.push(format!("{place} does not exist"));
            } else if !anchor.is_empty() && !texts.get(&goal).is_some_and(|text| anchors(text).contains(anchor)) {
                faults.push(format!("{place} is no heading there"));
            }
        }
    }
    for page in texts.keys().filter(|page| page.starts_with(folder) && **page != list) {
        match listed.get(page).copied().unwrap_or(0) {
            1 => {}
            times => faults.push(format!("{}: {} names it {times} times", page.display(), list.display())),
        }
    }
    (faults, counted)
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            _ => normal.push(part),
        }
    }
    normal
}

/// Lines of a document outside its blocks of code, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !in_block && !fence
    })
}

/// Targets of links and pictures within the repository, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        for (place, _) in line.match_indices("](") {
            // What stands in backticks is code.
            if line[..place].matches('`').count() % 2 == 1 {
                continue;
            }
            let target = &line[place + 2..];
            let target = target.split([')', ' ']).next().unwrap_or_default();
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((number, target));
            }
        }
    }
    found
}

/// Anchors of the headings of a document: lower case, a hyphen for each blank, without punctuation; the second of a name
/// ends in `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor: String = title
            .trim()
            .chars()
            .filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'))
            .map(|sign| if sign == ' ' { '-' } else { sign })
            .flat_map(char::to_lowercase)
            .collect();
        let count = counts.entry(anchor.clone()).or_default();
        anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// Faults of built pages, and the number of links in them.
fn check_built(folder: &Path) -> (Vec<String>, usize) {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                pages.insert(path, text);
            }
        }
    }
    let (mut faults, mut counted) = (Vec::new(), 0);
    for (page, text) in &pages {
        // That one may be shown at any address.
        if page.ends_with("404.html") {
            continue;
        }
        for target in attributes(text, "href").chain(attributes(text, "src")) {
            if target.contains("://") || target.starts_with("mailto:") || target.starts_with("data:") {
                continue;
            }
            counted += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let goal = match path {
                "" => page.clone(),
                _ => normal(&page.parent().unwrap_or(folder).join(path)),
            };
            let place = format!("{}: {target}", page.display());
            if !goal.exists() {
                faults.push(format!("{place} does not exist"));
            } else if !anchor.is_empty()
                && !pages.get(&goal).is_some_and(|text| attributes(text, "id").any(|id| id == anchor))
            {
                faults.push(format!("{place} is no place there"));
            }
        }
    }
    (faults, counted)
}

/// Values of an attribute in HTML.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let places: Vec<usize> = text.match_indices(&start).map(|(place, _)| place + start.len()).collect();
    places.into_iter().filter_map(|place| text[place..].split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(pages: &[(&str, &str)]) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("links-{}-{}", std::process::id(), pages.len()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("docs")).unwrap();
        let mut names = Vec::new();
        for (name, text) in pages {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            names.push(path.to_str().unwrap().to_owned());
        }
        let book = folder.join("docs");
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (faults, _) = check_documents(book.to_str().unwrap(), &names);
        fs::remove_dir_all(&folder).unwrap();
        faults
    }

    #[test]
    fn each_fault_is_found() {
        let list = ("docs/SUMMARY.md", "[a](a.md)\n[b](b.md)\n");
        let a = "# Title of a\n[b](b.md#two-words) [self](#title-of-a) `[code](no.md)`\n```\n[no](no.md)\n```\n";
        let b = ("docs/b.md", "## Two, words\n[away](https://example.org/no)\n");
        assert_eq!(faults(&[list, ("docs/a.md", a), b]), Vec::<String>::new());
        for (spoilt, words) in [
            (a.replace("b.md#", "c.md#"), "does not exist"),
            (a.replace("#two-words", "#two"), "is no heading there"),
            (a.replace("#title-of-a", "#title"), "is no heading there"),
            (a.replace("b.md#two-words", "../README.md"), "leads out of the book"),
            (a.replace("b.md#two-words", "README.md"), "is index.html in the built book"),
        ] {
            let found = faults(&[list, ("docs/a.md", &spoilt), b]);
            assert!(found.len() == 1 && found[0].contains(words), "{found:?}");
        }
        let found = faults(&[("docs/SUMMARY.md", "[a](a.md)\n"), ("docs/a.md", a), b]);
        assert!(found.len() == 1 && found[0].contains("names it 0 times"), "{found:?}");
    }

    #[test]
    fn headings_of_one_name_have_numbers() {
        let found = anchors("# A, b §3\n## A, b §3\n#no\n```\n# code\n```\n");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a-b-3", "a-b-3-1"]);
    }

    #[test]
    fn attributes_are_read_to_their_ends() {
        let html = "<a href=\"b.html#x\">b</a><img src=\"c.svg\"><p id=\"x\">";
        assert_eq!(attributes(html, "href").collect::<Vec<_>>(), ["b.html#x"]);
        assert_eq!(attributes(html, "id").collect::<Vec<_>>(), ["x"]);
    }
}
