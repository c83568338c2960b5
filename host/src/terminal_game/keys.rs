//! Keys that the game knows, whatever the terminal calls them.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

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

/// Key of an event of the terminal; `None` for keys without a meaning here, and for keys that are let go.
pub(super) fn key_of(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
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
        assert_eq!(key_of(event(c, KeyModifiers::NONE)), Some(Key::Char('c')));
        assert_eq!(key_of(event(c, KeyModifiers::CONTROL)), Some(Key::Interrupt));
        assert_eq!(key_of(event(KeyCode::Char('x'), KeyModifiers::CONTROL)), None);
        assert_eq!(key_of(event(KeyCode::Char('U'), KeyModifiers::SHIFT)), Some(Key::Char('U')));
        let released = KeyEvent::new_with_kind(c, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(key_of(released), None);
    }
}
