/* Square sets, as in LEARNED and LAMPS: square n is bit n % 8 of byte n / 8. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SQUARE_SET 13

/* An AVR shifts by one bit at a time, and scan passes have no time for seven shifts. */
static inline uint8_t squares_bit(uint8_t square)
{
    uint8_t bit = square & 1 ? 2 : 1;
    if (square & 2)
        bit = (uint8_t)(bit << 2);
    if (square & 4)
        bit = (uint8_t)(bit << 4);
    return bit;
}

static inline void squares_add(uint8_t set[SQUARE_SET], uint8_t square)
{
    set[square / 8] |= squares_bit(square);
}

static inline void squares_remove(uint8_t set[SQUARE_SET], uint8_t square)
{
    set[square / 8] &= (uint8_t)~squares_bit(square);
}

static inline bool squares_has(const uint8_t set[SQUARE_SET], uint8_t square)
{
    return (set[square / 8] & squares_bit(square)) != 0;
}

static inline bool squares_any(const uint8_t set[SQUARE_SET])
{
    uint8_t all = 0;
    for (uint8_t i = 0; i < SQUARE_SET; i++)
        all |= set[i];
    return all != 0;
}
