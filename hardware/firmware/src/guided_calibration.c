#include "guided_calibration.h"

#include <stdlib.h>
#include <string.h>

#include "geometry.h"

/* Red is on the first forty squares, Blue on the last forty. */
#define ARMY 40
#define BLUE_FROM (SQUARES - ARMY)

enum calibration_result calibrate_begin(struct guided_calibration *guided, enum calibration_step step)
{
    if (guided->active_step != ABORT)
        return OUT_OF_ORDER;
    if (step == ABORT || step == FORGET) {
        guided->completed_step = ABORT;
        return DONE;
    }
    if (step != EMPTY && guided->completed_step < step - 1)
        return OUT_OF_ORDER;
    guided->active_step = step;
    guided->passes = 0;
    memset(guided->occupied, 0, sizeof guided->occupied);
    return DONE;
}

/* A square is occupied if it is occupied according to the current calibration or, because that may
 * be outdated or missing, if its reading is further from the middle than any resting level. A
 * single pass suffices; otherwise, a passing piece would be averaged into the resting level. */
bool calibrate_add_pass(struct guided_calibration *guided, struct detection *detection,
                        const uint16_t readings[READINGS])
{
    if (guided->active_step != EMPTY && guided->active_step != ARMIES)
        return false;
    if (guided->passes == 0)
        guided->sums = slow_change_lend(&detection->slow);
    for (uint8_t square = 0; square < SQUARES; square++) {
        uint16_t reading = readings[square];
        guided->sums[square] += reading;
        if (detection_state(detection, square) != NO_PIECE ||
            abs((int16_t)reading - resting()) > REST_LIMIT)
            squares_add(guided->occupied, square);
    }
    return ++guided->passes == CALIBRATION_PASSES;
}

static int16_t mean_reading(const struct guided_calibration *guided, uint8_t square)
{
    return (int16_t)((guided->sums[square] + CALIBRATION_PASSES / 2) / CALIBRATION_PASSES);
}

static void finish_empty(struct guided_calibration *guided, struct calibration_reply *reply)
{
    if (squares_any(guided->occupied)) {
        calibration_reply_add(reply, OCCUPIED, guided->occupied);
        return;
    }
    for (uint8_t square = 0; square < SQUARES; square++)
        guided->copy.sensors[square].rest = (int8_t)(mean_reading(guided, square) - resting());
    guided->completed_step = EMPTY;
    calibration_reply_add(reply, DONE, guided->occupied); /* no squares */
}

static bool in_armies(uint8_t square)
{
    return square < ARMY || square >= BLUE_FROM;
}

static int16_t measured_deflection(const struct guided_calibration *guided, uint8_t square)
{
    return deflection(&guided->copy.sensors[square], (uint16_t)mean_reading(guided, square));
}

/* Absolute deflection in counts. */
static uint16_t strength(const struct guided_calibration *guided, uint8_t square)
{
    return (uint16_t)abs(measured_deflection(guided, square));
}

/* For Hall sensors, which use half of the scale, a threshold always fits into a byte. For switches
 * it is limited to a byte. */
static uint8_t to_threshold(uint16_t strength)
{
    uint16_t threshold = (uint16_t)((uint32_t)strength * settings.on_per_cent / 100);
    return threshold < UINT8_MAX ? (uint8_t)threshold : UINT8_MAX;
}

/* Return the smallest strength that at least half of the pieces do not exceed. Ten bisections of
 * the scale need no memory for sorting. */
static uint16_t median_strength(const struct guided_calibration *guided)
{
    uint16_t low = 0, high = FULL_SCALE;
    while (low < high) {
        uint16_t middle = low + (high - low) / 2;
        uint8_t reached = 0;
        for (uint8_t square = 0; square < SQUARES; square++)
            reached += in_armies(square) && strength(guided, square) <= middle;
        if (reached >= ARMY)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool is_flipped(const struct guided_calibration *guided, uint8_t square)
{
    bool is_high = measured_deflection(guided, square) > 0, is_red = square < ARMY;
    return sees_colours() && is_high != (is_red != wiring->is_red_low);
}

static enum calibration_result evaluate(const struct guided_calibration *guided, uint8_t square,
                                        uint16_t median)
{
    uint16_t measured = strength(guided, square);
    if (measured < FAINTEST || measured < median / 8)
        return MISSING;
    if (measured < WEAKEST || measured < median / 2)
        return WEAK;
    return is_flipped(guided, square) ? FLIPPED : DONE;
}

static void finish_armies(struct guided_calibration *guided, struct calibration_reply *reply)
{
    uint8_t squares_of[CALIBRATION_RESULTS][SQUARE_SET] = {0};
    uint16_t median = median_strength(guided);
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (in_armies(square))
            squares_add(squares_of[evaluate(guided, square, median)], square);
    }
    for (uint8_t result = DONE + 1; result < CALIBRATION_RESULTS; result++) {
        if (squares_any(squares_of[result]))
            calibration_reply_add(reply, result, squares_of[result]);
    }
    if (reply->count > 0)
        return;
    for (uint8_t square = 0; square < SQUARES; square++)
        guided->copy.sensors[square].threshold =
            to_threshold(in_armies(square) ? strength(guided, square) : median);
    guided->completed_step = ARMIES;
    calibration_reply_add(reply, DONE, squares_of[WEAK]); /* no squares */
}

void calibrate_finish(struct guided_calibration *guided, struct calibration_reply *reply)
{
    reply->step = guided->active_step;
    reply->count = 0;
    if (guided->active_step == EMPTY)
        finish_empty(guided, reply);
    else
        finish_armies(guided, reply);
    guided->active_step = ABORT;
}

void calibrate_saved(struct guided_calibration *guided)
{
    guided->active_step = ABORT;
    guided->completed_step = ABORT;
}
