/* Sensor faults that the board detects by itself.
 *
 * Stuck: at an end of the range, where no magnet brings a Hall sensor (detection.h), in every pass
 * of two consecutive frames. The sensor or its wire is shorted, or the wire is open; main.c
 * distinguishes these by scan_after(). Switches rest at an end of the range, so a board of them has
 * no such fault.
 *
 * Dying: the reading moves evenly in one direction, to where it would show another state, as no
 * hand does (slow_change.h).
 *
 * Both are reported 20 to 60 ms after they begin, up to two squares a frame, and repeated every
 * half second as long as they last; many of them in turn.
 *
 * Drift: an empty square is off its calibrated rest by more than 10 % of a piece for FAULT_FRAMES,
 * 3 s. That is beyond crosstalk (8 %), before the 14 % above which a square is not released, and
 * longer than a hand holds a piece above a square. Then it is reported, and the next period starts. */
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
    uint8_t was_in_range[SQUARE_SET]; /* in the previous frame */
    uint8_t bad[SQUARE_SET];          /* stuck or dying now */
    uint8_t reported[SQUARE_SET];     /* those of `bad` that were reported in this round */
    uint8_t round_frames;             /* since its start */
    uint8_t drift_frames;             /* of this period */
    uint8_t next_drifted;             /* square to be reported next, after the period */
    uint8_t drifted[SQUARE_SET];      /* in all frames of this period */
};

void faults_start(struct faults *faults);

/* Process the passes of a frame, and start the next frame of `detection`. */
void faults_update(struct faults *faults, struct detection *detection,
                   const struct calibration *calibration, const uint16_t readings[READINGS]);

/* Return true, with code and square, if a fault is to be reported now. */
bool faults_next(struct faults *faults, const struct detection *detection, enum fault_code *code,
                 uint8_t *square);
