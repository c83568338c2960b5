/* C interface of the Barrow engine. Made by cbindgen of host/capi/src: change it there.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Every object is a handle in memory that the caller gives. `barrow_..._size` tells how many bytes a handle needs; their
 * address must be divisible by `barrow_alignment()`. The memory belongs to the handle until `barrow_close`; nothing allocates,
 * and a handle that is closed needs no further care. A handle must not be copied or moved.
 *
 * Functions return a status: BARROW_OK (0) or above if the call did what it says, below 0 if it failed. A failed call has
 * changed nothing, except that a text that does not fit was written as far as it fits and its whole length was told, that
 * `barrow_..._open` sets the handle to null, and what is said of a function. `barrow_error_text` tells more. Sizes, versions,
 * the alignment and the texts of statuses are returned as they are.
 *
 * Texts are UTF-8 with a length in bytes, or with BARROW_TERMINATED as their length if they end with a zero byte. Texts that
 * are written end with a zero byte; with a null buffer only their length is told.
 *
 * One handle is used by one thread at a time; different handles do not know each other. `barrow_search_stop` alone may be called
 * at any time, by another thread or an interrupt. There is no state beside handles.
 *
 * The caller promises for every pointer that is not null: what is lent can be read, what is given to be written to can be
 * written to, for as many bytes as were said; nobody else changes either during the call, or, where it says so, for longer.
 * A pointer to a handle points to a handle, open or closed, or to memory of 256 bytes at least in which there is none.
 * Whatever else can be wrong is answered by a status: null, misaligned or overlapping memory, too little of it, a handle of
 * another kind, closed, copied or in use, a text that is not UTF-8.
 */


#ifndef BARROW_H
#define BARROW_H

#include <stddef.h>
#include <stdint.h>

/* Length of a text that ends with a zero byte. */
#define BARROW_TERMINATED SIZE_MAX

/**
 * Win chance that is certain.
 */
#define BARROW_CERTAIN 65536

/**
 * Index that stands for the general, where otherwise a board's index stands.
 */
#define BARROW_GENERAL 4294967295

/**
 * Winner of a game that nobody has won.
 */
#define BARROW_NOBODY -1

/**
 * Words of memory with which the boards of ordinary games can be planned on; 0 stands for them.
 */
#define BARROW_PLANNER_WORDS 51200

/**
 * Version of the binary interface. Functions and codes may be added under the same version; whatever else changes makes
 * a new one, and a new soname.
 */
#define BARROW_ABI_VERSION 1

/**
 * Handle of a game: a position with its configuration, and a log of the actions that were applied in the present turn.
 */
typedef struct BarrowGame BarrowGame;

/**
 * Handle of a network.
 */
typedef struct BarrowNet BarrowNet;

/**
 * Handle of a planner of attacks.
 */
typedef struct BarrowPlanner BarrowPlanner;

/**
 * Handle of a search.
 */
typedef struct BarrowSearch BarrowSearch;

/**
 * Outcome of a call: 0 and above if it did what it says, below 0 if nothing was done. Unknown codes of later versions
 * keep this meaning of their sign.
 */
typedef int32_t BarrowStatus;

/**
 * Numbers of a position. Later versions may have more of them at the end.
 */
typedef struct BarrowFacts {
  /**
   * Key of the position: equal positions of one configuration have equal keys.
   */
  uint64_t key;
  /**
   * Number of boards, 1 to 8.
   */
  uint32_t boards;
  /**
   * Turns played. Under the ruleset `spooky` the turn that decides the game is not counted.
   */
  uint32_t turns;
  /**
   * Side to move: 0 for Yellow, 1 for Blue. Once a game is won under the ruleset `spooky`, the side whose turn has decided it.
   */
  int32_t side;
  /**
   * Winner of the game, or `BARROW_NOBODY`.
   */
  int32_t winner;
  /**
   * 1 if the game is over.
   */
  uint32_t over;
  /**
   * 1 if the game was drawn.
   */
  uint32_t drawn;
  /**
   * Board points of each side.
   */
  uint32_t points[2];
  /**
   * Board points that win.
   */
  uint32_t points_to_win;
  /**
   * Souls of each side.
   */
  uint32_t souls[2];
  /**
   * Tech points that are left to the side to move.
   */
  uint32_t tech_points;
  /**
   * Actions that can be undone.
   */
  uint32_t applied;
  /**
   * 0; of use to later versions.
   */
  uint32_t reserved;
} BarrowFacts;

