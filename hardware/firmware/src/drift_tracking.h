/* Drift tracking: the sensors' resting levels follow the temperature during a game.
 *
 * Sensors drift by more than low thresholds permit. Resting levels are adjusted in small steps, but
 * never based on the reading of a square that may be occupied.
 *
 * One square is processed per frame, and all squares in a round of 2 s. A square that is empty, not
 * faint and within 10 % of a piece belongs to one of two groups:
 *
 * - Free: there is no piece on the eight surrounding squares, so the deviation of its reading is
 *   its own drift. Its resting level moves by one count towards the reading if the reading is at
 *   least two counts away.
 * - Beside pieces: its reading includes crosstalk from them, up to 8 % towards the other colour.
 *   The reading does not change the square's own resting level.
 *
 * All sensors have the same temperature, so occupied squares and squares beside pieces follow the
 * free squares: their resting levels move by one count when those of the free squares have moved by
 * one count on average. If few squares are free, as before the first move, resting levels move when
 * the squares beside pieces read at least two counts off on average and have as much red as blue
 * around them, so that crosstalk cancels.
 *
 * A piece so far off-centre that it is not detected is absorbed into the resting level within a
 * minute, by at most 10 %. Once the piece is gone, the resting level returns equally quickly. While
 * the computer searches for such a piece, tracking is suspended. The saved calibration is never
 * changed. */
#pragma once

#include <stdint.h>

#include "calibration.h"
#include "detection.h"

/* Minimum number of squares from which an average is taken. */
#define MIN_TRACKED 8
/* Largest difference, in counts, between a tracked resting level and resting(). */
#define DRIFT_LIMIT 100
/* Number of frames for which tracking is suspended after a SEND_FELT. */
#define HOLD_FRAMES 25

/* Initialise with zeros. */
struct drift_tracking {
    uint8_t square;        /* next square to be processed */
    uint8_t free_count;    /* free squares in this round */
    uint8_t beside_count;  /* squares beside pieces in this round */
    int8_t step;           /* step of all squares that are not free, decided in the previous round
                            * */
    int16_t pending_steps; /* sum of the free squares' steps not yet followed by other squares */
    int16_t beside_sum;    /* sum of the deflections of squares beside pieces */
    uint8_t hold_frames;   /* frames until tracking resumes */
    int16_t high_surplus;  /* surplus of pieces that read high around squares beside pieces */
};

/* Suspend tracking for HOLD_FRAMES, because the computer is searching for a piece below the
 * thresholds. */
void drift_hold(struct drift_tracking *tracking);

/* Process one square, using the readings from the latest pass. Call once per frame. */
void drift_track(struct drift_tracking *tracking, struct calibration *calibration,
                 const struct detection *detection, const uint16_t readings[READINGS]);
