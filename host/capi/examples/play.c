/* Finds and plays a turn from the start position, on any machine: a search by slices with the tiny network, the turn as text,
 * the turn played, undo, an error told. Needs nothing of the C library; see hosted.c and cortex_m.c. */
#include "barrow.h"
#include "platform.h"

/* Nodes of the search, and of one slice. */
enum { NODES = 24, SLICE = 8 };

static char text[16384];

static void print_number(size_t number) {
    char digits[24];
    char *place = digits + sizeof digits - 1;
    *place = 0;
    do {
        *--place = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    platform_print(place);
}

static void print_line(const char *title, size_t number) {
    platform_print(title);
    print_number(number);
    platform_print("\n");
}

/* Prints what went wrong, and where; true if it did. */
static int failed(const char *where, BarrowStatus status, void *handle) {
    if (status >= BARROW_OK) {
        return 0;
    }
    platform_print(where);
    platform_print(": ");
    if (handle == NULL || barrow_error_text(handle, text, sizeof text, NULL) != BARROW_OK) {
        platform_print(barrow_status_text(status));
    } else {
        platform_print(text);
    }
    platform_print("\n");
    return 1;
}

/* A game at the start of the default configuration, with its size printed. */
static BarrowGame *open_game(void) {
    const size_t size = barrow_game_size(256);
    BarrowGame *game = NULL;
    print_line("bytes of a game: ", size);
    if (failed("game", barrow_game_open(platform_memory(size, barrow_alignment()), size, 256, &game), NULL) ||
        failed("start", barrow_game_start(game, NULL, 0, "2 BlackenedShores,MidnightLake S,P,W,Z", BARROW_TERMINATED, 7),
               game)) {
        return NULL;
    }
    return game;
}

/* A search with the tiny network if the library has it, with their sizes printed. */
static BarrowSearch *open_search(void) {
    const uint32_t nodes = 96, words = 16 * 1024;
    const size_t size = barrow_search_size(nodes, words), net_size = barrow_net_size();
    BarrowSearch *search = NULL;
    BarrowNet *net = NULL;
    print_line("bytes of a search: ", size);
    print_line("bytes of a network's handle: ", net_size);
    if (failed("search", barrow_search_open(platform_memory(size, barrow_alignment()), size, nodes, words, &search), NULL) ||
        failed("net", barrow_net_open(platform_memory(net_size, barrow_alignment()), net_size, &net), NULL)) {
        return NULL;
    }
    if (barrow_net_load_embedded(net, "tiny", BARROW_TERMINATED) == BARROW_OK &&
        failed("set net", barrow_search_set_net(search, net), search)) {
        return NULL;
    }
    return search;
}

/* Thinks, a slice at a time, and leaves the best turn in `text`. */
static int think(BarrowSearch *search, BarrowGame *game) {
    BarrowStatistics statistics;
    BarrowStatus status;
    if (failed("nodes", barrow_search_set_nodes(search, NODES), search) ||
        failed("begin", barrow_search_begin(search, game, 0), search)) {
        return 0;
    }
    do {
        status = barrow_search_run(search, SLICE);
        if (failed("run", status, search) ||
            failed("statistics", barrow_search_statistics(search, &statistics, sizeof statistics), search)) {
            return 0;
        }
        print_line("nodes: ", (size_t)statistics.nodes);
    } while (status == BARROW_OK);
    print_line("win chance in thousandths: ", (size_t)statistics.win * 1000 / BARROW_CERTAIN);
    return !failed("turn", barrow_search_turn(search, 0, text, sizeof text, NULL), search);
}

/* Applies each legal action of the first board and undoes it: the position must be as before. */
static int try_actions(BarrowGame *game) {
    static char actions[16384];
    BarrowFacts before, after;
    uint32_t count = 0, applied = 0;
    char *line = actions;
    if (failed("facts", barrow_game_facts(game, &before, sizeof before), game) ||
        failed("legal", barrow_game_legal(game, 0, actions, sizeof actions, NULL, &count), game)) {
        return 0;
    }
    while (*line != 0) {
        char *end = line;
        while (*end != 0 && *end != '\n') {
            end++;
        }
        if (failed("apply", barrow_game_apply(game, line, (size_t)(end - line)), game) ||
            failed("undo", barrow_game_undo(game), game) ||
            failed("facts", barrow_game_facts(game, &after, sizeof after), game)) {
            return 0;
        }
        if (before.key != after.key) {
            platform_print("undo left another position\n");
            return 0;
        }
        applied++;
        line = *end == 0 ? end : end + 1;
    }
    print_line("legal actions on board 0: ", count);
    return applied == count;
}

int play(void) {
    BarrowFacts facts;
    BarrowGame *game;
    BarrowSearch *search;
    if (barrow_abi_version() != BARROW_ABI_VERSION) {
        platform_print("the library has another interface\n");
        return 1;
    }
    game = open_game();
    search = open_search();
    print_line("bytes of a planner beside its words: ", barrow_planner_size(1000) - 4000);
    if (game == NULL || search == NULL || !try_actions(game) || !think(search, game)) {
        return 1;
    }
    platform_print(text);
    platform_print("\n");
    if (failed("play", barrow_game_play(game, text, BARROW_TERMINATED), game) ||
        failed("facts", barrow_game_facts(game, &facts, sizeof facts), game) ||
        failed("write", barrow_game_write(game, 0, text, sizeof text, NULL), game)) {
        return 1;
    }
    platform_print(text);
    platform_print("\n");
    /* A refused action says why. */
    if (barrow_game_apply(game, "action board 0 move a0b0", BARROW_TERMINATED) != BARROW_ILLEGAL) {
        return 1;
    }
    barrow_error_text(game, text, sizeof text, NULL);
    platform_print(text);
    platform_print("\n");
    return facts.turns == 1 && barrow_close(search) == BARROW_OK && barrow_close(game) == BARROW_OK ? 0 : 1;
}
