//! Cards, piles and races of the second edition as text, in the form of records and of the bot's protocol.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::bot::second_edition::RaceProgram;
use barrow_core::contests::roborally::second_edition::{
    Aside, Damage, DamagePile, Floor, Haywire, Pile, PlayCard, Race, RaceRobot, Rules,
};
use barrow_core::contests::roborally::{Cell, Dock, REGISTERS, ROBOT_CAP};

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

/// The word of a program without cards: the robot shuts down.
const SHUT_DOWN: &str = "shutdown";

/// The words of a robot's program with a space before each.
pub fn order_words(race: &Race, robot: usize, program: &RaceProgram) -> String {
    if race.is_shut_down(robot, program) {
        return format!(" {SHUT_DOWN}");
    }
    words(program.iter().copied().flatten())
}

/// The program of a robot with these words: cards for its free registers, or that it shuts down.
pub fn program_of(race: &Race, robot: usize, words: &[&str]) -> Result<RaceProgram> {
    let mut program = RaceProgram::default();
    let free = race.free_registers(robot);
    if words == [SHUT_DOWN] {
        ensure!(race.rules().has_haywire(), "by the rules of 2016 nobody shuts down");
        ensure!(free != 0, "a robot without a free register cannot shut down");
        return Ok(program);
    }
    ensure!(words.len() == free.count_ones() as usize, "a program has a card for each free register");
    let places = (0..REGISTERS).filter(|place| free >> place & 1 == 1);
    for (place, word) in places.zip(words) {
        program[place] = Some(card(word)?);
    }
    Ok(program)
}

/// Gives a robot the program of these words.
pub fn read_order(race: &mut Race, robot: usize, words: &[&str]) -> Result<()> {
    let program = program_of(race, robot, words)?;
    Ok(race.order(robot, &program)?)
}

/// The word of each Haywire card.
const HAYWIRES: [&str; Haywire::ALL.len()] = [
    "m2-right",
    "m2-left",
    "m1-right-m1",
    "m1-left-m1",
    "m3-uturn",
    "back3",
    "back-uturn",
    "back-scrap",
    "m5",
    "m1-laser",
    "m1-token",
    "turn",
    "face-m1",
    "side2",
    "pay",
    "two",
    "upgrade",
];

