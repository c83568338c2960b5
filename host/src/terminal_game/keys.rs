//! Keys that the game knows, whatever the terminal calls them.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// Character, as the keyboard's layout has it.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tabulator.
    Tab,
    /// Tabulator with Shift.
    BackTab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// Removes the character before.
    Backspace,
    /// Ctrl-C.
    Interrupt,
}

/// Keys of an event of the terminal; none for what has no meaning here, and for keys that are let go.
///
/// Terminals send a letter with Alt as Escape and the letter, and so Escape and a letter in quick succession look like
/// one with Alt. Nothing here is done with Alt, so it is taken for both keys.
pub(super) fn keys_of(event: KeyEvent) -> Vec<Key> {
    if event.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let held = event.modifiers - KeyModifiers::SHIFT;
    let alone = KeyEvent { modifiers: event.modifiers - KeyModifiers::ALT, ..event };
    let escape = held.contains(KeyModifiers::ALT).then_some(Key::Escape);
    escape.into_iter().chain(key_of(alone)).collect()
}

/// Key of an event without Alt.
fn key_of(event: KeyEvent) -> Option<Key> {
    let held = event.modifiers - KeyModifiers::SHIFT;
    match event.code {
        KeyCode::Char('c' | 'C') if held == KeyModifiers::CONTROL => Some(Key::Interrupt),
        KeyCode::Char(letter) if held.is_empty() => Some(Key::Char(letter)),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Escape),
        KeyCode::Tab => Some(Key::Tab),
        KeyCode::BackTab => Some(Key::BackTab),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::Left => Some(Key::Left),
        KeyCode::Right => Some(Key::Right),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Home => Some(Key::Home),
        KeyCode::End => Some(Key::End),
        KeyCode::Backspace | KeyCode::Delete => Some(Key::Backspace),
        KeyCode::F(1) => Some(Key::Char('?')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_c_is_no_letter_and_a_key_let_go_is_no_key() {
        let event = |code, modifiers| KeyEvent::new(code, modifiers);
        let c = KeyCode::Char('c');
        assert_eq!(keys_of(event(c, KeyModifiers::NONE)), [Key::Char('c')]);
        assert_eq!(keys_of(event(c, KeyModifiers::CONTROL)), [Key::Interrupt]);
        assert_eq!(keys_of(event(KeyCode::Char('x'), KeyModifiers::CONTROL)), []);
        assert_eq!(keys_of(event(KeyCode::Char('U'), KeyModifiers::SHIFT)), [Key::Char('U')]);
        assert_eq!(keys_of(event(KeyCode::Char('q'), KeyModifiers::ALT)), [Key::Escape, Key::Char('q')]);
        let released = KeyEvent::new_with_kind(c, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(keys_of(released), []);
    }
}