/**
 * Statistics of a search. Later versions may have more of them at the end.
 */
typedef struct BarrowStatistics {
  /**
   * Nodes so far, each the value of one position.
   */
  uint64_t nodes;
  /**
   * Length of the longest path, in turns.
   */
  uint32_t depth;
  /**
   * Use of the fullest memory in thousandths.
   */
  uint32_t fullness;
  /**
   * Turns that were found for the position, at most 64 of them.
   */
  uint32_t turns;
  /**
   * Win chance of the side to move, 0 to `BARROW_CERTAIN`; -1 before the first node.
   */
  int32_t win;
} BarrowStatistics;

/**
 * Statistics of a turn that a search has found. Later versions may have more of them at the end.
 */
typedef struct BarrowTurn {
  /**
   * Win chance after the turn of the side that makes it, 0 to `BARROW_CERTAIN`.
   */
  int32_t win;
  /**
   * Visits of the turn.
   */
  uint32_t visits;
  /**
   * 1 if the turn wins the game at once.
   */
  uint32_t wins;
  /**
   * 0; of use to later versions.
   */
  uint32_t reserved;
} BarrowTurn;

/**
 * The call did what it says.
 */
#define BARROW_OK 0

/**
 * A search has reached its limit of nodes, or nothing more can be done in its memory.
 */
#define BARROW_FINISHED 1

/**
 * A search has found its stop flag set.
 */
#define BARROW_STOPPED 2

/**
 * No attack is left that is not forbidden.
 */
#define BARROW_NO_MORE 3

/**
 * Planning has used up its effort without an answer, or cannot know all attacks of a board.
 */
#define BARROW_UNKNOWN 4

/**
 * A pointer is null that may not be.
 */
#define BARROW_NULL -1

/**
 * An address is not aligned as it must be.
 */
#define BARROW_MISALIGNED -2

/**
 * The memory for a handle is too small.
 */
#define BARROW_MEMORY_TOO_SMALL -3

/**
 * A text does not fit into its buffer; what fits was written, and the length tells how much there is.
 */
#define BARROW_BUFFER_TOO_SMALL -4

/**
 * A buffer reaches into the memory of a handle or of another output, or a handle was given twice.
 */
#define BARROW_OVERLAP -5

/**
 * The pointer is no open handle of the kind that the function takes.
 */
#define BARROW_WRONG_HANDLE -6

/**
 * The handle is in use by another call that has not returned.
 */
#define BARROW_BUSY -7

/**
 * A text is not UTF-8.
 */
#define BARROW_NOT_UTF8 -8

/**
 * A text cannot be read; the text of the error says where and why.
 */
#define BARROW_UNREADABLE -9

/**
 * The rules forbid it; the text of the error says why.
 */
#define BARROW_ILLEGAL -10

/**
 * The game is over.
 */
#define BARROW_GAME_OVER -11

/**
 * A number is out of its range: a board, a rank, a length.
 */
#define BARROW_RANGE -12

/**
 * Memory of a handle is full: the undo log, or what planner or search work in.
 */
#define BARROW_CAPACITY -13

/**
 * The bytes are no network for this library; the text of the error says why.
 */
#define BARROW_BAD_NET -14

/**
 * The call comes too early: something has to be set, begun or applied before.
 */
#define BARROW_TOO_EARLY -15

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Evaluates the position by a network, or by hand-written rules if the network is null. `win` gets the win chance of the side
 * to move, 0 to `BARROW_CERTAIN`; `error`, which may be null, how far it is to be expected from the value of a short search, in
 * the same unit.
 */
BarrowStatus barrow_evaluate(struct BarrowGame *game,
                             struct BarrowNet *net,
                             int32_t *win,
                             int32_t *error);

/**
 * Bytes of memory for a game in which so many actions of a turn can be applied one by one; 256 are ample. Turns that are
 * played as a whole need none of it.
 */
