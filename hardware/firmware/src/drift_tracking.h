/* Drift tracking: the resting levels of the sensors follow the temperature during a game.
 *
 * Sensors drift by more than low thresholds permit. Resting levels are changed in small steps, and
 * never from the reading of a square that may be occupied.
 *
 * One square is processed per frame, and all of them in a round of 2 s. A square that is empty, not
 * faint and within 10 % of a piece belongs to one of two groups:
 *
 * - Free, with no piece on the eight squares around it: its reading is its own drift. Its resting
 *   level moves by one count towards the reading if the reading is at least two counts away.
 * - Beside pieces: its reading contains their crosstalk, up to 8 % towards the other colour. It
 *   does not change its own resting level.
 *
 * Occupied squares and squares beside pieces follow the others, as all sensors have the same
 * temperature: they move by one count when the free squares have moved by one on average. If few
 * are free, as before the first move, they move when the squares beside pieces read at least two
 * counts off on average and have as much red as blue around them, so that crosstalk cancels.
 *
 * A piece that is so far off-centre that it is not detected is absorbed into the resting level
 * within a minute, by at most 10 %. Once the piece is gone, the resting level returns as quickly.
 * While the computer searches for such a piece, tracking is suspended. The saved calibration is
 * never changed. */
#pragma once

#include <stdint.h>

#include "calibration.h"
#include "detection.h"

/* Minimum number of squares for an average. */
#define MIN_TRACKED 8
/* Largest distance of a tracked resting level from resting(), in counts. */
#define DRIFT_LIMIT 100
/* Frames for which tracking is suspended after a SEND_FELT. */
#define HOLD_FRAMES 25

/* Initialise with zeros. */
struct drift_tracking {
    uint8_t square;        /* next to be processed */
    uint8_t free_count;    /* free squares in this round */
    uint8_t beside_count;  /* squares beside pieces in this round */
    int8_t step;           /* of all squares that are not free, decided in the previous round */
    int16_t pending_steps; /* sum of the free squares' steps that the others have not followed yet */
    int16_t beside_sum;    /* sum of the deflections of squares beside pieces */
    uint8_t hold_frames;   /* frames until tracking resumes */
    int16_t high_surplus;  /* sum over squares beside pieces */
};

/* Suspend tracking for HOLD_FRAMES: the computer is searching for a piece below the thresholds. */
void drift_hold(struct drift_tracking *tracking);

/* Process one square with the readings of the latest pass. Call once per frame. */
void drift_track(struct drift_tracking *tracking, struct calibration *calibration,
                 const struct detection *detection, const uint16_t readings[READINGS]);
