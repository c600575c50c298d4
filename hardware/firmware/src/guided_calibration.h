/* The guided calibration, a step at a time, as docs/protocol.md tells it.
 *
 * EMPTY and ARMIES average LEARN_LOOKS readings of each square, one a frame: 0.64 s. They work on a
 * copy; what is in use stays in use until SAVE has written it (store.h). While a step is under way
 * every other one, ABORT too, is out of order: it will be over within a second.
 *
 * EMPTY refuses squares that the calibration in use believes occupied. If a sensor was exchanged for one
 * that rests elsewhere, this would be so for ever: FORGET puts that calibration aside. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "protocol.h"
#include "detection.h"
#include "squares.h"

/* 32 readings of at most 1023 fit a sum of 16 bits. */
#define CALIBRATION_PASSES 32

/* A magnet with less than half of the others' strength is weak: on squares that have learned from others it
 * is seen only near the middle. Less than 80 counts are too few for any board: noise
 * and neighbours would come near the thresholds. */
#define WEAKEST 80

/* With less than an eighth of the others' strength nothing is felt at all. Neighbours alone do at most
 * 10 %: 8 % of a piece's own field, on a sensor 5 % keener than others, while the same neighbours weaken
 * the pieces around it by 8 %. Noise and drift between the steps are a few counts. Where most pieces
 * are missing the others are no measure; a tenth of the usual 300 counts is then. */
#define FAINTEST 30

/* All zeros is nothing learned. */
struct guided_calibration {
    uint8_t active_step; /* the step, ABORT if none */
    uint8_t completed_step;   /* the step up to which the copy is good, ABORT for none of it */
    uint8_t passes;
    uint8_t occupied[SQUARE_SET]; /* squares on which a piece was believed to stand */
    uint16_t *sums; /* of what each square has read: room that the senses lend for as long as a step lasts (creep.h) */
    struct calibration copy;
};

/* Begins a step. EMPTY, ARMIES and SAVE are then under way; ABORT and FORGET are done at once. */
enum calibration_result calibrate_begin(struct guided_calibration *guided, enum calibration_step step);

/* Takes the latest look into account. Returns true once EMPTY or ARMIES has seen enough. */
bool calibrate_add_pass(struct guided_calibration *guided, struct detection *detection,
                const uint16_t readings[READINGS]);

/* Ends EMPTY or ARMIES, and tells what came of it. What it has borrowed is to be forgotten then (creep_forget). */
void calibrate_finish(struct guided_calibration *guided, struct calibration_reply *reply);

/* Ends SAVE: what was learned is in use now, and the next calibration starts anew. */
void calibrate_saved(struct guided_calibration *guided);
