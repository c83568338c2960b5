//! Checks the structure of the sources: `rustc -O --edition 2024 .ci/structure.rs -o FILE && FILE` in the root of the
//! repository. Prints a line for each fault and ends with 1 if there is one:
//!
//! - a circle of imports between files of a crate (`core/src/hex` excepted: point, set and tables are one idea). An
//!   import is a `use` line or a path that begins with `crate`, `self` or `super`; re-exports are followed to the file
//!   that defines the name. Tests do not count.
//! - an import from a crate higher up: `core` imports none of the others, `solver` and `nnue` only `core`.
//! - a game's name inside `core/src/search`.
//! - code in `core`, `solver` or `nnue` that panics where something is missing or full: `unwrap`, `panic!` and their
//!   like, and `collect`, `extend`, `from_iter`, which bounded lists answer with a panic when they are full. Sets of
//!   hexes, cells and cards are never full: `collect::<HexSet>()` says that it makes one.
//! - a file of more than 500 lines whose first lines do not say why, a function of more than 80 lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A crate's folder, the name it is imported by, and the crates of the workspace that it may import.
const CRATES: [(&str, &str, &[&str]); 4] = [
    ("core", "barrow_core", &[]),
    ("solver", "barrow_solver", &["barrow_core"]),
    ("nnue", "barrow_nnue", &["barrow_core"]),
    ("host", "barrow", &["barrow_core", "barrow_solver", "barrow_nnue"]),
];

/// Words that only games have, in lower case.
const GAMES: [&str; 8] =
    ["minions", "roborally", "kutulu", "ice_and_fire", "ice and fire", "necromancer", "souls", "spooky"];

/// Crates that do not panic, in which these words are faults.
const NEVER_PANIC: [&str; 3] = ["core", "solver", "nnue"];

/// Beginnings of code that panics. `assert!` is not among them: it is for constants.
const PANICS: [&str; 12] = [
    ".collect(",
    ".collect::<",
    ".extend(",
    "::from_iter(",
    "FromIterator<",
    "Extend<",
    ".unwrap()",
    ".expect(",
    "panic!(",
    "unreachable!(",
    "todo!(",
    "unimplemented!(",
];

/// Sets that have room for every item there is.
const SETS: [&str; 3] = ["HexSet", "CellSet", "CardSet"];

const MAX_FILE: usize = 500;
const MAX_FUNCTION: usize = 80;

