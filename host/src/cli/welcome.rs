//! First steps: what the program says on a terminal when no command is named, and the order of commands in its help.

use clap::Command;

/// Commands in the order in which a user meets them; any others follow.
const ORDER: [&str; 15] = [
    "play", "analyze", "show", "eval", "rules", "umi", "analysis", "match", "check", "replay", "convert",
    "bench", "perft", "attack", "selfplay",
];

/// Text for a terminal without a command.
pub(super) const FIRST_STEPS: &str = "\
Barrow, an engine for the board game Minions. First steps:

  barrow play                     a game against the engine
  barrow show                     draws the start position
  barrow show --board 0 --from d1   where a piece can go, and whom it can attack
  barrow rules unit zombie        what a unit can do; rules spell, rules techs
  barrow analyze                  values the start position and proposes a turn
  barrow analyze FEN              the same for another position, which `fen` in a game and `getfen` in UMI print
  barrow analyze --game FILE      goes through a recorded game and marks mistakes
  barrow match --a builtin:mcts --b builtin:greedy --games 2
                                  games between players, other engines among them
  barrow umi                      the protocol of user interfaces and servers

barrow --help lists all commands, barrow COMMAND --help explains one.
";

/// The command line with its commands in the order of their use.
pub(super) fn ordered(command: Command) -> Command {
    let known = ORDER.iter().filter(|name| command.find_subcommand(name).is_some());
    let known: Vec<&str> = known.copied().collect();
    known.into_iter().zip(1..).fold(command, |command, (name, place)| {
        command.mut_subcommand(name, |below| below.display_order(place))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn first_steps_are_commands_that_there_are() {
        let lines: Vec<&str> =
            FIRST_STEPS.lines().filter_map(|line| line.strip_prefix("  barrow ")).collect();
        assert!(lines.len() > 8, "{lines:?}");
        for line in lines {
            let words = line.split("  ").next().unwrap().split(' ');
            let parsed = super::super::Arguments::command()
                .try_get_matches_from(std::iter::once("barrow").chain(words));
            assert!(parsed.is_ok(), "{line}: {parsed:?}");
        }
    }

    #[test]
    fn commands_stand_in_the_order_of_their_use() {
        let help = ordered(super::super::Arguments::command()).render_help().to_string();
        let place =
            |name: &str| help.find(&format!("\n  {name} ")).unwrap_or_else(|| panic!("{name}: {help}"));
        assert!(ORDER.is_sorted_by_key(|name| place(name)), "{help}");
        assert!(place("selfplay") < place("train"), "{help}");
    }
}
