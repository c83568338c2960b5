/* The machine of the example `play.c` on a Cortex-M4F without an operating system: start, memory, and printing and ending by
 * semihosting, as `qemu-system-arm -M mps2-an386 -semihosting` offers them. */
#include "platform.h"

#include <stdint.h>

extern uint32_t stack_top[], stack_end[], data_start[], data_end[], data_load[], bss_start[], bss_end[];

/* What the stack is painted with, to see how far it was used. */
enum { PAINT = 0x5A5A5A5A };

static unsigned char memory[1536 * 1024] __attribute__((aligned(64)));
static size_t used;

static int semihost(int operation, const void *argument) {
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void platform_print(const char *text) {
    semihost(0x04, text);
}

void *platform_memory(size_t size, size_t alignment) {
    const size_t start = (used + alignment - 1) / alignment * alignment;
    if (start > sizeof memory || size > sizeof memory - start) {
        return NULL;
    }
    used = start + size;
    return memory + start;
}

static void print_size(const char *title, size_t number) {
    char digits[12];
    char *place = digits + sizeof digits - 1;
    *place = 0;
    do {
        *--place = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    platform_print(title);
    platform_print(place);
    platform_print("\n");
}

/* The program, after memory and the floating-point unit are ready. */
__attribute__((noinline, used)) static void begin(void) {
    const uint32_t *deepest = stack_end;
    int result = play();
    while (*deepest == PAINT) {
        deepest++;
    }
    print_size("bytes of memory lent: ", used);
    print_size("bytes of stack: ", (size_t)((const char *)stack_top - (const char *)deepest));
    /* A successful end is a reason of its own; any other is a failure. */
    semihost(0x18, (const void *)(uintptr_t)(result == 0 ? 0x20026 : 0x20024));
    for (;;) {
    }
}

void reset(void);

__attribute__((noreturn)) void reset(void) {
    uint32_t *to = data_start;
    const uint32_t *from = data_load;
    while (to < data_end) {
        *to++ = *from++;
    }
    for (to = bss_start; to < bss_end; to++) {
        *to = 0;
    }
    for (to = stack_end; to < stack_top - 64; to++) {
        *(volatile uint32_t *)to = PAINT;
    }
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
    __asm__ volatile("dsb\n isb");
    begin();
    for (;;) {
    }
}

__attribute__((noreturn)) static void fault(void) {
    platform_print("fault\n");
    semihost(0x18, (const void *)0x20024);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[8] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault, 0,
};
