/* Crosstalk: field of the pieces around a square.
 *
 * Beside a magnet its field has the opposite direction. So an army weakens a piece in its midst,
 * which matters if that piece is off-centre. Among opposing pieces, the field that remains after a
 * piece was lifted has that piece's colour.
 *
 * On squares of 40 mm a neighbour in the same row or column takes off 1.1 % of a piece, a diagonal
 * one 0.4 % (disc of 8 x 2 mm, gap of 9.5 mm, calculated); on squares of 35 mm, 50 % more. The
 * weights used here lie between the two, in 1/64 of the detection threshold, which is 17 % of a
 * piece: eight neighbours make 28/64. */
#pragma once

#include <stdint.h>

#include "board.h"

/* Return the crosstalk at a square, in counts: the deflection that its neighbours take off a piece
 * that reads high; negative if they take it off a piece that reads low. `debounced` holds two bits
 * per square (detection.h), `threshold` is the detection threshold of the square. */
int16_t crosstalk_at(const uint8_t debounced[], uint8_t square, uint8_t threshold);
