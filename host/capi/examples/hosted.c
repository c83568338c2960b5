/* The machine of the example `play.c` where there is an operating system. */
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

void platform_print(const char *text) {
    fputs(text, stdout);
}

/* What was given out, to be given back at the end. */
static void *blocks[8];
static size_t count;

void *platform_memory(size_t size, size_t alignment) {
    if (count == sizeof blocks / sizeof blocks[0]) {
        return NULL;
    }
    blocks[count] = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    return blocks[count++];
}

int main(void) {
    const int result = play();
    while (count > 0) {
        free(blocks[--count]);
    }
    return result;
}
