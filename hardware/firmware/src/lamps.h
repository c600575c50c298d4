/* Lamps at the edges of the board: ten for the columns, ten for the rows, a square is a pair of them.
 *
 * A lamp in each square would be a hundred holes, a hundred wires and 13 shift registers, or a matrix
 * that must be refreshed beside the scan. Twenty lamps and three 74HC595 in a row say the same for
 * the one square of a wrong piece, and for two that share a row or column. Two others light four
 * crossings; the screen names squares anyway. Nothing on the pins does no harm: they are outputs that
 * nothing else uses. */
#pragma once

#include <stdint.h>

#include "squares.h"

/* One bit a lamp: columns a to k in bits 0 to 9, rows 1 to 10 in bits 10 to 19. */
uint32_t lamps_of(const uint8_t squares[SQUARE_SET]);
