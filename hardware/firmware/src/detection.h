/* From readings to squares: thresholds with hysteresis, debounce, colour by polarity.
 *
 * A magnet counts as there from 17 % of what a piece was learned to give on its square, and as gone
 * below 14 % (calibration.h). A neighbour's field has the opposite sign, so an army around an empty square
 * moves it by 6 to 8 % of a piece's own field to the other colour. What is close to a threshold is judged without
 * what those around it do (lean.h); less than 13 % is nothing anywhere, before a piece is believed to be there.
 *
 * A reading at either end of the range is no colour (faults.h): the square stays as it was.
 *
 * Debounce: a square that a look sees otherwise than it is believed to be is read once more at once, and
 * both have to agree; a spike on a single conversion so changes nothing. There is time to do so with MOST_ODD squares
 * a look that have changed by much, the others are believed without it; and with MOST_SMALL that have changed by
 * little (creep.h), the others wait for their turn. A change is believed when two
 * looks in a row agree, 0.5 to 5.7 ms apart (timer.h, scan.h), so that the edge of a movement changes
 * nothing either. Red for blue, or blue for red, takes a third look: no hand exchanges two pieces within a
 * look. A hand's wobble lasts longer than any debounce that would still be quick; the computer waits for
 * the board to settle. A change has happened before the first of these looks.
 *
 * When more than MOST_ODD squares are seen otherwise at a time, or newly without a colour, it is a burst from
 * outside and no hand: the look is passed over. After MOST_PASSED of them in a row looks count again, or a
 * board on which an army was set at once would never see it.
 *
 * A change that is hardly far enough is watched for some looks more, and one that has come more slowly than by a
 * hand until it has come to rest (creep.h).
 *
 * Faint is a reading between the lower threshold and 21 %, a quarter above the upper one: whatever is
 * believed of it, a little less or more and it would be the other. So reads a weak magnet, a piece
 * beside the middle of its square, or one in a hand that passes. And what the latest look alone saw
 * otherwise is faint: it may be gone already.
 *
 * Red pieces have their north pole up, blue ones their south pole. On a board wired by hand red reads high (about
 * 800) and blue low (200), on tiles the other way round; STATE tells it (protocol.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "changes.h"
#include "slow_change.h"
#include "protocol.h"
#include "sensor_state.h"
#include "squares.h"
#include "debounce.h"

/* The output of a linear Hall sensor stays 0.2 V from both rails, 41 counts (DRV5055, data sheet). */
#define STUCK_WITHIN 39

/* Around so many squares a look has time to look; where more are in doubt at once it is nothing that stands there. */
#define MAX_CROSSTALK_CHECKS 12
#define MAX_SUDDEN 6
#define MAX_SMALL 12
#define MAX_SKIPPED 3
/* Of the longest streak that is exactly known the first look, and the one before it. */
#define PASSES_KEPT MAX_COUNT

/* When a look began, and in which order it went through the inputs. */
struct pass {
    uint16_t at;
    bool backwards;
};

struct detection {
    uint8_t debounced[PACKED_STATE];   /* what is believed, two bits a square */
    uint8_t latest[PACKED_STATE];    /* what the latest look saw */
    uint8_t faint[SQUARE_SET];       /* the squares that may as well be otherwise */
    uint8_t out_of_range[SQUARE_SET];  /* those that read at an end of the range at the latest look */
    uint8_t rising[SQUARE_SET];      /* the squares whose streak sees them read higher, not lower */
    uint8_t ever_in_range[SQUARE_SET]; /* those that did not, at any look of this frame */
    uint8_t skipped;                  /* so many looks in a row were passed over */
    bool backwards;                  /* how the next look is to go through the inputs */
    struct pass passes[PASSES_KEPT];   /* the latest, and those before it */
    struct debounce debounce;
    struct changes changes;
    struct slow_changes slow;
};

/* An empty board. What stands there at the start comes all at once, and is no burst. */
void detection_start(struct detection *detection);

/* Takes a look at all squares that began at a moment (timer.h) and went as `backwards` says; readings
 * are by square. What is to be read once more is asked of scan_again. */
void detection_add_pass(struct detection *detection, const struct calibration *calibration,
                const uint16_t readings[READINGS], uint16_t at, bool backwards);

/* Once a frame, after its looks: notes where the readings stand, and begins the next frame. */
void detection_end_frame(struct detection *detection, const struct calibration *calibration,
                 const uint16_t readings[READINGS]);

/* Whether a reading is where no magnet brings a Hall sensor. */
static inline bool is_out_of_range(uint16_t reading)
{
    return sees_colours() &&
           (reading <= STUCK_WITHIN || reading >= FULL_SCALE - STUCK_WITHIN);
}

enum sensor_state detection_state(const struct detection *detection, uint8_t square);
