/* From readings to squares: thresholds with hysteresis, debounce, colour by polarity.
 *
 * A magnet counts as there from 17 % of what a piece was learned to give on its square, and as gone
 * below 14 % (calibration.h). A neighbour's field has the opposite sign, so an army around an empty square
 * moves it by 6 to 8 % of a piece's own field to the other colour.
 *
 * Debounce: a change is believed when two looks in a row agree, 2.3 to 3.8 ms apart (timer.h); what
 * touches one reading alone, a spike or the edge of a movement, so changes nothing. A hand's wobble
 * lasts longer than any debounce that would still be quick; the computer waits for the board to settle.
 * A change has happened before the first of the two looks.
 *
 * Faint is a reading between the lower threshold and 21 %, a quarter above the upper one: whatever is
 * believed of it, a little less or more and it would be the other. So reads a weak magnet, a piece
 * beside the middle of its square, or one in a hand that passes. And what the latest look alone saw
 * otherwise is faint: it may be gone already.
 *
 * Red pieces have their north pole up and read HIGH (about 800), blue ones south up and LOW (200). */
#pragma once

#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "changes.h"
#include "protocol.h"
#include "squares.h"

/* What is on a square, in the two bits of STATE. */
enum seen { NOTHING = 0, RED = 1, BLUE = 2, UNKNOWN = 3 };

/* All zeros is an empty board. */
struct senses {
    uint8_t settled[PACKED_STATE]; /* what is believed, as STATE has it */
    uint8_t latest[PACKED_STATE];  /* what the latest look saw */
    uint8_t faint[SQUARE_SET];     /* the squares that may as well be otherwise */
    uint16_t looked[2];            /* when the latest look began, and the one before it */
    struct changes changes;
};

/* Takes a look at all squares that began at a moment (timer.h); readings are by channel. */
void sense_look(struct senses *senses, const struct calibration *calibration,
                const uint16_t readings[INPUTS], uint16_t at);

enum seen sense_settled(const struct senses *senses, uint8_t square);
