/* What is wrong with the sensors, as far as the board can tell by itself.
 *
 * Stuck: at one end of the range, where no magnet brings a Hall sensor (sense.h), at every look of two
 * frames in a row. Its wire or its sensor is short, or its wire is open, which main tells apart by
 * scan_after. Switches live there, so a board of them has no such fault.
 *
 * Dying: going evenly one way, to where it shows something else, as no hand does (creep.h).
 *
 * Both are told 20 to 60 ms after they have begun, two squares a frame, and every half a second again
 * as long as they last; if there are many, in turn.
 *
 * Drift: an empty square away from its calibrated rest throughout, by more than 10 % of a piece:
 * beyond what neighbours do (8 %), and before the 14 % above which a square is not released.
 *
 * "Throughout" is FAULT_FRAMES, 3 s, longer than a hand holds a piece above a square. Then the faults
 * are told, and the watch starts again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "protocol.h"
#include "detection.h"
#include "squares.h"

#define FAULT_FRAMES (3000 / STATE_INTERVAL_MS)
#define REPEAT_FRAMES (500 / STATE_INTERVAL_MS)

struct faults {
    uint8_t was_in_range[SQUARE_SET]; /* not stuck in the frame before */
    uint8_t bad[SQUARE_SET];      /* stuck or dying by now */
    uint8_t reported[SQUARE_SET];     /* of those, in the present round */
    uint8_t round_frames;         /* since that began */
    uint8_t drift_frames;              /* frames, for drift */
    uint8_t next_drifted;         /* the square to be told of next, after that */
    uint8_t drifted[SQUARE_SET];  /* all the time so far */
};

void faults_start(struct faults *faults);

/* Takes the looks of a frame into account, and begins the next frame of the senses. */
void faults_update(struct faults *faults, struct detection *detection,
                 const struct calibration *calibration, const uint16_t readings[READINGS]);

/* Returns true if there is a fault to be told now. */
bool faults_next(struct faults *faults, const struct detection *detection, enum fault_code *code,
                 uint8_t *square);
