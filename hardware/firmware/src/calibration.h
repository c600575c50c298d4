/* Calibration values for each sensor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "board.h"
#include "settings.h"

struct sensor {
    int8_t rest;       /* reading on an empty square, relative to resting() */
    uint8_t threshold; /* deflection in counts at which a piece is detected */
};

struct calibration {
    struct sensor sensors[SQUARES]; /* by square */
};

/* Largest difference in counts between a calibrated resting level and resting(). A magnet must have
 * caused any larger difference. The resting level of linear Hall sensors is within 0.25 V (51
 * counts) of the middle (SS49E, data sheet). */
#define REST_LIMIT 60
/* Default detection threshold in counts. Before the first calibration, every good sensor must
 * detect a piece that is carried from square to square.
 *
 * An empty square reads at most 70 counts from the middle: 51 as above, 5 because of the
 * converter's error (scan.h), and 14 next to pieces that deflect their sensors by 180 counts
 * (SS49E, 6 mm, typical; crosstalk 8 %). A piece usually deflects its sensor by 300 counts. The
 * least sensitive SS49E under a larger magnet is deflected by 128, so with a threshold of 70 every
 * sensor detects the piece. A piece of 96 counts (the same sensor at 7 mm) is detected if the
 * sensor's resting level is at most 26 counts to the other side.
 *
 * Drawback: a sensor whose resting level is more than 56 counts from the middle does not release a
 * piece of the colour on that side until the sensor is calibrated. Most resting levels are within
 * 15 counts of the middle.
 *
 * The reading of a switch goes from one end of the range to the other. */
#define USUAL_ON_COLOURS 70
#define USUAL_ON_PRESENCE 255

/* Release threshold: four fifths of the detection threshold, or 14 % of a piece. An army around a
 * square takes off 6 % on 40 mm squares and 8 % on 35 mm squares. The remainder is the margin for
 * drift and for squares calibrated with a weak piece. Multiplication and shift are exact for a byte
 * and avoid a division. */
static inline uint8_t release_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold * 205U >> 8);
}

/* Deflection below which an empty square stays empty regardless of the pieces beside it: 13 % of a
 * piece. */
static inline uint8_t empty_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold - threshold / 4);
}

/* Return true if a deflection exceeds 10 % of a piece, which is more than crosstalk can cause. */
static inline bool exceeds_crosstalk(const struct sensor *sensor, int16_t delta)
{
    return settings.on_per_cent * abs(delta) > 10 * sensor->threshold;
}

/* Set the values for a board that has never been calibrated. */
void calibration_default(struct calibration *calibration);

/* Return the deflection of a reading from the sensor's resting level, in counts. It is positive
 * with a north pole up and negative with a south pole up. */
static inline int16_t deflection(const struct sensor *sensor, uint16_t reading)
{
    return (int16_t)reading - resting() - sensor->rest;
}
