/* A program made with the header of the first version of the interface, which every library of that version must serve: the
 * layout of structures, the values of constants, and one call of each function. */
#include "1.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(BARROW_ABI_VERSION == 1, "version");
_Static_assert(sizeof(BarrowStatus) == 4, "status");
_Static_assert(sizeof(BarrowFacts) == 64, "facts");
_Static_assert(offsetof(BarrowFacts, key) == 0, "facts");
_Static_assert(offsetof(BarrowFacts, boards) == 8, "facts");
_Static_assert(offsetof(BarrowFacts, turns) == 12, "facts");
_Static_assert(offsetof(BarrowFacts, side) == 16, "facts");
_Static_assert(offsetof(BarrowFacts, winner) == 20, "facts");
_Static_assert(offsetof(BarrowFacts, over) == 24, "facts");
_Static_assert(offsetof(BarrowFacts, drawn) == 28, "facts");
_Static_assert(offsetof(BarrowFacts, points) == 32, "facts");
_Static_assert(offsetof(BarrowFacts, points_to_win) == 40, "facts");
_Static_assert(offsetof(BarrowFacts, souls) == 44, "facts");
_Static_assert(offsetof(BarrowFacts, tech_points) == 52, "facts");
_Static_assert(offsetof(BarrowFacts, applied) == 56, "facts");
_Static_assert(sizeof(BarrowStatistics) == 24, "statistics");
_Static_assert(offsetof(BarrowStatistics, nodes) == 0, "statistics");
_Static_assert(offsetof(BarrowStatistics, depth) == 8, "statistics");
_Static_assert(offsetof(BarrowStatistics, fullness) == 12, "statistics");
_Static_assert(offsetof(BarrowStatistics, turns) == 16, "statistics");
_Static_assert(offsetof(BarrowStatistics, win) == 20, "statistics");
_Static_assert(sizeof(BarrowTurn) == 16, "turn");
_Static_assert(offsetof(BarrowTurn, visits) == 4, "turn");
_Static_assert(offsetof(BarrowTurn, wins) == 8, "turn");
_Static_assert(BARROW_FINISHED == 1 && BARROW_STOPPED == 2 && BARROW_NO_MORE == 3 && BARROW_UNKNOWN == 4, "codes");
_Static_assert(BARROW_NULL == -1 && BARROW_MISALIGNED == -2 && BARROW_MEMORY_TOO_SMALL == -3, "codes");
_Static_assert(BARROW_BUFFER_TOO_SMALL == -4 && BARROW_OVERLAP == -5 && BARROW_WRONG_HANDLE == -6, "codes");
_Static_assert(BARROW_BUSY == -7 && BARROW_NOT_UTF8 == -8 && BARROW_UNREADABLE == -9, "codes");
_Static_assert(BARROW_ILLEGAL == -10 && BARROW_GAME_OVER == -11 && BARROW_RANGE == -12, "codes");
_Static_assert(BARROW_CAPACITY == -13 && BARROW_BAD_NET == -14 && BARROW_TOO_EARLY == -15, "codes");
_Static_assert(BARROW_CERTAIN == 65536 && BARROW_NOBODY == -1 && BARROW_GENERAL == 0xFFFFFFFF, "constants");

static void *memory(size_t size) {
    const size_t alignment = barrow_alignment();
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert(block != NULL);
    return block;
}

static void expect(int line, BarrowStatus found, BarrowStatus foreseen) {
    if (found != foreseen) {
        fprintf(stderr, "line %d: status %d (%s) instead of %d\n", line, found, barrow_status_text(found), foreseen);
        exit(1);
    }
}

#define EXPECT(foreseen, call) expect(__LINE__, (call), (foreseen))

