/* For how many looks in a row each square has been seen otherwise than it is believed to be, in one way: a number of
 * three bits for each, of which each bit has a set of its own, so that a look counts all squares in little time. */
#pragma once

#include <stdint.h>

#include "squares.h"

#define COUNT_BITS 3
/* So many, or more. */
#define MAX_COUNT 7

/* All zeros is none. */
struct debounce {
    uint8_t bits[COUNT_BITS][SQUARE_SET];
};

/* Takes a look that has seen these squares otherwise. */
void debounce_count(struct debounce *debounce, const uint8_t differing[SQUARE_SET]);
/* Before that: ends the streaks of those that read higher now and did not before, or the other way round. What is high
 * in one look and low in the next has a ripple on it, and nothing that stays. */
void debounce_restart(struct debounce *debounce, const uint8_t differing[SQUARE_SET], uint8_t was_rising[SQUARE_SET],
                  const uint8_t rising[SQUARE_SET]);
uint8_t debounce_passes(const struct debounce *debounce, uint8_t square);
