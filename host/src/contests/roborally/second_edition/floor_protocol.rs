//! The bot's line protocol for the second edition (`barrow roborally bot --rules 2016` or `2023`), documented in
//! `docs/roborally.md`: the words are those of the classic session as far as both have a thing.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::roborally::second_edition::{Floor, FloorCourse, HAND, Race, Rules};
use barrow_core::contests::roborally::{Direction, REGISTERS, ROBOT_CAP};
use barrow_core::rng::Rng;
use barrow_session::contests::roborally::robot_text::{direction, number};

use super::floor::TabledFloor;
use super::floor_player::RacePlayer;
use super::floor_player_spec::RacePlayerSpec;
use super::race_text::{RaceReader, order_words, race_text, read_order, read_pile, robot_lines, words};
use crate::contests::roborally::board_text::BoardReader;
use crate::contests::roborally::choice::{Hint, Limits, read_limits};
use crate::contests::roborally::inbox::{HELLO, Inbox, READY};
use crate::contests::roborally::picture;
use crate::contests::roborally::player_spec::PlayerSpec;
use crate::contests::roborally::protocol::{COMMANDS, misplaced};
use crate::text::quoted::shortened;

/// A floor or a race of which some lines were read.
enum Gathering {
    Floor(Box<BoardReader>),
    Race(RaceReader),
    /// The rest of a floor or a race of which a line was invalid.
    Rest,
}

/// Session of the protocol: the player and all that the host has sent.
pub struct FloorSession<W> {
    output: W,
    inbox: Inbox,
    player: RacePlayer,
    dice: Rng,
    rules: &'static Rules,
    course: Option<TabledFloor>,
    race: Option<Race>,
    you: usize,
    /// Registers that were run of the turn that this session is the referee of; `None` between clean-up and deal.
    run: Option<usize>,
    gathering: Option<Gathering>,
}

/// Runs a session until `quit` or the end of the input.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    (spec, rules): (&PlayerSpec, &'static Rules),
    seed: u64,
) -> Result<()> {
    let mut session = FloorSession::new(output, (read_player(spec)?, rules), seed);
    session.inbox = Inbox::reading(input);
    while let Some(line) = session.inbox.next().context("stdin")? {
        if !session.handle(&line).context("standard output")? {
            break;
        }
    }
    Ok(())
}

/// Whether a word begins commands of this protocol.
fn is_command(word: &str) -> bool {
    word == "face" || COMMANDS.contains(&word) && !["stay", "reenter", "entry"].contains(&word)
}

fn read_player(spec: &PlayerSpec) -> Result<RacePlayerSpec> {
    ensure!(!matches!(spec, PlayerSpec::Program(_)), "cmd: plays in the arena only");
    RacePlayerSpec::try_from(spec)
}