int main(void) {
    static char text[32768];
    size_t length = 0, size = barrow_game_size(16);
    void *blocks[5] = {memory(size), memory(size), NULL, NULL, NULL};
    BarrowGame *game = NULL, *copy = NULL;
    BarrowNet *net = NULL;
    BarrowPlanner *planner = NULL;
    BarrowSearch *search = NULL;
    BarrowFacts facts;
    BarrowStatistics statistics;
    BarrowTurn turn;
    uint32_t count = 0;
    uint64_t met = 0;
    int32_t win = -1, error = -1;

    assert(barrow_abi_version() == 1 && strlen(barrow_version()) > 0);
    EXPECT(BARROW_OK, barrow_game_open(blocks[0], size, 16, &game));
    EXPECT(BARROW_OK, barrow_game_open(blocks[1], size, 16, &copy));
    EXPECT(BARROW_OK, barrow_game_start(game, "spooky", 6, NULL, 0, 1));
    EXPECT(BARROW_OK, barrow_game_write(game, 1, text, sizeof text, &length));
    EXPECT(BARROW_OK, barrow_game_read(copy, text, length, 0));
    EXPECT(BARROW_OK, barrow_game_copy(copy, game));
    EXPECT(BARROW_OK, barrow_game_legal(game, 0, text, sizeof text, &length, &count));
    assert(count > 0);
    EXPECT(BARROW_ILLEGAL, barrow_game_apply(game, "action board 0 move a0a1", BARROW_TERMINATED));
    EXPECT(BARROW_OK, barrow_error_text(game, text, sizeof text, &length));
    assert(length > 0);
    EXPECT(BARROW_OK, barrow_game_apply(game, "action board 0 move d1e1", BARROW_TERMINATED));
    EXPECT(BARROW_OK, barrow_game_undo(game));
    EXPECT(BARROW_OK, barrow_game_facts(game, &facts, sizeof facts));
    assert(facts.boards == 2 && facts.side == 0 && facts.winner == BARROW_NOBODY);
    EXPECT(BARROW_OK, barrow_game_greedy(game, 1, text, sizeof text, &length));
    EXPECT(BARROW_OK, barrow_game_play(game, text, length));
    EXPECT(BARROW_OK, barrow_game_end_turn(copy));

    size = barrow_net_size();
    EXPECT(BARROW_OK, barrow_net_open(blocks[2] = memory(size), size, &net));
    EXPECT(BARROW_BAD_NET, barrow_net_load(net, (const uint8_t *)"not a network", 13));
    EXPECT(BARROW_OK, barrow_net_load_embedded(net, "tiny", 4));
    EXPECT(BARROW_OK, barrow_net_write(net, text, sizeof text, &length));
    EXPECT(BARROW_OK, barrow_evaluate(game, net, &win, &error));
    assert(win >= 0 && win <= BARROW_CERTAIN && error >= 0);

    size = barrow_planner_size(0);
    EXPECT(BARROW_OK, barrow_planner_open(blocks[3] = memory(size), size, 0, &planner));
    EXPECT(BARROW_OK, barrow_planner_plan(planner, game, 0, "passive c3", 10, 400, &met, text, sizeof text, &length));
    EXPECT(BARROW_OK, barrow_planner_forbid(planner));
    EXPECT(BARROW_OK, barrow_planner_allow_all(planner));

    size = barrow_search_size(100, 0);
    EXPECT(BARROW_OK, barrow_search_open(blocks[4] = memory(size), size, 100, 0, &search));
    EXPECT(BARROW_OK, barrow_search_set_net(search, net));
    EXPECT(BARROW_OK, barrow_search_set_seed(search, 1));
    EXPECT(BARROW_OK, barrow_search_set_nodes(search, 8));
    EXPECT(BARROW_OK, barrow_search_begin(search, game, 0));
    EXPECT(BARROW_OK, barrow_search_run(search, 4));
    EXPECT(BARROW_FINISHED, barrow_search_run(search, 100));
    EXPECT(BARROW_OK, barrow_search_statistics(search, &statistics, sizeof statistics));
    assert(statistics.nodes == 8 && statistics.turns > 0);
    EXPECT(BARROW_OK, barrow_search_turn_statistics(search, 0, &turn, sizeof turn));
    EXPECT(BARROW_OK, barrow_search_turn(search, 0, text, sizeof text, &length));
    EXPECT(BARROW_OK, barrow_search_stop(search));
    EXPECT(BARROW_OK, barrow_game_play(game, text, length));

    EXPECT(BARROW_OK, barrow_close(search));
    EXPECT(BARROW_OK, barrow_close(planner));
    EXPECT(BARROW_OK, barrow_close(net));
    EXPECT(BARROW_OK, barrow_close(copy));
    EXPECT(BARROW_OK, barrow_close(game));
    for (size_t index = 0; index < sizeof blocks / sizeof blocks[0]; index++) {
        free(blocks[index]);
    }
    puts("the caller of version 1 is served");
    return 0;
}