/// The Haywire card of a word.
fn haywire(word: &str) -> Result<Haywire> {
    let place = HAYWIRES.iter().position(|&known| known == word);
    let card = place.and_then(|place| Haywire::ALL.get(place).copied());
    card.with_context(|| format!("no Haywire card {word}; they are {}", HAYWIRES.join(" ")))
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

/// The line of a robot: `id x y D nextflag energy`, the number of its damage cards, and `off` for one that returns to the
/// floor there.
pub fn robot_line(race: &Race, id: usize) -> Option<String> {
    let off = if race.is_returning(id) { " off" } else { "" };
    Some(format!("{} {}{off}", place_words(id, &race.robot(id)?), race.damage_cards(id)))
}

fn place_words(id: usize, RaceRobot { place, next_flag, energy, .. }: &RaceRobot) -> String {
    let (x, y, facing) = (place.cell.x(), place.cell.y(), place.facing.letter());
    format!("{id} {x} {y} {facing} {next_flag} {energy}")
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
        let (line, deck, discards) =
            (place_words(id, &robot), pile_words(&robot.deck), pile_words(&robot.discards));
        let off = if robot.returns { " off" } else { "" };
        let _ = writeln!(text, "robot {line}{off}\ndeck {id}{deck}\ndiscards {id}{discards}");
        if !robot.hand.is_empty() {
            let _ = writeln!(text, "kept {id}{}", pile_words(&robot.hand));
        }
        for (register, card) in (1..).zip(robot.haywires) {
            let Some(card) = card else { continue };
            let _ = writeln!(text, "haywire {id} {register} {}", HAYWIRES[card as usize]);
        }
    }
    if race.rules().has_haywire() {
        let gone = race.damage_discards();
        let haywires = gone.haywires().fold(String::new(), |text, card| text + " " + HAYWIRES[card as usize]);
        let _ = writeln!(text, "token {}\ndamage {}{haywires}", race.token(), gone.spam());
        return text + "endstate\n";
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
    token: usize,
    damage: DamagePile,
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
            ["robot", id, x, y, way, next_flag, energy, ref off @ ..] if off.is_empty() || off == ["off"] => {
                ensure!(number::<usize>(id)? == self.robots.len(), "robots come in order");
                ensure!(self.robots.len() < ROBOT_CAP, "a race has at most 8 robots");
                self.robots.push(RaceRobot {
                    place: Dock { cell: spot(x, y)?, facing: direction(way)? },
                    returns: !off.is_empty(),
                    next_flag: number(next_flag)?,
                    energy: number(energy)?,
                    deck: Pile::EMPTY,
                    discards: Pile::EMPTY,
                    hand: Pile::EMPTY,
                    haywires: [None; REGISTERS],
                });
            }
            [pile @ ("deck" | "discards" | "kept"), id, ref cards @ ..] => {
                let robot = self.robots.get_mut(number::<usize>(id)?).context("the robot comes first")?;
                let place = match pile {
                    "deck" => &mut robot.deck,
                    "discards" => &mut robot.discards,
                    _ => &mut robot.hand,
                };
                *place = read_pile(cards)?;
            }
            ["haywire", id, register, word] => {
                let robot = self.robots.get_mut(number::<usize>(id)?).context("the robot comes first")?;
                let register = number::<usize>(register)?.wrapping_sub(1);
                let place = robot.haywires.get_mut(register).context("registers are 1 to 5")?;
                *place = Some(haywire(word)?);
            }
            ["token", id] => self.token = number(id)?,
            ["damage", spam, ref haywires @ ..] => {
                self.damage = DamagePile::EMPTY;
                let spam: u8 = number(spam)?;
                (0..spam).for_each(|_| self.damage.add(Damage::Spam));
                for word in haywires {
                    self.damage.add(Damage::Haywire(haywire(word)?));
                }
            }
            ["cube", x, y] => self.cubes.push(spot(x, y)?),
            _ => bail!(
                "a state has lines robot, deck, discards, cube, and by the rules of 2023 kept, haywire, token, damage; then endstate"
            ),
        }
        Ok(())
    }

    /// The race of the lines read, by the rules of an edition.
    pub fn finish(self, floor: &Floor, rules: &'static Rules) -> Result<Race> {
        let RaceReader { robots, cubes, token, damage } = self;
        Ok(Race::restored(floor, &robots, &Aside { rules, cubes: &cubes, token, damage_discards: damage })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use barrow_core::contests::roborally::second_edition::COURSES;
    use barrow_core::rng::Rng;

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
        let mut dice = Rng::new(4);
        for rules in [&Rules::OF_2016, &Rules::OF_2023] {
            let mut race = Race::by(rules, &floor, 2).expect("docks");
            for turn in 0..20 {
                let text = race_text(&floor, &race);
                let mut reader = RaceReader::default();
                for line in text.lines().filter(|line| !line.ends_with("state")) {
                    reader.line(&line.split_whitespace().collect::<Vec<_>>()).expect(line);
                }
                let read = reader.finish(&floor, rules).expect("its own text");
                assert_eq!((race_text(&floor, &read), turn > 0 || read == race), (text, true));
                race.draw_hands(&mut dice);
                for robot in 0..2 {
                    let hand = race.hand(robot).iter().filter(|&card| card != PlayCard::Again);
                    let free = race.free_registers(robot).count_ones() as usize;
                    race.program(robot, &hand.take(free).collect::<Vec<_>>()).expect("its hand");
                }
                (0..REGISTERS).for_each(|register| race.run_register(&floor, register, &mut dice));
                race.clean_up();
            }
        }
    }
}
