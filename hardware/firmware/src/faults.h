/* Sensor faults that the board detects by itself.
 *
 * Stuck: the reading is at an end of the range, which no magnet causes (detection.h), in every pass
 * of two consecutive frames. The sensor or its wire is shorted, or the wire is open; main.c
 * distinguishes these causes, and finds open wires that hum moves to another level. The resting
 * level of switches is at an end of the range, so a board of switches has no such fault.
 *
 * Dying: the reading moves evenly in one direction, to where it would show another state. No hand
 * does that (slow_change.h).
 *
 * Both faults are reported 20 to 60 ms after they begin, up to two squares per frame, and are
 * repeated every half second as long as they last. Many faults are reported in turn.
 *
 * Drift: an empty square differs from its calibrated resting level by more than 10 % of a piece for
 * FAULT_FRAMES, 3 s. This limit is beyond crosstalk (8 %) and below the 14 % above which a square
 * is not released, and 3 s is longer than a hand holds a piece above a square. Then the drift is
 * reported, and the next period starts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "detection.h"
#include "protocol.h"
#include "squares.h"

#define FAULT_FRAMES (3000 / STATE_INTERVAL_MS)
#define REPEAT_FRAMES (500 / STATE_INTERVAL_MS)

struct faults {
    uint8_t was_in_range[SQUARE_SET]; /* in range in the previous frame */
    uint8_t bad[SQUARE_SET];          /* stuck or dying now */
    uint8_t reported[SQUARE_SET];     /* squares of `bad` that were reported in this round */
    uint8_t round_frames;             /* since the start of this round */
    uint8_t drift_frames;             /* frames of this period */
    uint8_t next_drifted;             /* square to be reported next, after the period */
    uint8_t drifted[SQUARE_SET];      /* off the resting level in all frames of this period */
};

void faults_start(struct faults *faults);

/* Process the passes of a frame, and start the next frame of `detection`. */
void faults_update(struct faults *faults, struct detection *detection,
                   const struct calibration *calibration, const uint16_t readings[READINGS]);

/* Return true, with code and square, if a fault is to be reported now. */
bool faults_next(struct faults *faults, const struct detection *detection, enum fault_code *code,
                 uint8_t *square);
