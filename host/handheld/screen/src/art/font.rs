//! Letters: a proportional font of eight rows, from the text `font.txt`.

/// Rows of a letter.
pub const HEIGHT: usize = 8;
/// Width of a space, and of letters that the font does not have, in pixels.
const BLANK: u8 = 3;

/// Letter: its width, and each row's pixels with the leftmost in bit 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Width in pixels, without the space to the next letter.
    pub width: u8,
    /// Pixels of the rows from the top.
    pub rows: [u8; HEIGHT],
}

const TEXT: &[u8] = include_bytes!("font.txt");
const FIRST: u8 = b' ';
const COUNT: usize = 95;
static LETTERS: [Letter; COUNT] = read();

/// Letters of the text. A line that is not a letter and eight rows of one width does not compile.
const fn read() -> [Letter; COUNT] {
    let mut letters = [Letter { width: BLANK, rows: [0; HEIGHT] }; COUNT];
    let mut at = 0;
    while at < TEXT.len() {
        let comment = TEXT[at] == b';' && TEXT[at + 2] != b'.' && TEXT[at + 2] != b'#';
        if !comment {
            let (letter, rows) = read_line(at);
            letters[(TEXT[at] - FIRST) as usize] = letter;
            assert!(rows == HEIGHT, "a letter has eight rows");
        }
        while TEXT[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    letters
}

const fn read_line(start: usize) -> (Letter, usize) {
    let mut letter = Letter { width: 0, rows: [0; HEIGHT] };
    let (mut at, mut row, mut column) = (start + 2, 0, 0);
    loop {
        match TEXT[at] {
            b'#' | b'.' => {
                if TEXT[at] == b'#' {
                    letter.rows[row] |= 1 << column;
                }
                column += 1;
            }
            _ => {
                assert!(row == 0 || letter.width == column, "the rows of a letter are equally wide");
                letter.width = column;
                row += 1;
                column = 0;
                if TEXT[at] == b'\n' {
                    return (letter, row);
                }
            }
        }
        at += 1;
    }
}

/// The letter of an ASCII character; blank for others.
pub fn letter(character: u8) -> &'static Letter {
    let place = usize::from(character.wrapping_sub(FIRST));
    LETTERS.get(place).unwrap_or(&LETTERS[0])
}

/// Width of a text in pixels.
pub fn width(text: &str) -> usize {
    let advance = |byte| usize::from(letter(byte).width) + 1;
    text.bytes().map(advance).sum::<usize>().saturating_sub(1)
}

/// Longest beginning of a text that fits into a width, cut at a space where there is one, and what is left.
pub fn wrapped(text: &str, room: usize) -> (&str, &str) {
    let (mut used, mut space) = (0, None);
    for (place, byte) in text.bytes().enumerate() {
        if byte == b'\n' {
            return (text.get(..place).unwrap_or(text), text.get(place + 1..).unwrap_or(""));
        }
        if byte == b' ' {
            space = Some(place);
        }
        used += usize::from(letter(byte).width) + 1;
        if used > room + 1 {
            let cut = space.unwrap_or(place).max(1);
            let (line, rest) = text.split_at_checked(cut).unwrap_or((text, ""));
            return (line, rest.strip_prefix(' ').unwrap_or(rest));
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_ascii_is_drawn_and_none_is_drawn_twice() {
        for one in b'!'..=b'~' {
            assert!(letter(one).rows.iter().any(|&row| row != 0), "{}", char::from(one));
            for other in b'!'..one {
                assert_ne!(letter(one), letter(other), "{} {}", char::from(one), char::from(other));
            }
        }
        assert_eq!(letter(b' ').rows, [0; HEIGHT]);
        assert_eq!(letter(200), letter(b' '));
    }

    #[test]
    fn texts_are_cut_at_spaces_and_lose_nothing() {
        let text = "an unsummon attack sends a unit back to its owner's reinforcements";
        let (mut rest, mut words) = (text, 0);
        while !rest.is_empty() {
            let (line, next) = wrapped(rest, 80);
            assert!(width(line) <= 80, "{line}");
            words += line.split(' ').count();
            rest = next;
        }
        assert_eq!(words, text.split(' ').count());
        assert_eq!(wrapped("one\ntwo", 200), ("one", "two"));
        assert_eq!(wrapped("indivisible", 10), ("in", "divisible"));
    }
}
