//! Removal of tests, comment lines and indentation from a source file, and of needless ends of lines from several.
//!
//! The input must be formatted by `rustfmt`: an item ends at a `;` or a closing bracket with the indentation of its
//! first line.

/// The text without tests, comment lines, blank lines and indentation.
pub(super) fn strip(text: &str) -> String {
    let mut stripped = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed == "#[cfg(test)]" {
            skip_item(&mut lines);
        } else if !trimmed.is_empty() && !trimmed.starts_with("//") {
            stripped.push_str(trimmed);
            stripped.push('\n');
        }
    }
    stripped
}

/// The lines of a stripped text, joined where the first one ends with an opening bracket, a comma or a semicolon: contests
/// count bytes. A comment ends with its line.
pub(super) fn joined(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        joined.push_str(line);
        if !line.ends_with(['(', '[', '{', ',', ';']) || line.contains("//") {
            joined.push('\n');
        }
    }
    joined
}

/// Skips the item after an attribute, with further attributes of the item.
fn skip_item<'t>(lines: &mut impl Iterator<Item = &'t str>) {
    let mut depth = None;
    for line in lines {
        let own = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        let first = *depth.get_or_insert(own);
        let is_attribute = own == first && trimmed.starts_with("#[");
        let is_last =
            own == first && (trimmed.ends_with(';') || trimmed.starts_with('}') || trimmed.ends_with("{}"));
        if is_last && !is_attribute {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_comments_go() {
        let text = "//! A room.\n\nuse a;\n#[cfg(test)]\nmod tests;\n/// Doc.\nfn f() {\n    // Why.\n    g(); // kept\n}\n\n\
            #[cfg(test)]\n#[path = \"x.rs\"]\nmod more {\n    #[test]\n    fn t() {\n        let _ = 1;\n    }\n}\nfn h() {}\n";
        assert_eq!(strip(text), "use a;\nfn f() {\ng(); // kept\n}\nfn h() {}\n");
        assert_eq!(
            strip("impl A {\n    #[cfg(test)]\n    fn t() {}\n    fn u() {}\n}\n"),
            "impl A {\nfn u() {}\n}\n"
        );
        assert_eq!(
            joined("use a;\nfn f() {\ng(); // kept;\n}\nfn h() {}\n"),
            "use a;fn f() {g(); // kept;\n}\nfn h() {}\n"
        );
    }
}