/// A module: its file as an index, what it declares, and the names it imports or exports.
#[derive(Default)]
struct Module {
    file: Option<usize>,
    children: BTreeSet<String>,
    /// Name → path from the crate's root.
    aliases: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

struct Import {
    path: Vec<String>,
    alias: Option<String>,
    exported: bool,
}

fn main() -> ExitCode {
    let mut faults = Vec::new();
    for (folder, name, allowed) in CRATES {
        check_crate(folder, name, allowed, &mut faults);
    }
    for folder in ["core", "solver", "nnue", "host", "fuzz/fuzz_targets", "benches", "fuzz/bare", "fuzz/mutants", ".ci"] {
        for path in rust_files(Path::new(folder)) {
            check_lengths(&path, &mut faults);
        }
    }
    for path in NEVER_PANIC.iter().flat_map(|folder| rust_files(&Path::new(folder).join("src"))) {
        if !is_test(&path) {
            check_panics(&path.display().to_string(), &read(&path), &mut faults);
        }
    }
    for path in rust_files(Path::new("core/src/search")) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            for game in GAMES.iter().filter(|game| line.contains(**game)) {
                faults.push(format!("{}:{}: names a game: {game}", path.display(), index + 1));
            }
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    println!("structure: {} faults", faults.len());
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Circles and upward imports of one crate.
fn check_crate(folder: &str, name: &str, allowed: &[&str], faults: &mut Vec<String>) {
    let root = Path::new(folder).join("src");
    let files: Vec<PathBuf> = rust_files(&root).into_iter().filter(|path| !is_test(path)).collect();
    let texts: Vec<String> = files.iter().map(|path| without_tests(&read(path))).collect();
    for (path, text) in files.iter().zip(&texts) {
        for (_, other, _) in CRATES.iter().filter(|entry| entry.1 != name && !allowed.contains(&entry.1)) {
            let found = text.lines().position(|line| {
                let code = line.trim_start();
                !code.starts_with("//") && code.contains(&format!("{other}::")) && !code.contains(&format!("_{other}::"))
            });
            if let Some(line) = found {
                faults.push(format!("{}:{}: {folder} imports {other}", path.display(), line + 1));
            }
        }
    }
    let mut modules: BTreeMap<Vec<String>, Module> = BTreeMap::new();
    for (index, path) in files.iter().enumerate() {
        let module = module_of(&root, path);
        modules.entry(module.clone()).or_default().file = Some(index);
        if let Some((last, parent)) = module.split_last() {
            modules.entry(parent.to_vec()).or_default().children.insert(last.clone());
        }
    }
    let mut wanted: Vec<Vec<Vec<String>>> = Vec::new();
    for (path, text) in files.iter().zip(&texts) {
        let module = module_of(&root, path);
        let mut paths = inline_paths(text, &module);
        for import in imports(text) {
            let Some(target) = absolute(&import.path, &module, &modules) else { continue };
            let entry = modules.entry(module.clone()).or_default();
            let last = import.alias.clone().or_else(|| target.last().cloned()).unwrap_or_default();
            if last == "*" {
                entry.globs.push(target[..target.len() - 1].to_vec());
            } else {
                entry.aliases.insert(last, target.clone());
            }
            if !import.exported {
                paths.push(target);
            }
        }
        wanted.push(paths);
    }
    let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.len()];
    for (index, paths) in wanted.iter().enumerate() {
        for path in paths {
            if let Some(target) = resolve(path, &modules, 0)
                && target != index
            {
                edges[index].insert(target);
            }
        }
    }
    for circle in circles(&edges) {
        if circle.iter().all(|&file| files[file].starts_with("core/src/hex")) {
            continue;
        }
        for &file in &circle {
            for other in edges[file].iter().filter(|other| circle.contains(other)) {
                faults.push(format!(
                    "circle of {} files: {} imports {}",
                    circle.len(),
                    files[file].display(),
                    files[*other].display()
                ));
            }
        }
    }
}

/// The file that defines a path's item, or that is the module it names.
fn resolve(path: &[String], modules: &BTreeMap<Vec<String>, Module>, depth: usize) -> Option<usize> {
    if depth > 8 {
        return None;
    }
    let mut at: Vec<String> = Vec::new();
    for (index, segment) in path.iter().enumerate() {
        let module = modules.get(&at)?;
        if module.children.contains(segment) {
            at.push(segment.clone());
            continue;
        }
        if segment == "*" || segment == "self" {
            return module.file;
        }
        if let Some(alias) = module.aliases.get(segment) {
            let mut whole = alias.clone();
            whole.extend_from_slice(&path[index + 1..]);
            if whole != path {
                return resolve(&whole, modules, depth + 1);
            }
        }
        for glob in &module.globs {
            let defines = modules.get(glob).is_some_and(|target| {
                target.children.contains(segment) || target.aliases.contains_key(segment)
            });
            if defines {
                let mut whole = glob.clone();
                whole.extend_from_slice(&path[index..]);
                return resolve(&whole, modules, depth + 1);
            }
        }
        return module.file;
    }
    modules.get(&at)?.file
}

/// A path from the crate's root; `None` for a path into another crate.
fn absolute(path: &[String], module: &[String], modules: &BTreeMap<Vec<String>, Module>) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let parent = &module[..module.len().checked_sub(1)?];
            match rest.first().map(String::as_str) {
                Some("super") => absolute(rest, parent, modules),
                _ => Some([parent, rest].concat()),
            }
        }
        _ => modules.get(module)?.children.contains(first).then(|| [module, path].concat()),
    }
}

/// The `use` declarations of a text, one entry a name.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut previous_end = true;
    while let Some(line_end) = rest.find('\n') {
        let line = rest[..line_end].trim_start();
        let body = line.strip_prefix("use ").map(|_| false).or_else(|| {
            (line.starts_with("pub use ") || (line.starts_with("pub(") && line.contains(") use "))).then_some(true)
        });
        if let (Some(exported), true) = (body, previous_end) {
            let from = rest.find("use ").unwrap_or(0) + 4;
            let to = rest.find(';').unwrap_or(rest.len());
            let tree: String = rest[from..to.max(from)].split_whitespace().collect::<Vec<_>>().join(" ");
            flatten(&[], &tree, exported, &mut found);
            rest = &rest[(to + 1).min(rest.len())..];
        } else {
            rest = &rest[line_end + 1..];
        }
        previous_end = true;
    }
    found
}

/// Adds the names of a tree such as `a::{b, c as d}`.
fn flatten(prefix: &[String], tree: &str, exported: bool, found: &mut Vec<Import>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let mut whole = prefix.to_vec();
        whole.extend(tree[..open].split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from));
        let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, letter) in inner.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    flatten(&whole, &inner[start..at], exported, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        flatten(&whole, &inner[start..], exported, found);
    } else if !tree.is_empty() {
        let (path, alias) = match tree.split_once(" as ") {
            Some((path, alias)) => (path, Some(alias.trim().to_owned())),
            None => (tree, None),
        };
        let mut whole = prefix.to_vec();
        whole.extend(path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from));
        if whole.last().is_some_and(|last| last == "self") && whole.len() > 1 {
            whole.pop();
        }
        found.push(Import { path: whole, alias, exported });
    }
}

