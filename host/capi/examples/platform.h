/* What the example needs of the machine it runs on. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stddef.h>

/* Prints a text that ends with a zero byte. */
void platform_print(const char *text);

/* Memory at an address divisible by `alignment`, which is not given back; a null pointer when there is no more. */
void *platform_memory(size_t size, size_t alignment);

/* The example: 0 if all went well. */
int play(void);

#endif
