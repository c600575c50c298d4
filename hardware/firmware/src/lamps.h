/* Lamps at the edges of the board: ten for the columns and ten for the rows. Two lamps mark a
 * square.
 *
 * A lamp in each square would need a hundred holes, a hundred wires and 13 shift registers, or a
 * matrix that is refreshed alongside the scan. Twenty lamps and three chained 74HC595 are just as
 * clear for a single misplaced piece, and for two pieces in the same row or column. Any other two
 * pieces light four crossings, but the screen names the squares anyway. Boards without lamps may
 * leave the pins open, because these outputs have no other use. */
#pragma once

#include <stdint.h>

#include "squares.h"

/* One bit per lamp: columns a to k in bits 0 to 9, rows 1 to 10 in bits 10 to 19. */
uint32_t lamps_of(const uint8_t squares[SQUARE_SET]);
