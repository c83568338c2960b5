//! Cards, piles and races of the second edition as text, in the form of records and of the bot's protocol.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::bot::second_edition::RaceProgram;
use barrow_core::contests::roborally::second_edition::{Floor, Pile, PlayCard, Race, RaceRobot};
use barrow_core::contests::roborally::{Cell, Dock, ROBOT_CAP};

use barrow_session::contests::roborally::robot_text::{direction, number};

/// The word of each card.
const WORDS: [&str; PlayCard::ALL.len()] =
    ["m1", "m2", "m3", "back", "left", "right", "uturn", "power", "again", "spam", "trojan", "virus", "worm"];

/// The word of a card.
pub fn word(card: PlayCard) -> &'static str {
    WORDS[card as usize]
}

/// The card of a word.
pub fn card(word: &str) -> Result<PlayCard> {
    let place = WORDS.iter().position(|&known| known == word);
    let card = place.and_then(|place| PlayCard::ALL.get(place).copied());
    card.with_context(|| format!("no card {word}; cards are {}", WORDS.join(" ")))
}

/// The words of some cards with a space before each.
pub fn words(cards: impl IntoIterator<Item = PlayCard>) -> String {
    cards.into_iter().fold(String::new(), |text, card| text + " " + word(card))
}

/// The words of a program with a space before each.
pub fn program_words(program: &RaceProgram) -> String {
    words(program.iter().copied().flatten())
}

/// The words of a pile with a space before each: `5*m1` for five cards of a kind.
pub fn pile_words(pile: &Pile) -> String {
    let kinds = PlayCard::ALL.into_iter().filter(|&card| pile.count(card) > 0);
    kinds.fold(String::new(), |text, card| match pile.count(card) {
        1 => text + " " + word(card),
        count => format!("{text} {count}*{}", word(card)),
    })
}

/// Most cards of a kind in a pile that is read.
const KIND_CAP: u8 = 99;

/// Reads a pile from its words; a word may come several times.
pub fn read_pile(words: &[&str]) -> Result<Pile> {
    let mut pile = Pile::EMPTY;
    for word in words {
        let (count, word) = match word.split_once('*') {
            Some((count, word)) => (number(count)?, word),
            None => (1, *word),
        };
        let card = card(word)?;
        ensure!(count <= KIND_CAP - pile.count(card).min(KIND_CAP), "too many cards {word}");
        (0..count).for_each(|_| pile.add(card));
    }
    Ok(pile)
}

/// The line of a robot: `id x y D nextflag energy`, and the number of its damage cards.
pub fn robot_line(race: &Race, id: usize) -> Option<String> {
    let RaceRobot { place, next_flag, energy, .. } = race.robot(id)?;
    let (x, y, facing) = (place.cell.x(), place.cell.y(), place.facing.letter());
    Some(format!("{id} {x} {y} {facing} {next_flag} {energy} {}", race.damage_cards(id)))
}

/// The lines of all robots, with a word before each.
pub fn robot_lines(race: &Race, before: &str) -> String {
    let lines = (0..race.positions().robots()).filter_map(|id| robot_line(race, id));
    lines.fold(String::new(), |text, line| format!("{text}{before}{line}\n"))
}

/// The lines of a race between two turns, `state` to `endstate`.
pub fn race_text(floor: &Floor, race: &Race) -> String {
    let mut text = "state\n".to_owned();
    for id in 0..race.positions().robots() {
        let Some(robot) = race.robot(id) else { continue };
        // The number of damage cards follows from the piles.
        let line = robot_line(race, id).unwrap_or_default();
        let line = line.rsplit_once(' ').map_or("", |(line, _)| line);
        let (deck, discards) = (pile_words(&robot.deck), pile_words(&robot.discards));
        let _ = writeln!(text, "robot {line}\ndeck {id}{deck}\ndiscards {id}{discards}");
    }
    let spaces = floor.energy().iter().enumerate();
    for (_, cell) in spaces.filter(|(space, _)| race.has_cube(*space)) {
        let _ = writeln!(text, "cube {} {}", cell.x(), cell.y());
    }
    text + "endstate\n"
}

/// A reader of the lines of a race, without `state` and `endstate`.
#[derive(Default)]
pub struct RaceReader {
    robots: Vec<RaceRobot>,
    cubes: Vec<Cell>,
}

impl RaceReader {
    /// Reads the words of the next line.
    pub fn line(&mut self, words: &[&str]) -> Result<()> {
        let spot = |x: &str, y: &str| -> Result<Cell> {
            let (x, y): (u8, u8) = (number(x)?, number(y)?);
            ensure!(x < 32 && y < 32, "that is outside the board");
            Ok(Cell::new(x as i8, y as i8))
        };
        match *words {
            [] => {}
            ["robot", id, x, y, way, next_flag, energy] => {
                ensure!(number::<usize>(id)? == self.robots.len(), "robots come in order");
                ensure!(self.robots.len() < ROBOT_CAP, "a race has at most 8 robots");
                self.robots.push(RaceRobot {
                    place: Dock { cell: spot(x, y)?, facing: direction(way)? },
                    next_flag: number(next_flag)?,
                    energy: number(energy)?,
                    deck: Pile::EMPTY,
                    discards: Pile::EMPTY,
                });
            }
            [pile @ ("deck" | "discards"), id, ref cards @ ..] => {
                let robot = self.robots.get_mut(number::<usize>(id)?).context("the robot comes first")?;
                let cards = read_pile(cards)?;
                *(if pile == "deck" { &mut robot.deck } else { &mut robot.discards }) = cards;
            }
            ["cube", x, y] => self.cubes.push(spot(x, y)?),
            _ => bail!("a state has lines robot, deck, discards and cube, and ends with endstate"),
        }
        Ok(())
    }

    /// The race of the lines read.
    pub fn finish(self, floor: &Floor) -> Result<Race> {
        Ok(Race::from_robots(floor, &self.robots, &self.cubes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use barrow_core::contests::roborally::second_edition::COURSES;

    #[test]
    fn piles_are_read_again() {
        let text = pile_words(&Pile::DECK);
        assert_eq!(text, " 5*m1 3*m2 m3 back 3*left 3*right uturn power 2*again");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(read_pile(&words).expect("its own words"), Pile::DECK);
        assert_eq!(read_pile(&["spam", "2*spam"]).expect("damage").count(PlayCard::Spam), 3);
        for bad in ["m4", "x*m1", "100*m1", "*", "-1*m1"] {
            assert!(read_pile(&[bad]).is_err(), "{bad}");
        }
        assert!(PlayCard::ALL.into_iter().all(|each| card(word(each)).is_ok_and(|read| read == each)));
    }

    #[test]
    fn races_are_read_again() {
        let floor = COURSES[3].floor().expect("a course");
        let race = Race::new(&floor, 2).expect("docks");
        let text = race_text(&floor, &race);
        let mut reader = RaceReader::default();
        for line in text.lines().filter(|line| !line.ends_with("state")) {
            reader.line(&line.split_whitespace().collect::<Vec<_>>()).expect(line);
        }
        assert_eq!(reader.finish(&floor).expect("its own text"), race, "{text}");
    }
}