/// Paths in the code that begin with `crate::` or `super::`.
fn inline_paths(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with("//") || code.starts_with("use ") || code.starts_with("pub use ") {
            continue;
        }
        for head in ["crate::", "super::"] {
            let mut from = 0;
            while let Some(at) = code[from..].find(head).map(|at| at + from) {
                from = at + head.len();
                let fresh = at == 0 || !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$');
                if fresh {
                    let end = code[at..]
                        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                        .map_or(code.len(), |length| at + length);
                    let path: Vec<String> =
                        code[at..end].split("::").filter(|part| !part.is_empty()).map(String::from).collect();
                    found.extend(absolute(&path, module, &BTreeMap::new()));
                }
            }
        }
    }
    found
}

/// Sets of files that import each other in a loop, of two files or more (Tarjan's strongly connected components by
/// reachability: the trees are small).
fn circles(edges: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let reach = |start: usize| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for &next in &edges[at] {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..edges.len()).map(reach).collect();
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    for start in 0..edges.len() {
        if found.iter().any(|circle| circle.contains(&start)) {
            continue;
        }
        let mut circle: BTreeSet<usize> =
            reached[start].iter().copied().filter(|&other| reached[other].contains(&start)).collect();
        circle.insert(start);
        if circle.len() > 1 {
            found.push(circle);
        }
    }
    found
}

/// Lengths of a file and of its functions.
fn check_lengths(path: &Path, faults: &mut Vec<String>) {
    let text = read(path);
    let lines: Vec<&str> = text.lines().collect();
    let says_why = lines.iter().take(12).any(|line| line.starts_with("//!") && line.contains("More than 500 lines"));
    if lines.len() > MAX_FILE && !says_why {
        faults.push(format!("{}: {} lines and no \"More than 500 lines: ...\"", path.display(), lines.len()));
    }
    for (index, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let is_function = ["fn ", "pub fn ", "const fn ", "pub const fn "].iter().any(|head| code.starts_with(head))
            || (code.starts_with("pub(") && code.contains(" fn "));
        if !is_function || code.ends_with(';') || code.ends_with('}') {
            continue;
        }
        let close = format!("{indent}}}");
        let length = lines[index..].iter().position(|other| *other == close).map_or(0, |end| end + 1);
        if length > MAX_FUNCTION {
            faults.push(format!("{}:{}: a function of {length} lines", path.display(), index + 1));
        }
    }
}

/// Code that panics on a list that is full or a value that is missing. The text is that of a whole file.
fn check_panics(path: &str, text: &str, faults: &mut Vec<String>) {
    let all: Vec<&str> = text.lines().collect();
    let kept = without_tests(text);
    let mut at = 0;
    for line in kept.lines() {
        // Lines are left out in between, so that each is found at its old place or after it.
        at += all[at..].iter().position(|old| *old == line).unwrap_or(0);
        at += 1;
        let code = line.split("//").next().unwrap_or_default();
        for word in PANICS {
            let mut calls = code.match_indices(word).map(|(place, _)| &code[place + word.len()..]);
            let makes_set = |rest: &str| match word {
                ".collect::<" => SETS.iter().any(|set| rest.starts_with(&format!("{set}>()"))),
                "FromIterator<" | "Extend<" => SETS.iter().any(|set| rest.contains(&format!("> for {set} "))),
                _ => false,
            };
            if calls.any(|rest| !makes_set(rest)) {
                faults.push(format!("{path}:{at}: may panic: {word}"));
            }
        }
    }
}

/// The text without modules for tests: from `#[cfg(test)]` to the end of the item that follows.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept += line;
            kept.push('\n');
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        for skipped in lines.by_ref() {
            let ends = skipped == format!("{indent}}}") || (skipped.ends_with(';') && !skipped.starts_with(&format!("{indent} ")));
            if ends {
                break;
            }
        }
    }
    kept
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    name == "tests" || name.ends_with("_tests") || path.components().any(|part| part.as_os_str() == "tests")
}

/// The module of a file: `core/src/a/b.rs` and `core/src/a/b/mod.rs` are `a::b`.
fn module_of(root: &Path, path: &Path) -> Vec<String> {
    let inner = path.strip_prefix(root).unwrap_or(path).with_extension("");
    let mut parts: Vec<String> = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") || parts == ["lib"] || parts == ["main"] {
        parts.pop();
    }
    parts
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
