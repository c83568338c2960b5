//! The help page.

/// Keys and signs, in words.
pub(super) const HELP: &str = "\
A turn is yours until you end it: every action is checked by the rules at once, and u takes it back.

On the boards
  arrows           move the cursor [ ]; Home goes to your necromancer's home
  Tab, 0 to 7      the next board, the board of this number
  Enter, Space     chooses: your piece, then a lit hex; or a free hex on which to place a unit
  Esc              leaves a choice; without one it opens the menu
  n                to your next piece that can still walk or attack, or to the next lit hex
  i                card of the unit under the cursor
  a                everything that can be done with the hex under the cursor: blink, ability, tile ...

The turn
  t                techs: Enter takes a step; also buys spells and sells the tech point
  b                buys a unit for this board
  p                places reinforcements
  c                cards: casts, discards, gives cards of the row to boards
  k                the unit to keep, on a board that was reset
  u, U             takes back the last action, the whole turn
  h                a hint: the engine's turn
  :                a line: any action, as in `barrow play --plain`; lists what is legal
  e                ends the turn

The game
  m                makes the engine play at once
  l                turns so far in words;  v  the whole position as text
  L                level of the engine
  s, o             saves the game, goes on with a recorded one
  r                resigns a board or the game
  q, Ctrl-C        quits; what is not saved is asked for

What is drawn
  upper case is Yellow, lower case Blue: Z a zombie, N a necromancer; i names the others
  behind a piece, or alone: + graveyard  ~ water  * sorcery node  & teleporter  $ spawner
                            # wall  : mist  % earthquake  ^ firestorm  @ whirlwind
  [ ] cursor    = = the piece chosen    ( ) a hex to go to    > < a piece to hit
  techs: . locked  u unlocked  A acquired, first Yellow's, then Blue's; < comes next for you
";
