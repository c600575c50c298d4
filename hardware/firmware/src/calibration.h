/* What was learned of each sensor. */
#pragma once

#include <stdint.h>

#include "board.h"

struct sensor {
    int8_t rest; /* what it reads on an empty square, counted from RESTING */
    uint8_t on;  /* from so many counts beside its rest a piece is there: 40 % of a piece */
};

struct calibration {
    struct sensor sensors[SQUARES]; /* by square */
};

/* A rest learned further than this from RESTING would be a magnet, not a sensor: linear Hall sensors
 * are sold with up to 0.25 V, 51 counts, beside the middle (SS49E, data sheet). */
#define REST_LIMIT 60
/* A piece moves its sensor by about 300 counts. A switch goes all the way. */
#define USUAL_ON (BOARD_KIND == PRESENCE ? 255 : 120)

/* What to go by on a board that has never been calibrated. */
void calibration_usual(struct calibration *calibration);

/* How far a reading is from the sensor's rest: positive is north up, negative is south up. */
static inline int16_t deflection(const struct sensor *sensor, uint16_t reading)
{
    return (int16_t)reading - RESTING - sensor->rest;
}
