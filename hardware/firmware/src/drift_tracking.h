/* Sensors wander with warmth, by more than low thresholds have room for. So the board follows them while it
 * plays, in small steps, and never on a square that may be occupied.
 *
 * One square is looked at a frame, all of them within 2 s: a round. A square that is believed empty, is not
 * faint and reads within 10 % of a piece is one of two kinds:
 *
 * - Free, with nothing on the eight squares around it: what it reads is its own drift. Its rest takes a
 *   step of one count towards the reading, if that is two counts away.
 * - Beside pieces: it reads what they do, too, up to 8 % to the other colour. Its own rest stays.
 *
 * Occupied squares and those beside pieces go where the others go, for all sensors are equally warm: a
 * step when the free ones have taken one on the average. Where few are free, as before the first move, a
 * step when those beside pieces read two counts off on the average, if there is as much of Red around
 * them as of Blue: then what the pieces do cancels.
 *
 * A piece that stands so badly that it is not seen is learned away within a minute, by 10 % at most; when
 * it is gone the rest comes back as fast. While the computer looks for such a piece nothing is followed. What calibration has saved is not touched. */
#pragma once

#include <stdint.h>

#include "calibration.h"
#include "detection.h"

/* So many squares tell how warm it is. */
#define MIN_TRACKED 8
/* A rest is followed no further from the middle. */
#define DRIFT_LIMIT 100
/* For so many frames nothing is followed after the computer has asked what is felt. */
#define HOLD_FRAMES 25

/* All zeros is the beginning. */
struct drift_tracking {
    uint8_t square;  /* the next to be looked at */
    uint8_t free_count;    /* free squares of this round */
    uint8_t beside_count;  /* squares of this round that are empty and beside pieces */
    int8_t step;     /* what the round before has decided for all that are not free */
    int16_t pending_steps;    /* steps of free squares that the others have not followed yet, summed up */
    int16_t beside_sum; /* what squares beside pieces read off their rest, summed up */
    uint8_t hold_frames;    /* so many frames are to go by before anything is followed */
    int16_t high_surplus;   /* what there is more around them of pieces that read high, summed up */
};

/* Lets everything stay as it is for a while: somebody looks for a piece that is hardly felt. */
void drift_hold(struct drift_tracking *tracking);

/* Takes the latest look into account, once a frame. */
void drift_track(struct drift_tracking *tracking, struct calibration *calibration,
                const struct detection *detection, const uint16_t readings[READINGS]);
