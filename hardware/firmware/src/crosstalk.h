/* What the pieces around a square do to it: beside a magnet its field goes the other way, so an army takes away from a
 * piece in its midst that stands beside the middle, and leaves a piece of the other side's where it was lifted.
 *
 * On squares of 40 mm a neighbour in the same row or column takes away 1.1 % of a piece, one at a corner 0.4 % (disc
 * of 8 x 2 mm, gap of 9.5 mm, calculated); on squares of 35 mm half as much again. What is reckoned here lies between
 * the two, in parts of the threshold, which is 17 % of a piece: eight neighbours make 28 of 64 parts. */
#pragma once

#include <stdint.h>

#include "board.h"

/* Returns how much they take away from a piece there that reads high, in the counts of a threshold; below 0 from one
 * that reads low. What is believed of the squares comes with two bits each. */
int16_t crosstalk_at(const uint8_t debounced[], uint8_t square, uint8_t threshold);
