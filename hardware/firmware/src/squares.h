/* A set of squares as LEARNED and LAMPS carry it: square n is bit n % 8 of byte n / 8. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SQUARE_SET 13

static inline void squares_add(uint8_t set[SQUARE_SET], uint8_t square)
{
    set[square / 8] |= (uint8_t)(1U << (square % 8));
}

static inline void squares_remove(uint8_t set[SQUARE_SET], uint8_t square)
{
    set[square / 8] &= (uint8_t)~(1U << (square % 8));
}

static inline bool squares_has(const uint8_t set[SQUARE_SET], uint8_t square)
{
    return set[square / 8] >> (square % 8) & 1U;
}

static inline bool squares_any(const uint8_t set[SQUARE_SET])
{
    uint8_t all = 0;
    for (uint8_t i = 0; i < SQUARE_SET; i++)
        all |= set[i];
    return all != 0;
}
