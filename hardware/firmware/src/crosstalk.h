/* Crosstalk: the field of neighbouring pieces at a square.
 *
 * Beside a magnet, its field has the opposite direction. An army therefore weakens the field of a
 * piece in its midst, which matters if that piece is off-centre. When a piece is lifted from among
 * opposing pieces, the remaining field has the colour of the lifted piece.
 *
 * On 40 mm squares, a neighbour in the same row or column takes off 1.1 % of a piece and a diagonal
 * neighbour 0.4 % (8 x 2 mm disc, 9.5 mm gap, calculated); on 35 mm squares, both take off 50 %
 * more. The weights used here lie between the values for the two sizes. Their unit is 1/64 of the
 * detection threshold, which is 17 % of a piece: eight neighbours add up to 28/64. */
#pragma once

#include <stdint.h>

#include "board.h"

/* Return the crosstalk at a square in counts: the deflection that its neighbours take off a piece
 * that reads high. It is negative if they take it off a piece that reads low. `debounced` holds two
 * bits per square (detection.h); `threshold` is the detection threshold of the square. */
int16_t crosstalk_at(const uint8_t debounced[], uint8_t square, uint8_t threshold);
