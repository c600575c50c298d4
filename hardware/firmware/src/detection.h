/* Detection of pieces: thresholds with hysteresis, debouncing, colour by polarity.
 *
 * Thresholds: a piece is detected from 17 % of the deflection calibrated for its square, and
 * released below 14 % (calibration.h). A neighbour's field has the opposite sign, so an army around
 * an empty square deflects it by 6 to 8 % of a piece towards the other colour. Near a threshold
 * this crosstalk is subtracted (crosstalk.h); on an empty square a deflection below 13 % is not a
 * piece, whatever is around it.
 *
 * A reading at either end of the range has no colour (faults.h): the square keeps its state. The
 * same applies to a square whose wire is open (scan_is_open()), which is tested before a change is
 * accepted.
 *
 * Debouncing: a square that differs from its debounced state is read a second time in the same
 * pass, and both readings have to agree, so a spike on a single conversion changes nothing. A pass
 * has time for MAX_SUDDEN second readings after large changes, and further large changes are
 * accepted without one. It has time for MAX_SMALL second readings after small changes
 * (slow_change.h); further small changes wait for a later pass. A change is accepted when two
 * consecutive passes agree, 0.5 to 5.7 ms apart (timer.h, scan.h), so the edge of a movement
 * changes nothing either. Red for blue, or blue for red, takes a third pass: no hand exchanges two
 * pieces within a pass. A hand trembles for longer than a quick debouncing could last, so the
 * computer waits until the board is steady. The time of a change is the time of the first of these
 * passes.
 *
 * Bursts: if more than MAX_SUDDEN squares change at once or newly leave the range, this is a
 * disturbance from outside, not a hand, and the pass is skipped. After MAX_SKIPPED skipped passes
 * in a row, passes count again; otherwise a whole army set up at once would never be detected.
 *
 * Supply: the output of a Hall sensor is proportional to its supply, and tiles have another one than
 * the converter. With a supply 0.5 V lower every empty square would show a piece. So if more than
 * MAX_SUDDEN empty squares read too low by 15 % of a piece up to MOST_SAG, and at most an eighth as
 * many read as usual, the supply is low, and the pass is skipped, however long that lasts. Crosstalk
 * of 8 % and a drift of 5 %, which is the most that is tolerated, stay below this limit.
 *
 * A small change is observed for some more passes, and a change that is slower than a hand is
 * observed until it has come to rest (slow_change.h).
 *
 * Faint: a reading between the release threshold and 21 %, a quarter above the detection threshold.
 * A little more or less would change the state: a weak magnet, a piece away from the middle of its
 * square, or a piece in a hand that passes. A square that differs only in its latest pass is also
 * faint, because the change may be gone already.
 *
 * Red pieces have their north pole up, blue ones their south pole. On a board wired by hand red
 * reads high (about 800) and blue low (200), on tiles the other way round. STATE translates the
 * readings (protocol.c). */
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

/* Distance from either end of the range, in counts, within which no reading is caused by a magnet:
 * the output of a linear Hall sensor stays 0.2 V, 41 counts, from both rails (DRV5055, data
 * sheet). */
#define STUCK_WITHIN 39

/* Number of squares that a pass has time to check with crosstalk. If more squares are near a
 * threshold at once, no pieces were placed there. */
#define MAX_CROSSTALK_CHECKS 12
/* Number of changed squares whose wires a pass has time to check. With a check of up to six squares
 * the frame in which whole armies appeared was 0.9 ms later (emulator). */
#define MAX_WIRE_CHECKS 1
#define MAX_SUDDEN 6
#define MAX_SMALL 12
#define MAX_SKIPPED 3
#define JUST_STARTED (MAX_SKIPPED + 1) /* all pieces appear at once, and no pass is skipped */
/* With 3 V of 5, just enough for a sensor, its resting level is 205 counts lower, and with crosstalk
 * 229. A piece in the middle of its square deflects by 300, and by 276 amid others. */
#define MOST_SAG 230
/* Empty squares that may read as usual, because a hand holds a piece above them or they deviate.
 * Chosen by judgement, not measured. */
#define MOST_OTHERS 3
/* Enough for the first pass of the longest exact count and the pass before it. */
#define PASSES_KEPT MAX_COUNT

/* Start time and direction of a scan pass. */
struct pass {
    uint16_t start;
    bool backwards;
};

struct detection {
    uint8_t debounced[PACKED_STATE];   /* accepted states, two bits per square */
    uint8_t latest[PACKED_STATE];      /* states in the latest pass */
    uint8_t faint[SQUARE_SET];         /* state may be wrong */
    uint8_t out_of_range[SQUARE_SET];  /* at an end of the range in the latest pass */
    uint8_t rising[SQUARE_SET];        /* direction of each counter: set if it counts higher readings */
    uint8_t ever_in_range[SQUARE_SET]; /* in range in any pass of this frame */
    uint8_t skipped;                   /* consecutive skipped passes */
    uint16_t sag;                      /* counts that a low supply took off in the latest pass */
    uint8_t suspect;                   /* square whose wire seemed open, NO_READING if none */
    bool backwards;                    /* direction of the next pass */
    struct pass passes[PASSES_KEPT];   /* latest first */
    struct debounce debounce;
    struct changes changes;
    struct slow_changes slow;
};

/* Start with an empty board. Pieces that are on it at the start appear all at once and are not
 * taken for a burst. */
void detection_start(struct detection *detection);

/* Process a scan pass that began at `start` (ticks, timer.h) in the given direction. Readings are
 * indexed by square; second readings are taken by scan_channel(). */
void detection_add_pass(struct detection *detection, const struct calibration *calibration,
                        const uint16_t readings[READINGS], uint16_t start, bool backwards);

/* Process the end of a frame, after its passes: update the past readings. */
void detection_end_frame(struct detection *detection, const struct calibration *calibration,
                         const uint16_t readings[READINGS]);

/* Return true if no magnet can cause this reading of a Hall sensor. */
static inline bool is_out_of_range(uint16_t reading)
{
    return sees_colours() &&
           (reading <= STUCK_WITHIN || reading >= FULL_SCALE - STUCK_WITHIN);
}

/* Return the debounced state of a square. */
enum sensor_state detection_state(const struct detection *detection, uint8_t square);