size_t barrow_game_size(uint32_t actions);

/**
 * Opens a game in the caller's memory: the default game at its start.
 */
BarrowStatus barrow_game_open(void *memory, size_t size, uint32_t actions, struct BarrowGame **game);

/**
 * Sets up a start position.
 *
 * The ruleset is `server` or `spooky`, the configuration `<points> <map>,... <tech>,...` as in UMI (`2 AllLand S,P,W`); without
 * text they are `server` and the default game of two boards. The seed determines the order of the cards.
 */
BarrowStatus barrow_game_start(struct BarrowGame *game,
                               const char *ruleset,
                               size_t ruleset_length,
                               const char *config,
                               size_t config_length,
                               uint64_t seed);

/**
 * Reads a position in FEN, in Spooky's form or extended (`docs/spec/fen.md`). A text without a configuration of its own is
 * read under that of the game. The seed determines the order of cards that the text does not name.
 */
BarrowStatus barrow_game_read(struct BarrowGame *game,
                              const char *fen,
                              size_t fen_length,
                              uint64_t seed);

/**
 * Writes the position as FEN: with `extended` not 0 everything that belongs to it, configuration and cards included, else
 * Spooky's form.
 */
BarrowStatus barrow_game_write(struct BarrowGame *game,
                               uint32_t extended,
                               char *buffer,
                               size_t capacity,
                               size_t *length);

/**
 * Makes a game equal to another one. What was applied to either can no longer be undone in the copy.
 */
BarrowStatus barrow_game_copy(struct BarrowGame *game, struct BarrowGame *from);

/**
 * Fills in numbers of the position. `size` is the size of the structure that the caller knows; a shorter one gets its
 * beginning, a longer one zeros at its end. `BARROW_RANGE` for a size of 0, above 4,096, or that is no multiple of the
 * structure's alignment.
 */
BarrowStatus barrow_game_facts(struct BarrowGame *game, struct BarrowFacts *facts, size_t size);

/**
 * Lists the legal actions of a board, or of the general for `BARROW_GENERAL`, each as a line of UMI that
 * `barrow_game_apply` takes. `count`, which may be null, gets their number, also where the buffer is too small. Of
 * simultaneous moves the swaps are listed, and neither resigning nor the end of the phase is.
 */
BarrowStatus barrow_game_legal(struct BarrowGame *game,
                               uint32_t board,
                               char *buffer,
                               size_t capacity,
                               size_t *length,
                               uint32_t *count);

/**
 * Applies a line of UMI (`action board 0 move d1e1`) to the position, without ending the turn. On error nothing has changed.
 *
 * Several lines count as one action: they are applied together, and undone together. `turn` before them and `endturn` behind
 * them are passed over; `endturn` without an action before it is refused. `turn` alone, or with the `action tech 0` of a plan
 * in which nobody fights, is an action that does nothing: it is undone as any other. A second line of techs (`action tech`)
 * and a second setup of a board replace the first of the same call, as in a turn.
 */
BarrowStatus barrow_game_apply(struct BarrowGame *game,
                               const char *line,
                               size_t line_length);

/**
 * Undoes what was applied last: the position is bit for bit as before. `BARROW_TOO_EARLY` if nothing is left to undo in this
 * turn.
 */
BarrowStatus barrow_game_undo(struct BarrowGame *game);

/**
 * Ends the turn of the side to move. On error nothing has changed; otherwise nothing can be undone any more.
 */
BarrowStatus barrow_game_end_turn(struct BarrowGame *game);

/**
 * Plays a whole turn in lines of UMI and ends it. `turn` at its beginning and `endturn` at its end may be left out, but a turn
 * without actions needs one of them: a text without a line is refused. On error nothing has changed.
 */
BarrowStatus barrow_game_play(struct BarrowGame *game,
                              const char *turn,
                              size_t turn_length);

/**
 * Writes the turn of the hand-written player Greedy in lines of UMI, and the seed decides between moves of almost equal
 * worth. It works on the stack; `barrow_game_greedy_in` takes memory of the caller instead.
 */
BarrowStatus barrow_game_greedy(struct BarrowGame *game, uint64_t seed, char *buffer, size_t capacity, size_t *length);

