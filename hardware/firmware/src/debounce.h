/* Debounce counters: the number of consecutive scan passes in which the reading of a square has
 * differed from its debounced state, always in the same direction.
 *
 * A counter has three bits. Each of the three bits is stored as a square set, so that eight
 * counters are updated at once. */
#pragma once

#include <stdint.h>

#include "squares.h"

#define COUNT_BITS 3
/* Value at which counters saturate. */
#define MAX_COUNT 7

/* Initialise with zeros. */
struct debounce {
    uint8_t bits[COUNT_BITS][SQUARE_SET];
};

/* Count one pass: increment the counters of `differing` squares and clear all other counters. */
void debounce_count(struct debounce *debounce, const uint8_t differing[SQUARE_SET]);
/* Clear the counters of squares that have changed direction, and update `was_rising`. Call before
 * debounce_count(). A reading that is high in one pass and low in the next is ripple, not a
 * piece. */
void debounce_restart(struct debounce *debounce, const uint8_t differing[SQUARE_SET],
                      uint8_t was_rising[SQUARE_SET], const uint8_t rising[SQUARE_SET]);
/* Return a square's count, at most MAX_COUNT. */
uint8_t debounce_passes(const struct debounce *debounce, uint8_t square);
