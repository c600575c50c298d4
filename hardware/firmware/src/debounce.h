/* Debounce counters: number of consecutive scan passes in which the reading of a square differed
 * from its debounced state, always in the same direction.
 *
 * A counter has three bits. Each bit of all counters is a square set, so that one pass updates
 * eight counters at once. */
#pragma once

#include <stdint.h>

#include "squares.h"

#define COUNT_BITS 3
/* Counters saturate here. */
#define MAX_COUNT 7

/* Initialise with zeros. */
struct debounce {
    uint8_t bits[COUNT_BITS][SQUARE_SET];
};

/* Count one pass: increment the counters of `differing` squares, clear all others. */
void debounce_count(struct debounce *debounce, const uint8_t differing[SQUARE_SET]);
/* Call before debounce_count(): clear the counters of squares that changed their direction, and
 * update `was_rising`. A reading that is high in one pass and low in the next is a ripple, not a
 * piece. */
void debounce_restart(struct debounce *debounce, const uint8_t differing[SQUARE_SET],
                      uint8_t was_rising[SQUARE_SET], const uint8_t rising[SQUARE_SET]);
/* Return the count of a square, at most MAX_COUNT. */
uint8_t debounce_passes(const struct debounce *debounce, uint8_t square);
