/* What the desktop tests say when something is not as expected. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

/* Ends the test with a sentence about what was tried. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition);                \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define ROWS(table) (sizeof(table) / sizeof *(table))