/**
 * Bytes of memory that `barrow_game_greedy_in` works in.
 */
size_t barrow_greedy_size(void);

/**
 * Writes the turn of Greedy as `barrow_game_greedy` does, and works in memory of the caller: `barrow_greedy_size()` bytes,
 * aligned as memory for a handle is, which belong to the caller again when the call returns.
 */
BarrowStatus barrow_game_greedy_in(struct BarrowGame *game,
                                   uint64_t seed,
                                   void *memory,
                                   size_t size,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *length);

/**
 * Alignment in bytes of the memory for every handle.
 */
size_t barrow_alignment(void);

/**
 * Closes a handle of any kind: no other function takes it any more, and its memory is the caller's again.
 */
BarrowStatus barrow_close(void *handle);

/**
 * Text of the error of the last call with a handle, of any kind, as its first argument; empty if that call did what it
 * says. A call that was refused because this handle was in use leaves the text as it was; so do `barrow_search_stop` and this
 * function.
 *
 * Texts end with a zero byte. With a null buffer only the length is told, in bytes without the zero.
 */
BarrowStatus barrow_error_text(void *handle,
                               char *buffer,
                               size_t capacity,
                               size_t *length);

/**
 * Bytes of memory for a network, beside its file.
 */
size_t barrow_net_size(void);

/**
 * Opens a handle for a network, without one in it.
 */
BarrowStatus barrow_net_open(void *memory, size_t size, struct BarrowNet **net);

/**
 * Loads a network from the bytes of its file, whatever its profile. They must begin at an address divisible by 64, are checked
 * once, and stay where they are: unchanged as long as the handle or a search uses the network. `BARROW_BAD_NET` for bytes at
 * another address, and for what is no network of a profile that the library knows.
 */
BarrowStatus barrow_net_load(struct BarrowNet *net,
                             const uint8_t *file,
                             size_t file_length);

/**
 * Loads a network that is within the library: `tiny`, `handheld` or `desktop`, where the library was built with it.
 */
BarrowStatus barrow_net_load_embedded(struct BarrowNet *net, const char *profile, size_t profile_length);

/**
 * Writes the profile of the network and what its file says of its making: `tiny, ...`.
 */
BarrowStatus barrow_net_write(struct BarrowNet *net, char *buffer, size_t capacity, size_t *length);

/**
 * Bytes of memory for a planner with so many words of four bytes to work in, 0 for `BARROW_PLANNER_WORDS`, and the model
 * of a board.
 */
size_t barrow_planner_size(uint32_t words);

/**
 * Opens a planner in the caller's memory.
 */
BarrowStatus barrow_planner_open(void *memory, size_t size, uint32_t words, struct BarrowPlanner **planner);

/**
 * Plans the best legal attack on a board and writes it as lines that `barrow_game_apply` takes. `barrow_game_play` takes them,
 * too, unless another board has to be set up first.
 *
 * Goals stand one a line, the most important first: `remove d4` (an enemy, by whatever means), `kill d4`, `unsummon d4`,
 * `spare d4`, `passive c3` (a friend that does not fight). A goal that cannot be met together with those before it is given
 * up; `met`, which may be null, gets a bit for each one that is met, the first in the lowest bit. `effort` is the number of
 * conflicts of the solver at most; 400 are ample.
 *
 * Returns `BARROW_NO_MORE` when all attacks are forbidden, `BARROW_UNKNOWN` when the effort did not suffice, or the board has
 * so many pieces in contact that there may be attacks which the planner does not know.
 */
BarrowStatus barrow_planner_plan(struct BarrowPlanner *planner,
                                 struct BarrowGame *game,
                                 uint32_t board,
                                 const char *goals,
                                 size_t goals_length,
                                 uint64_t effort,
                                 uint64_t *met,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *length);

/**
 * Forbids the attack that was planned last, and every other one that kills and unsummons the same enemies by the same
 * friends, as long as plans are about the same board of the same position under the same rules.
 */
BarrowStatus barrow_planner_forbid(struct BarrowPlanner *planner);

/**
 * Allows all attacks again.
 */
BarrowStatus barrow_planner_allow_all(struct BarrowPlanner *planner);

