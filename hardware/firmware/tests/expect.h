/* Assertions for the desktop tests. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

/* End the test with a message unless the condition is true. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: expected %s: ", __FILE__, __LINE__, #condition);                \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define ROWS(table) (sizeof(table) / sizeof *(table))