impl<W: Write> FloorSession<W> {
    /// A session before its first line.
    pub fn new(output: W, (spec, rules): (RacePlayerSpec, &'static Rules), seed: u64) -> FloorSession<W> {
        FloorSession {
            output,
            inbox: Inbox::closed(),
            player: RacePlayer::new(spec),
            dice: Rng::new(seed),
            rules,
            course: None,
            race: None,
            you: 0,
            run: None,
            gathering: None,
        }
    }

    /// The stream of answers.
    pub fn output(&mut self) -> &mut W {
        &mut self.output
    }

    /// Executes a line and writes the answer. Returns whether the session goes on; fails if the answer cannot be written.
    pub fn handle(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["quit"] {
            return Ok(false);
        }
        match self.obey(line, &words) {
            Ok(answer) => self.output.write_all(answer.as_bytes())?,
            Err(error) => writeln!(self.output, "error: {}", shortened(&format!("{error:#}")))?,
        }
        self.output.flush()?;
        Ok(true)
    }

    fn obey(&mut self, line: &str, words: &[&str]) -> Result<String> {
        if self.gathering.is_some() {
            return self.gather(line, words).map(|()| String::new());
        }
        match *words {
            [] | ["stop"] => {}
            ["rules", year] => self.change_rules(year)?,
            ["roborally"] => return Ok(HELLO.to_owned()),
            ["isready"] => return Ok(READY.to_owned()),
            ["player", spec] => self.player = RacePlayer::new(read_player(&spec.parse()?)?),
            ["seed", seed] => self.dice = Rng::new(number(seed)?),
            ["course", name] => {
                let course = FloorCourse::named(name).with_context(|| format!("no course {name}"))?;
                self.lay(course.floor()?);
            }
            ["board"] => self.gathering = Some(Gathering::Floor(Box::default())),
            ["state"] => {
                self.course()?;
                self.gathering = Some(Gathering::Race(RaceReader::default()));
            }
            ["race", robots] => {
                let race = Race::by(self.rules, &self.course()?.floor, number(robots)?)?;
                self.begin(&race);
            }
            ["you", id] => {
                let id = number(id)?;
                ensure!(id < ROBOT_CAP, "robots are 0 to 7");
                self.you = id;
            }
            ["hand", ref cards @ ..] => {
                ensure!(self.run.is_none(), "the hands are dealt");
                let hand = read_pile(cards)?;
                ensure!(hand.len() == HAND, "a hand has {HAND} cards, not {}", hand.len());
                let you = self.you;
                let race = self.race_mut()?;
                let mut given = *race;
                given.conceal_hands(usize::MAX);
                given.set_hand(you, &hand)?;
                *race = given;
            }
            ["face", id, way] => {
                let facing: Option<Direction> = if way == "-" { None } else { Some(direction(way)?) };
                self.race_mut()?.face_after_reboot(number(id)?, facing);
            }
            ["go", ref limits @ ..] => return self.go(limits),
            ["getstate"] => return Ok(race_text(&self.course()?.floor, self.race()?)),
            ["show"] => return Ok(picture::draw_race(&self.course()?.floor, self.race.as_ref())),
            ["deal"] => return self.deal(),
            ["program", id, ref cards @ ..] => {
                ensure!(self.run == Some(0), "the deal comes first: deal");
                let id = number(id)?;
                ensure!(!self.race()?.is_programmed(id), "robot {id} has its program");
                read_order(self.race_mut()?, id, cards)?;
            }
            ["register"] => return self.register(),
            ["cleanup"] => {
                let run = self.run.context("the deal comes first: deal")?;
                ensure!(run == REGISTERS || self.race()?.positions().is_over(), "the registers come first");
                return self.clean_up();
            }
            ["turn"] => {
                let run = self.run.context("the deal comes first: deal")?;
                for _ in run..REGISTERS {
                    if !self.race()?.positions().is_over() {
                        self.register()?;
                    }
                }
                return self.clean_up();
            }
            [word, ..] if is_command(word) => bail!(misplaced(word)),
            [word, ..] => bail!("unknown command {word}"),
        }
        Ok(String::new())
    }

    fn deal(&mut self) -> Result<String> {
        ensure!(self.run.is_none(), "the turn is not over: program, turn or register, cleanup");
        let mut race = *self.race()?;
        ensure!(!race.positions().is_over(), "the race is over");
        race.conceal_hands(usize::MAX);
        race.draw_hands(&mut self.dice);
        self.race = Some(race);
        self.run = Some(0);
        let dealt = 0..race.positions().robots();
        Ok(dealt.fold(String::new(), |text, id| format!("{text}dealt {id}{}\n", words(race.hand(id).iter()))))
    }

    fn register(&mut self) -> Result<String> {
        let run = self.run.context("the deal comes first: deal")?;
        ensure!(run < REGISTERS, "all registers are run: cleanup");
        let (course, race) = self.both()?;
        ensure!(!race.positions().is_over(), "the race is over");
        let idle = (0..race.positions().robots()).find(|&id| !race.is_programmed(id));
        if let Some(idle) = idle {
            bail!("robot {idle} has no program: program {idle} CARD...");
        }
        let mut after = *race;
        let mut dice = self.dice.clone();
        after.run_register(&course.floor, run, &mut dice);
        (self.race, self.dice, self.run) = (Some(after), dice, Some(run + 1));
        let end = if after.positions().is_over() { winner(&after) } else { String::new() };
        Ok(format!("register {}\n{}{end}", run + 1, robot_lines(&after, "robot ")))
    }

    fn clean_up(&mut self) -> Result<String> {
        let race = self.race_mut()?;
        race.clean_up();
        let end = if race.positions().is_over() { winner(race) } else { String::new() };
        let said = format!("turn {}\n{}{end}", race.positions().turn(), robot_lines(race, "robot "));
        self.run = None;
        Ok(said)
    }

    fn go(&mut self, limits: &[&str]) -> Result<String> {
        let (budget, wanted) = read_limits(limits)?;
        let (Some(course), Some(race)) = (&self.course, &self.race) else {
            bail!("board and race come first: course NAME, race ROBOTS")
        };
        ensure!(!race.positions().is_over(), "the race is over");
        ensure!(race.hand(self.you).len() == HAND, "robot {} has no hand: hand CARD...", self.you);
        let (inbox, output) = (&mut self.inbox, &mut self.output);
        let mut stopped = false;
        let mut is_stopped = || {
            stopped = stopped || inbox.ends_decision(output);
            stopped
        };
        let limits = Limits { budget, is_stopped: &mut is_stopped, hints: wanted };
        let choice = self.player.choose(limits, course, race, self.you, &mut self.dice)?;
        let effort = choice.effort;
        let mut said =
            format!("info playouts {} turns {} value {}\n", effort.playouts, effort.turns, choice.value);
        for (rank, Hint { program, value, playouts }) in (1..).zip(&choice.hints).take(wanted) {
            let program = order_words(race, self.you, program);
            let _ = writeln!(said, "hint {rank} value {value} playouts {playouts} program{program}");
        }
        let _ = writeln!(said, "program{}", order_words(race, self.you, &choice.program));
        Ok(said)
    }

    /// Reads a line of a floor or a race. An invalid line drops the new one with the rest of its lines, and keeps the
    /// old one.
    fn gather(&mut self, line: &str, words: &[&str]) -> Result<()> {
        let ends = matches!(words, ["endboard" | "endstate"]);
        let read = self.gathering.take().map_or(Ok(None), |gathering| self.read(gathering, line, words));
        match read {
            Ok(gathering) => {
                self.gathering = gathering;
                Ok(())
            }
            Err(error) => {
                self.gathering = (!ends).then_some(Gathering::Rest);
                Err(error)
            }
        }
    }

    /// Lines still to be read after a line.
    fn read(&mut self, gathering: Gathering, line: &str, words: &[&str]) -> Result<Option<Gathering>> {
        match (gathering, words) {
            (Gathering::Floor(reader), ["endboard"]) => self.lay(reader.finish_floor()?),
            (Gathering::Floor(mut reader), _) => {
                reader.line(line)?;
                return Ok(Some(Gathering::Floor(reader)));
            }
            (Gathering::Race(reader), ["endstate"]) => {
                let race = reader.finish(&self.course()?.floor, self.rules)?;
                self.begin(&race);
            }
            (Gathering::Race(mut reader), _) => {
                reader.line(words)?;
                return Ok(Some(Gathering::Race(reader)));
            }
            (Gathering::Rest, ["endboard" | "endstate"]) => {}
            (Gathering::Rest, _) => return Ok(Some(Gathering::Rest)),
        }
        Ok(None)
    }

    /// Takes the rules of a year. The floor stays; by other rules the race is forgotten.
    fn change_rules(&mut self, year: &str) -> Result<()> {
        let rules =
            Rules::of(year).context("a session of the second edition has the rules of 2016 or 2023")?;
        if rules != self.rules {
            self.rules = rules;
            if let Some(course) = self.course.take() {
                self.lay(course.floor);
            }
        }
        Ok(())
    }

    fn lay(&mut self, floor: Floor) {
        self.course = Some(TabledFloor::by(self.rules, floor));
        (self.race, self.run) = (None, None);
    }

    fn begin(&mut self, race: &Race) {
        (self.race, self.run) = (Some(*race), None);
    }

    fn course(&self) -> Result<&TabledFloor> {
        self.course.as_ref().context("the board comes first: course NAME, or board")
    }

    fn race(&self) -> Result<&Race> {
        self.race.as_ref().context("the race comes first: race ROBOTS, or state")
    }

    fn race_mut(&mut self) -> Result<&mut Race> {
        self.race.as_mut().context("the race comes first: race ROBOTS, or state")
    }

    fn both(&self) -> Result<(&TabledFloor, &Race)> {
        Ok((self.course()?, self.race()?))
    }
}

/// The line about the end of a race.
fn winner(race: &Race) -> String {
    race.positions().winner().map_or_else(|| "over\n".to_owned(), |winner| format!("winner {winner}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &str) -> String {
        let spec: PlayerSpec = "random".parse().expect("a player");
        let mut session =
            FloorSession::new(Vec::new(), (read_player(&spec).expect("a player"), &Rules::OF_2016), 1);
        for line in lines.lines() {
            session.handle(line).expect("memory does not fail");
        }
        String::from_utf8(session.output().clone()).expect("text")
    }

    const HAND_LINE: &str = "hand 3*m1 m2 back left right power again";

    #[test]
    fn a_program_of_the_hand_is_chosen() {
        let said = talk(&format!("course river\nrace 3\nyou 1\n{HAND_LINE}\ngo"));
        let last = said.lines().last().expect("an answer");
        let cards: Vec<&str> = last.split(' ').skip(1).collect();
        assert!(last.starts_with("program ") && cards.len() == 5 && cards[0] != "again", "{said}");
        let pile = read_pile(&cards).expect("cards");
        let hand = read_pile(&HAND_LINE.split(' ').skip(1).collect::<Vec<_>>()).expect("cards");
        assert!(pile.iter().all(|card| pile.count(card) <= hand.count(card)), "{said}");
    }

    #[test]
    fn the_session_is_a_referee() {
        for rules in [&Rules::OF_2016, &Rules::OF_2023] {
            referee(rules);
        }
    }

    fn referee(rules: &'static Rules) {
        let mut session = FloorSession::new(Vec::new(), (RacePlayerSpec::Plain(best()), rules), 5);
        let mut say = |line: &str| {
            session.output.clear();
            session.handle(line).expect("memory does not fail");
            String::from_utf8(session.output.clone()).expect("text")
        };
        assert_eq!(say("course vault") + &say("race 2"), "");
        // A state that is told begins to count turns anew.
        for _ in 1..=40 {
            let dealt = say("deal");
            assert_eq!(dealt.lines().count(), 2, "{dealt}");
            assert!(say("register").starts_with("error: robot 0 has no program"));
            for robot in 0..2 {
                say(&format!("you {robot}"));
                let go = say("go");
                let program =
                    go.lines().last().and_then(|line| line.strip_prefix("program ")).expect("cards");
                assert_eq!(say(&format!("program {robot} {program}")), "");
            }
            assert!(say("register").starts_with("register 1\nrobot 0 "));
            let said = say("turn");
            assert!(said.starts_with("turn 1\nrobot 0 "), "{said}");
            if said.contains("winner") {
                return;
            }
            let state = say("getstate");
            for line in state.lines() {
                assert_eq!(say(line), "", "{line}");
            }
            assert_eq!(say("getstate"), state);
        }
        panic!("a race of forty turns");
    }

    fn best() -> barrow_core::contests::roborally::bot::Strategy {
        barrow_core::contests::roborally::bot::Strategy::Best
    }

    #[test]
    fn known_commands_with_other_words_are_told_from_unknown_ones() {
        let said = talk("seed 1 2\nface 0\nentry\nfly\nquit");
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[..2], ["seed", "face"].map(|word| format!("error: {}", misplaced(word))));
        assert_eq!(lines[2..], ["error: unknown command entry", "error: unknown command fly"]);
    }

    #[test]
    fn bad_lines_change_nothing() {
        let said = talk(&format!(
            "go\nhand m1\ncourse moon\ncourse river\nrace 9\nrace 2\nhand 9*m1\n{HAND_LINE}\nregister\nprogram 0 m1\n\
             player mc\nface 0 Q\nstate\nrobot 0 0 0 N 1 5\nfly\nmore\nendstate\ncleanup\nrules classic\nyou 8\ngo fast\ngo"
        ));
        let errors = said.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, said.lines().count() - 2, "{said}");
        assert_eq!(errors, 14, "{said}");
        assert!(said.lines().last().is_some_and(|line| line.starts_with("program ")), "{said}");
    }
}