/**
 * Bytes of memory for a search that remembers so many nodes and plans attacks with so many words of four bytes, 0 for
 * `BARROW_PLANNER_WORDS`; with less than a board needs, attacks are planned there for fewer pieces, and
 * `barrow_planner_plan` with as many words tells what is needed. Fewer than 16 nodes count as 16. When the memory is full, the
 * positions visited least recently make room for others in searches of up to 8,192 nodes; larger ones go on with the turns
 * that they have.
 */
size_t barrow_search_size(uint32_t nodes,
                          uint32_t words);

/**
 * Opens a search in the caller's memory: hand-written evaluation, seed 0, no limit of nodes.
 */
BarrowStatus barrow_search_open(void *memory,
                                size_t size,
                                uint32_t nodes,
                                uint32_t words,
                                struct BarrowSearch **search);

/**
 * Sets the network of searches that are begun from now on; null for hand-written evaluation. The handle of the network may be
 * closed, its file must stay.
 */
BarrowStatus barrow_search_set_net(struct BarrowSearch *search,
                                   struct BarrowNet *net);

/**
 * Sets the seed of searches that are begun from now on. Equal seeds, networks and nodes give equal turns of
 * searches that keep nothing, on every machine and however the nodes are divided into slices.
 */
BarrowStatus barrow_search_set_seed(struct BarrowSearch *search, uint64_t seed);

/**
 * Sets the nodes of a whole search at most, 0 for no limit.
 * Towards that number a search narrows its choice of turns, so name it where
 * the end is known; without it a search may be stopped at any time.
 */
BarrowStatus barrow_search_set_nodes(struct BarrowSearch *search, uint64_t nodes);

/**
 * Begins a search of a position, which is copied. The stop flag is cleared first; one that is set while the search is being
 * begun counts for it. With `keep` not 0 what the last search has found about positions that can follow from this one stays, if
 * the game has the same configuration and neither network nor seed was set since. With `BARROW_CAPACITY` there is no search any more.
 */
BarrowStatus barrow_search_begin(struct BarrowSearch *search,
                                 struct BarrowGame *game,
                                 uint32_t keep);

/**
 * Searches so many nodes more, fewer if the search ends before: a slice of work, after which the caller may do something else.
 * `BARROW_OK` if there is more to do, `BARROW_FINISHED` at the limit of nodes or when nothing more can be done,
 * `BARROW_STOPPED` if the stop flag is set, and otherwise `BARROW_RANGE` for a slice of 0 nodes.
 */
BarrowStatus barrow_search_run(struct BarrowSearch *search,
                               uint64_t nodes);

/**
 * Sets the stop flag: a slice of work that is being done ends after its present node, and none begins until a search is begun
 * anew. This function alone may be called from another thread or an interrupt while another call works with the handle.
 */
BarrowStatus barrow_search_stop(struct BarrowSearch *search);

/**
 * Fills in statistics of the search so far. `size` is the size of the structure that the caller knows, as in
 * `barrow_game_facts`.
 */
BarrowStatus barrow_search_statistics(struct BarrowSearch *search, struct BarrowStatistics *statistics, size_t size);

/**
 * Writes a turn that the search has found, in lines of UMI; rank 0 is the best. `BARROW_TOO_EARLY` before the first one is
 * found, `BARROW_RANGE` if there are fewer.
 */
BarrowStatus barrow_search_turn(struct BarrowSearch *search,
                                uint32_t rank,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

/**
 * Fills in statistics of a turn that the search has found; rank 0 is the best. `size` is the size of the structure that the
 * caller knows, as in `barrow_game_facts`.
 */
BarrowStatus barrow_search_turn_statistics(struct BarrowSearch *search,
                                           uint32_t rank,
                                           struct BarrowTurn *turn,
                                           size_t size);

/**
 * Version of the binary interface that the library has; a program made with another `BARROW_ABI_VERSION` must not call
 * anything else.
 */
uint32_t barrow_abi_version(void);

/**
 * Version of the engine, a text that stays.
 */
const char *barrow_version(void);

/**
 * Sentence for a status, a text that stays. Handles know more about their last error: `barrow_error_text`.
 */
const char *barrow_status_text(BarrowStatus status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BARROW_H */
