/* Detection of pieces: thresholds with hysteresis, debouncing, and colour by polarity.
 *
 * Thresholds: a piece is detected at 17 % of the deflection calibrated for its square, and released
 * below 14 % (calibration.h). A neighbour's field has the opposite sign, so an army around an empty
 * square deflects the reading by 6 to 8 % of a piece towards the other colour. Near a threshold
 * this crosstalk is subtracted (crosstalk.h). On an empty square, a deflection below 13 % is never
 * a piece.
 *
 * A reading at either end of the range has no colour (faults.h), so the square keeps its state. The
 * same applies to a square whose wire is open; scan_is_open() tests for an open wire before a
 * change is accepted.
 *
 * Debouncing: a square that differs from its debounced state is read a second time in the same
 * pass, and both readings must agree, so a spike on a single conversion has no effect. A pass has
 * time for MAX_SUDDEN second readings after large changes; further large changes are accepted
 * without a second reading. It also has time for MAX_SMALL second readings after small changes
 * (slow_change.h); further small changes wait for a later pass. A change is accepted when two
 * consecutive passes, 0.5 to 5.7 ms apart (timer.h, scan.h), agree, so the edge of a movement has
 * no effect either. A change from red to blue or back takes a third pass, because no hand exchanges
 * two pieces within a pass. A hand trembles for longer than quick debouncing could last, so the
 * computer waits until the board is steady. The time of a change is the time of the first pass that
 * saw it.
 *
 * Bursts: if more than MAX_SUDDEN squares change or leave the range at once, the cause is
 * interference, not a hand, and the pass is skipped. After MAX_SKIPPED skipped passes in a row,
 * passes count again. Otherwise, a whole army set up at once would never be detected.
 *
 * Supply: the output of a Hall sensor is proportional to its supply, and tiles have a different
 * supply from the converter. If that supply were 0.5 V lower, every empty square would show a
 * piece. The supply is considered low if more than MAX_SUDDEN empty squares read too low, by 15 %
 * of a piece up to MOST_SAG, and at most an eighth as many read normally. Passes are skipped for as
 * long as the supply is low. Crosstalk of 8 % and drift of 5 %, the maximum tolerated, stay below
 * this limit.
 *
 * A small change is observed for several more passes, and a change that is slower than a hand is
 * observed until the reading has come to rest (slow_change.h).
 *
 * Faint: a reading between the release threshold and 21 %, a quarter above the detection threshold.
 * A slightly different reading would change the state. Causes are a weak magnet, an off-centre
 * piece, or a piece in a passing hand. A square that differs only in its latest pass is also faint,
 * because the change may already have ended.
 *
 * Red pieces have their north pole up, blue pieces their south pole. On a board wired by hand, red
 * reads high (about 800) and blue low (200); on tiles, it is the other way round. STATE messages
 * translate readings to colours (protocol.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "changes.h"
#include "debounce.h"
#include "protocol.h"
#include "sensor_state.h"
#include "slow_change.h"
#include "squares.h"

/* Distance from either end of the range, in counts, within which no magnet can cause a reading. The
 * output of a linear Hall sensor stays 0.2 V (41 counts) away from both rails (DRV5055, data
 * sheet). */
#define STUCK_WITHIN 39

/* Number of squares for which a pass has time to calculate crosstalk. If more squares are near a
 * threshold at once, the cause is not that pieces were placed there. */
#define MAX_CROSSTALK_CHECKS 12
/* Number of changed squares whose wires a pass has time to check. With up to six checks, the frame
 * in which whole armies appeared was 0.9 ms later (measured in the emulator). */
#define MAX_WIRE_CHECKS 1
#define MAX_SUDDEN 6
#define MAX_SMALL 12
#define MAX_SKIPPED 3
#define JUST_STARTED (MAX_SKIPPED + 1) /* all pieces appear at once; no pass is skipped */
/* With 3 V instead of 5 V, just enough for a sensor, the resting level is 205 counts lower, or 229
 * with crosstalk. A piece in the middle of its square deflects the reading by 300 counts, or by 276
 * amid other pieces. */
#define MOST_SAG 230
/* Number of empty squares that may read normally, because a hand holds a piece above them or
 * because they deviate. Chosen by judgement, not measured. */
#define MOST_OTHERS 3
/* Number of stored passes: enough for the first pass of the longest exact count and the pass before
 * it. */
#define PASSES_KEPT MAX_COUNT

/* Start time and direction of a scan pass. */
struct pass {
    uint16_t start;
    bool backwards;
};

struct detection {
    uint8_t debounced[PACKED_STATE];   /* accepted state, two bits per square */
    uint8_t latest[PACKED_STATE];      /* state in the latest pass */
    uint8_t faint[SQUARE_SET];         /* squares whose state may be wrong */
    uint8_t out_of_range[SQUARE_SET];  /* squares at an end of the range in the latest pass */
    uint8_t rising[SQUARE_SET];        /* direction of each counter: set if it counts high readings
                                        * */
    uint8_t ever_in_range[SQUARE_SET]; /* squares in range in any pass of this frame */
    uint8_t skipped;                   /* number of consecutive skipped passes */
    uint16_t sag;                      /* counts taken off by a low supply in the latest pass */
    uint8_t suspect;                   /* square whose wire seemed open, or NO_READING */
    bool backwards;                    /* direction of the next pass */
    struct pass passes[PASSES_KEPT];   /* latest first */
    struct debounce debounce;
    struct changes changes;
    struct slow_changes slow;
};

/* Start with an empty board. Pieces already on the board appear all at once, which is not treated
 * as a burst. */
void detection_start(struct detection *detection);

/* Process a scan pass that began at `start` (in ticks, timer.h) in the given direction. Readings
 * are indexed by square; scan_channel() takes second readings. */
void detection_add_pass(struct detection *detection, const struct calibration *calibration,
                        const uint16_t readings[READINGS], uint16_t start, bool backwards);

/* Update the past readings at the end of a frame, after its passes. */
void detection_end_frame(struct detection *detection, const struct calibration *calibration,
                         const uint16_t readings[READINGS]);

/* Return true if no magnet can make a Hall sensor give this reading. */
static inline bool is_out_of_range(uint16_t reading)
{
    return sees_colours() &&
           (reading <= STUCK_WITHIN || reading >= FULL_SCALE - STUCK_WITHIN);
}

/* Return the debounced state of a square. */
enum sensor_state detection_state(const struct detection *detection, uint8_t square);
