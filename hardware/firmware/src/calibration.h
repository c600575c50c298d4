/* What was learned of each sensor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "board.h"
#include "settings.h"

struct sensor {
    int8_t rest; /* what it reads on an empty square, counted from resting() */
    uint8_t threshold;  /* from so many counts beside its rest a piece is there */
};

struct calibration {
    struct sensor sensors[SQUARES]; /* by square */
};

/* A rest learned further than this from resting() would be a magnet, not a sensor: linear Hall sensors
 * are sold with up to 0.25 V, 51 counts, beside the middle (SS49E, data sheet). */
#define REST_LIMIT 60
/* Before anything is learned, the first walk with a piece over the squares has to work with any good part.
 *
 * An empty square reads at most 51 counts beside the middle, as above, 5 more by the converter (scan.h), and
 * beside pieces of 180 counts (SS49E, 6 mm, typical) 14 more, 8 % of them: 70 is never reached. A piece
 * moves its sensor by 300 counts, but by 128 if it is the least keen SS49E under a larger magnet: with 70 it
 * is seen on any sensor. One of 96 counts (the same at 7 mm) is seen where the sensor rests up to 26
 * counts the other way.
 *
 * The price is paid at the lower threshold. A sensor that rests more than 56 counts beside the middle does
 * not let go of a piece to whose side it leans, until it is calibrated. Most rest within 15.
 *
 * A switch goes all the way. */
#define USUAL_ON_COLOURS 70
#define USUAL_ON_PRESENCE 255

/* Below so many counts beside the rest a piece is gone: four fifths of the upper threshold, 14 % of a piece.
 * An army around a square takes away 6 % there with squares of 40 mm and 8 % with 35 mm; the rest is for
 * drift, and for squares that have learned from a weak piece. Exact for a byte, and no division. */
static inline uint8_t release_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold * 205U >> 8);
}

/* Below so many counts an empty square is empty, whatever those around it do: 13 % of a piece. */
static inline uint8_t empty_threshold(uint8_t threshold)
{
    return (uint8_t)(threshold - threshold / 4);
}

/* Further beside its rest than 10 % of a piece: more than neighbours do, and not yet a piece. */
static inline bool exceeds_crosstalk(const struct sensor *sensor, int16_t delta)
{
    return settings.on_per_cent * abs(delta) > 10 * sensor->threshold;
}

/* What to go by on a board that has never been calibrated. */
void calibration_default(struct calibration *calibration);

/* How far a reading is from the sensor's rest: positive is north up, negative is south up. */
static inline int16_t deflection(const struct sensor *sensor, uint16_t reading)
{
    return (int16_t)reading - resting() - sensor->rest;
}
