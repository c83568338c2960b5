//! Rooms, source files of `core`, nested into each other by their `mod` lines.

use std::collections::BTreeMap;
use std::fmt;

use super::strip::{joined, strip};

/// The first lines of every module, by which paths mean the same in all editions. The lints that they break are allowed
/// by [`HEAD`].
const PRELUDE: &str = "use std::{self, convert::{TryFrom, TryInto}};\nuse core;\n";

/// The first lines of a bundle.
const HEAD: &str =
    "#![allow(dead_code, unused_imports, unused_macros, unknown_lints, clippy::all)]\nextern crate core;\n";

/// A source file of `core`.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Path below `core/src`, with slashes.
    pub path: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

/// Why rooms do not make a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BundleError {
    /// A room declares a module that is not listed: the room and the module.
    Missing(String, String),
    /// A listed room is not declared by its parent, which is listed.
    Undeclared(String),
    /// The path does not end in `.rs`.
    Path(String),
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BundleError::Missing(room, module) => write!(f, "{room} declares {module}, which is not listed"),
            BundleError::Undeclared(room) => write!(f, "no listed room declares {room}"),
            BundleError::Path(path) => write!(f, "{path} is not a source file"),
        }
    }
}

impl std::error::Error for BundleError {}

/// A module with its own text, if it is listed, and its children.
#[derive(Default)]
struct Module {
    room: Option<Room>,
    children: BTreeMap<String, Module>,
}

/// Bundles rooms, a program and its `main` into one source file. The title becomes a comment on the first line.
pub fn bundle(title: &str, rooms: &[Room], program: &str, main: &str) -> Result<String, BundleError> {
    let mut root = Module::default();
    for room in rooms {
        let path = room.path.strip_suffix(".rs").ok_or_else(|| BundleError::Path(room.path.to_owned()))?;
        let path = path.strip_suffix("/mod").unwrap_or(path);
        let module = path
            .split('/')
            .fold(&mut root, |module, name| module.children.entry(name.to_owned()).or_default());
        module.room = Some(*room);
    }
    let mut source = format!("// {title}\n{HEAD}");
    root.write_children(&mut source)?;
    source.push_str("mod program {\n");
    source.push_str(PRELUDE);
    source.push_str(&strip(program).replace("barrow_core::", "crate::"));
    source.push_str("}\n");
    source.push_str(main.trim_end());
    source.push('\n');
    Ok(joined(&source))
}

impl Module {
    /// Writes the children of a module without text of its own.
    fn write_children(&self, source: &mut String) -> Result<(), BundleError> {
        for (name, child) in &self.children {
            source.extend(["pub mod ", name, " {\n"]);
            child.write_body(source)?;
            source.push_str("}\n");
        }
        Ok(())
    }

    fn write_body(&self, source: &mut String) -> Result<(), BundleError> {
        let Some(room) = self.room else { return self.write_children(source) };
        source.push_str(PRELUDE);
        let mut declared = Vec::new();
        for line in strip(room.text).lines() {
            let Some((head, name)) = declaration(line) else {
                source.push_str(line);
                source.push('\n');
                continue;
            };
            let missing = || BundleError::Missing(room.path.to_owned(), name.to_owned());
            let child = self.children.get(name).ok_or_else(missing)?;
            declared.push(name.to_owned());
            source.extend([head, "mod ", name, " {\n"]);
            child.write_body(source)?;
            source.push_str("}\n");
        }
        let undeclared = self.children.iter().find(|(name, _)| !declared.contains(name));
        match undeclared {
            Some((name, child)) => {
                let path = child.room.map_or(name.clone(), |room| room.path.to_owned());
                Err(BundleError::Undeclared(path))
            }
            None => Ok(()),
        }
    }
}

/// Visibility, with the blank after it, and name of a line such as `pub(crate) mod name;`; `None` for other lines.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (head, rest) = line.strip_prefix("mod ").map(|rest| ("", rest)).or_else(|| {
        let at = line.find(" mod ")?;
        Some((&line[..=at], &line[at + " mod ".len()..]))
    })?;
    let name = rest.strip_suffix(';')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && (head.is_empty() || head.starts_with("pub"))).then_some((head, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: Room =
        Room { path: "games/chess/mod.rs", text: "//! Chess.\n\nmod board;\npub(super) mod rules;\n" };
    const BOARD: Room = Room { path: "games/chess/board.rs", text: "pub struct Board;\n" };
    const RULES: Room = Room { path: "games/chess/rules.rs", text: "use super::board::Board;\n" };

    #[test]
    fn rooms_stand_where_they_are_declared() {
        let source =
            bundle("Chess", &[PARENT, BOARD, RULES], "use barrow_core::games::chess;\n", "fn main() {}")
                .unwrap();
        let inside = source.replace(&joined(PRELUDE), "").replace(&joined(HEAD), "");
        let expected = "// Chess\npub mod games {pub mod chess {mod board {pub struct Board;}\npub(super) mod rules {\
            use super::board::Board;}\n}\n}\nmod program {use crate::games::chess;}\nfn main() {}\n";
        assert_eq!(inside, expected);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let told = |rooms: &[Room]| bundle("", rooms, "", "").unwrap_err().to_string();
        assert_eq!(told(&[PARENT, BOARD]), "games/chess/mod.rs declares rules, which is not listed");
        let extra = Room { path: "games/chess/clock.rs", text: "" };
        assert_eq!(told(&[PARENT, BOARD, RULES, extra]), "no listed room declares games/chess/clock.rs");
        assert_eq!(told(&[Room { path: "README", text: "" }]), "README is not a source file");
    }
}
