/* For how many looks in a row each square has been seen otherwise than it is believed to be, in one way: a number of
 * three bits for each, of which each bit has a set of its own, so that a look counts all squares in little time. */
#pragma once

#include <stdint.h>

#include "squares.h"

#define STREAK_BITS 3
/* So many, or more. */
#define MOST_STREAK 7

/* All zeros is none. */
struct streaks {
    uint8_t bits[STREAK_BITS][SQUARE_SET];
};

/* Takes a look that has seen these squares otherwise. */
void streaks_look(struct streaks *streaks, const uint8_t otherwise[SQUARE_SET]);
/* Before that: ends the streaks of those that read higher now and did not before, or the other way round. What is high
 * in one look and low in the next has a ripple on it, and nothing that stays. */
void streaks_turn(struct streaks *streaks, const uint8_t otherwise[SQUARE_SET], uint8_t rising[SQUARE_SET],
                  const uint8_t rises[SQUARE_SET]);
uint8_t streaks_of(const struct streaks *streaks, uint8_t square);
