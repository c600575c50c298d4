/* What is wrong with the sensors, as far as the board can tell by itself.
 *
 * Stuck: at one end of the range throughout, where no magnet brings a Hall sensor (its output stays
 * 0.2 V from both rails: 41 counts). The channel has lost its sensor or is short. Switches live there,
 * so a board of them has no such fault.
 *
 * Drift: an empty square away from its calibrated rest throughout, by more than 10 % of a piece:
 * beyond what neighbours do (8 %), and before the 14 % above which a square is not released.
 *
 * "Throughout" is FAULT_FRAMES, 3 s, longer than a hand holds a piece above a square. Then the faults
 * are told, one a frame, and the watch starts again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "protocol.h"
#include "sense.h"
#include "squares.h"

#define FAULT_FRAMES (3000 / STATE_INTERVAL_MS)
#define STUCK_WITHIN 15

struct faults {
    uint8_t frames;              /* watched */
    uint8_t told;                /* squares told of after that */
    uint8_t stuck[SQUARE_SET];   /* all the time so far */
    uint8_t drifted[SQUARE_SET];
};

void faults_start(struct faults *faults);

/* Takes the latest look into account, once a frame. Returns true if a fault is to be told. */
bool faults_look(struct faults *faults, const struct senses *senses,
                 const struct calibration *calibration, const uint16_t readings[INPUTS],
                 enum fault_code *code, uint8_t *square);
