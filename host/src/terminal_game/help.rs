//! Help page.

/// Keys and signs, in words; no line is longer than a frame on the narrowest screen holds.
pub(super) const HELP: &str = "\
A turn is yours until you end it. The rules check every action at once, and
u takes it back.

On the boards
  arrows         move the cursor [ ]; Home goes to your necromancer's home
  Tab, 0 to 7    the next board, the board of this number
  Enter, Space   chooses: your piece, then a lit hex; or a free hex on which
                 to place a unit
  Esc            leaves a choice; without one it opens the menu
  n              to your next piece that can still walk or attack, or to the
                 next lit hex
  i              card of the unit under the cursor
  a              all that can be done with the hex: blink, ability, tile ...

The turn
  t              techs: Enter takes a step; buys spells, sells a tech point
  b              buys a unit for this board
  p              places reinforcements
  c              cards: casts, discards, gives cards of the row to boards
  k              the unit to keep, on a board that was reset
  u, U           takes back the last action, the whole turn
  h              a hint: the turn that the engine would play
  :              types an action, as in barrow play --plain; lists the legal
  e              ends the turn

The game
  m              makes the engine play at once
  l, v           turns so far in words; the whole position as text
  L              level of the engine
  s, o           saves the game, goes on with a recorded one
  r              resigns a board or the game
  q, Ctrl-C      quits; asks about what is not saved

What is drawn
  Upper case is Yellow, lower case Blue: Z zombie, N necromancer; i names
  the others. Terrain, behind a piece or alone:
    + graveyard  ~ water  * sorcery node  & teleporter  $ spawner  # wall
    : mist  % earthquake  ^ firestorm  @ whirlwind
  [ ] cursor   = = piece chosen   ( ) a hex to go to   > < a piece to hit
  Techs: . locked  u unlocked  A acquired, Yellow's before Blue's; < is next
";
