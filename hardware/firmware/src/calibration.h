/* Calibration values of each sensor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "board.h"
#include "settings.h"

struct sensor {
    int8_t rest;       /* reading on an empty square, relative to resting() */
    uint8_t threshold; /* deflection from which a piece is detected, in counts */
};

struct calibration {
    struct sensor sensors[SQUARES]; /* by square */
};

/* Largest distance of a calibrated resting level from resting(), in counts; a larger distance is
 * caused by a magnet. The resting level of linear Hall sensors is up to 0.25 V, 51 counts, from the
 * middle (SS49E, data sheet). */
#define REST_LIMIT 60
/* Default detection threshold, in counts. Before the first calibration a piece carried from square
 * to square has to be detected by any good part.
 *
 * An empty square reads at most 70 counts from the middle: 51 as above, 5 by the converter's error
 * (scan.h), and 14 next to pieces that deflect their sensors by 180 counts (SS49E, 6 mm, typical;
 * crosstalk 8 %). A piece usually deflects its sensor by 300 counts; the least sensitive SS49E
 * under a larger magnet by 128, so with a threshold of 70 it is detected on any sensor. A piece of
 * 96 counts (the same sensor at 7 mm) is detected if the sensor's resting level is at most 26
 * counts to the other side.
 *
 * Drawback at the release threshold: a sensor whose resting level is more than 56 counts from the
 * middle does not release a piece of the colour on that side until it is calibrated. Most resting
 * levels are within 15 counts.
 *
 * A switch goes from one end of the range to the other. */
#define USUAL_ON_COLOURS 70
#define USUAL_ON_PRESENCE 255

/* Release threshold: four fifths of the detection threshold, 14 % of a piece. An army around a
 * square takes off 6 % on squares of 40 mm and 8 % on 35 mm; the remainder is left for drift, and
 * for squares calibrated with a weak piece. The shifts are exact for a byte and need no
 * division. */
static inline uint8_t release_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold * 205U >> 8);
}

/* Deflection below which an empty square stays empty whatever pieces are beside it: 13 % of a
 * piece. */
static inline uint8_t empty_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold - threshold / 4);
}

/* Return true if a deflection is above 10 % of a piece: more than crosstalk causes. */
static inline bool exceeds_crosstalk(const struct sensor *sensor, int16_t delta)
{
    return settings.on_per_cent * abs(delta) > 10 * sensor->threshold;
}

/* Set the values of a board that was never calibrated. */
void calibration_default(struct calibration *calibration);

/* Return the deflection of a reading from the sensor's resting level, in counts: positive for a
 * north pole up, negative for a south pole up. */
static inline int16_t deflection(const struct sensor *sensor, uint16_t reading)
{
    return (int16_t)reading - resting() - sensor->rest;
}
