/* Lamps at the edges of the board: ten for the columns, ten for the rows; two of them mark a
 * square.
 *
 * A lamp in each square would need a hundred holes, a hundred wires and 13 shift registers, or a
 * matrix to be refreshed alongside the scan. Twenty lamps and three chained 74HC595 are just as
 * clear for a single misplaced piece, and for two pieces in the same row or column. Any other two
 * pieces light four crossings, but the screen names the squares anyway. Boards without lamps may
 * leave the pins open: these pins are outputs without another use. */
#pragma once

#include <stdint.h>

#include "squares.h"

/* One bit per lamp: columns a to k in bits 0 to 9, rows 1 to 10 in bits 10 to 19. */
uint32_t lamps_of(const uint8_t squares[SQUARE_SET]);
