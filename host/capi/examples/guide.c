/* Thinks about the start position for 200 nodes, a slice at a time, and plays the turn found. */
#include <barrow.h>
#include <stdio.h>
#include <stdlib.h>

/* Memory at an address that handles want. */
static void *memory(size_t size) {
    const size_t alignment = barrow_alignment();
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (block == NULL) {
        exit(EXIT_FAILURE);
    }
    return block;
}

/* Ends the program with the reason if a call has failed. */
static BarrowStatus check(BarrowStatus status, void *handle) {
    char text[200] = "";
    if (status < BARROW_OK) {
        if (handle == NULL || barrow_error_text(handle, text, sizeof text, NULL) != BARROW_OK) {
            snprintf(text, sizeof text, "%s", barrow_status_text(status));
        }
        fprintf(stderr, "%s\n", text);
        exit(EXIT_FAILURE);
    }
    return status;
}

int main(void) {
    static char text[16384];
    const size_t game_size = barrow_game_size(256), net_size = barrow_net_size(), search_size = barrow_search_size(400, 0);
    void *game_memory = memory(game_size), *net_memory = memory(net_size), *search_memory = memory(search_size);
    BarrowGame *game = NULL;
    BarrowNet *net = NULL;
    BarrowSearch *search = NULL;
    BarrowStatistics statistics;

    check(barrow_game_open(game_memory, game_size, 256, &game), NULL);
    check(barrow_game_start(game, "server", BARROW_TERMINATED, NULL, 0, 7), game);
    check(barrow_net_open(net_memory, net_size, &net), NULL);
    check(barrow_net_load_embedded(net, "tiny", BARROW_TERMINATED), net);
    check(barrow_search_open(search_memory, search_size, 400, 0, &search), NULL);
    check(barrow_search_set_net(search, net), search);
    check(barrow_search_set_nodes(search, 200), search);
    check(barrow_search_begin(search, game, 0), search);
    while (check(barrow_search_run(search, 50), search) == BARROW_OK) {
        /* Here a program does whatever else it has to do. */
        check(barrow_search_statistics(search, &statistics, sizeof statistics), search);
        printf("%u nodes, win chance %.2f\n", (unsigned)statistics.nodes, statistics.win / (double)BARROW_CERTAIN);
    }
    check(barrow_search_turn(search, 0, text, sizeof text, NULL), search);
    printf("%s\nendturn\n", text);
    check(barrow_game_play(game, text, BARROW_TERMINATED), game);
    check(barrow_game_write(game, 0, text, sizeof text, NULL), game);
    printf("%s\n", text);
    free(search_memory);
    free(net_memory);
    free(game_memory);
    return EXIT_SUCCESS;
}
