//! Help of a session for a person who types to it.

/// Greeting on a terminal, before the first line is read.
pub(super) const GREETING: &str =
    "The start position is that of barrow play. Type help for the commands, quit to leave.";

/// Answer to `help`.
pub(super) const HELP: &str = "\
umi                         name, options, umiok
isready                     readyok as soon as a search can begin
setoption name N value V    changes an option; umi lists them
uminewgame                  begins a new game
config P MAPS TECHS         points to win, maps and techs, such as 1 AllLand S,P,W
position startpos           start position of the configuration
position fen FEN            position in FEN
display                     draws the position
getfen                      position as FEN
eval                        win chance by the hand-written value
go LIMITS                   searches and prints a turn
play LIMITS                 the same, and plays the turn
auto LIMITS                 plays both sides to the end of the game
   limits: movetime MS, nodes N, wtime MS, btime MS, winc MS, binc MS, movestogo N, infinite, ponder
stop                        ends the search and prints its turn
ponderhit                   the expected turn was played: the clock of a search with ponder runs
turn, action ..., endturn   enters a turn, action by action
perft BOARD                 counts the distinct minimal attacks on a board
bench [NODES]               fixed work: speed and signature
quit                        ends the session";
