/* Guided calibration, step by step (LEARN in docs/protocol.md).
 *
 * EMPTY and ARMIES average CALIBRATION_PASSES readings of each square, one per frame, which takes
 * 0.64 s. These steps work on a copy; the current calibration remains in use until SAVE has written
 * the copy (store.h). While a step is active, every other step, even ABORT, is OUT_OF_ORDER,
 * because the active step ends within a second.
 *
 * EMPTY refuses squares that are occupied according to the current calibration. If a sensor has
 * been replaced by one with a different resting level, EMPTY would always be refused. FORGET
 * therefore disables the current calibration. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "detection.h"
#include "protocol.h"
#include "squares.h"

/* The sum of 32 readings of at most 1023 fits into 16 bits. */
#define CALIBRATION_PASSES 32

/* A magnet with less than half the median strength is weak: on a square calibrated with a typical
 * magnet, it is detected only near the middle. A magnet of less than 80 counts is too weak for any
 * board, because noise and crosstalk would come near the thresholds. */
#define WEAKEST 80

/* A magnet with less than an eighth of the median strength is missing. Crosstalk alone reaches at
 * most 10 %: 8 % of a piece, on a sensor 5 % more sensitive than other sensors, while the same
 * neighbours weaken the surrounding pieces by 8 %. Noise and drift between the steps are a few
 * counts. If most pieces are missing, the median is meaningless, and the limit is a tenth of the
 * usual 300 counts. */
#define FAINTEST 30

/* Initialise with zeros. */
struct guided_calibration {
    uint8_t active_step;    /* ABORT if no step is active */
    uint8_t completed_step; /* last step for which the copy is valid, or ABORT */
    uint8_t passes;
    uint8_t occupied[SQUARE_SET]; /* squares occupied in any pass of the active step */
    uint16_t *sums;               /* sum of each square's readings, in memory borrowed from
                                   * slow_change.h */
    struct calibration copy;
};

/* Start a step. EMPTY, ARMIES and SAVE remain active; ABORT and FORGET complete immediately. */
enum calibration_result calibrate_begin(struct guided_calibration *guided, enum calibration_step step);

/* Add the readings of the latest pass. Return true when EMPTY or ARMIES has enough readings. */
bool calibrate_add_pass(struct guided_calibration *guided, struct detection *detection,
                        const uint16_t readings[READINGS]);

/* Finish EMPTY or ARMIES, and write the reply. Afterwards, call slow_change_reset() to return the
 * borrowed memory. */
void calibrate_finish(struct guided_calibration *guided, struct calibration_reply *reply);

/* Finish SAVE. The next calibration starts with EMPTY. */
void calibrate_saved(struct guided_calibration *guided);
