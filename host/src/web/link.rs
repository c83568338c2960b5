//! Links to a game: 128 random bits that nobody guesses. The link to watch follows from the link to play, and the store knows
//! neither, only hashes of them: who can read the store cannot play.

use std::fmt;

use sha2::{Digest, Sha256};

/// Bytes of a link.
const BYTES: usize = 16;

/// Link to a game, for playing or for watching.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Link([u8; BYTES]);

/// Hash of a link, by which the store knows a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LinkHash(pub(super) [u8; 32]);

impl Link {
    /// Link that was never used before.
    pub(super) fn random() -> Result<Link, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Link(bytes))
    }

    /// Link of its text, 32 hexadecimal digits in lower case.
    pub(super) fn parse(text: &str) -> Option<Link> {
        let digits: Vec<u8> = text.chars().map(hexadecimal).collect::<Option<_>>()?;
        let (pairs, []) = digits.as_chunks::<2>() else { return None };
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        bytes.try_into().ok().map(Link)
    }

    /// Link to watch the game that this one plays.
    pub(super) fn to_watch(self) -> Link {
        let hash = Sha256::new().chain_update(b"to watch").chain_update(self.0).finalize();
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash[..BYTES]);
        Link(bytes)
    }

    /// Hash of the link.
    pub(super) fn hash(self) -> LinkHash {
        LinkHash(Sha256::digest(self.0).into())
    }
}

/// Digit in lower case, so that a link has one text only.
fn hexadecimal(digit: char) -> Option<u8> {
    let value = digit.to_digit(16).filter(|_| !digit.is_ascii_uppercase());
    value.map(|value| value as u8)
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A link never gets into a log by accident.
impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(..)")
    }
}

/// First digits, enough to tell games apart in a log.
impl fmt::Debug for LinkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_was_written_and_in_no_other_way() {
        let link = Link::random().unwrap();
        let text = link.to_string();
        assert_eq!((text.len(), Link::parse(&text)), (32, Some(link)));
        let upper = "ABCDEF0123456789ABCDEF0123456789";
        for other in [
            "",
            "0",
            &text[1..],
            &format!("{text}0"),
            &format!("{text}00"),
            upper,
            "é",
            "../../../../../../../../../../..",
        ] {
            assert_eq!(Link::parse(other), None, "{other}");
        }
    }

    #[test]
    fn links_to_watch_and_to_play_differ_and_none_is_printed() {
        let link = Link::random().unwrap();
        let other = Link::random().unwrap();
        assert!(link != other && link.to_watch() != link && link.to_watch() == link.to_watch());
        assert!(link.hash() != link.to_watch().hash());
        assert_eq!(format!("{link:?}"), "Link(..)");
        assert!(!link.to_string().contains(&format!("{:?}", link.hash())));
    }
}
