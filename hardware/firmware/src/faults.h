/* Sensor faults detected by the board itself.
 *
 * Stuck: in every pass of two consecutive frames, the reading is at an end of the range, which no
 * magnet can cause (detection.h). The sensor or its wire is shorted, or the wire is open. main.c
 * distinguishes between these causes, and also finds open wires on which hum causes another level.
 * The resting level of switches is at an end of the range, so a board with switches has no such
 * fault.
 *
 * Dying: the reading moves evenly in one direction until it would show another state. No hand
 * causes such a movement (slow_change.h).
 *
 * Both faults are reported 20 to 60 ms after they begin, for up to two squares per frame, and the
 * report is repeated every half second for as long as they last. Multiple faults are reported in
 * turn.
 *
 * Drift: for FAULT_FRAMES (3 s), an empty square differs from its calibrated resting level by more
 * than 10 % of a piece. This limit is above crosstalk (8 %) and below the 14 % above which a square
 * is not released. A hand does not hold a piece above a square for 3 s. After this period the drift
 * is reported, and the next period starts. */
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
    uint8_t was_in_range[SQUARE_SET]; /* squares in range in the previous frame */
    uint8_t bad[SQUARE_SET];          /* squares that are stuck or dying now */
    uint8_t reported[SQUARE_SET];     /* squares of `bad` that were reported in this round */
    uint8_t round_frames;             /* frames since the start of this round */
    uint8_t drift_frames;             /* frames since the start of this period */
    uint8_t next_drifted;             /* next square to be reported after the period */
    uint8_t drifted[SQUARE_SET];      /* squares off the resting level in all frames of this period
                                       * */
};

void faults_start(struct faults *faults);

/* Process the passes of a frame and start the next frame of `detection`. */
void faults_update(struct faults *faults, struct detection *detection,
                   const struct calibration *calibration, const uint16_t readings[READINGS]);

/* Return true and set code and square if a fault is to be reported now. */
bool faults_next(struct faults *faults, const struct detection *detection, enum fault_code *code,
                 uint8_t *square);
