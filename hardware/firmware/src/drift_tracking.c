#include "drift_tracking.h"

static bool is_empty(const struct detection *detection, uint8_t square)
{
    return detection_state(detection, square) == NO_PIECE && !squares_has(detection->faint, square);
}

/* Pieces on the neighbours of a square. */
struct neighbours {
    bool free; /* there are none */
    /* Weight of the pieces that read high minus the weight of the pieces that read low. Diagonal
     * pieces count 1, other pieces 3. */
    int8_t high_surplus;
};

static struct neighbours neighbours_of(const struct detection *detection, uint8_t square)
{
    uint8_t row = square / WIDTH, column = square % WIDTH;
    struct neighbours neighbours = {true, 0};
    for (uint8_t y = row > 0 ? row - 1 : 0; y <= row + 1 && y < WIDTH; y++) {
        for (uint8_t x = column > 0 ? column - 1 : 0; x <= column + 1 && x < WIDTH; x++) {
            uint8_t other = (uint8_t)(WIDTH * y + x);
            if (is_empty(detection, other))
                continue;
            int8_t share = x == column || y == row ? 3 : 1;
            enum sensor_state state = detection_state(detection, other);
            neighbours.free = false;
            neighbours.high_surplus = (int8_t)(neighbours.high_surplus +
                                               (state == HIGH ? share : state == LOW ? -share : 0));
        }
    }
    return neighbours;
}

/* Return a step of one count towards a reading that is at least two counts away, otherwise 0. */
static int8_t step_to(int16_t delta)
{
    return (int8_t)((delta >= 2) - (delta <= -2));
}

static void shift_rest(struct sensor *sensor, int8_t step)
{
    int8_t rest = (int8_t)(sensor->rest + step);
    if (abs(rest) <= DRIFT_LIMIT)
        sensor->rest = rest;
}

static int8_t common_step(const struct drift_tracking *tracking)
{
    if (tracking->free_count >= MIN_TRACKED)
        return (int8_t)((tracking->pending_steps >= tracking->free_count) -
                        (tracking->pending_steps <= -tracking->free_count));
    if (tracking->beside_count >= MIN_TRACKED && abs(tracking->high_surplus) <= tracking->beside_count)
        return step_to(tracking->beside_sum / tracking->beside_count);
    return 0;
}

static void end_round(struct drift_tracking *tracking)
{
    int8_t step = common_step(tracking);
    int16_t pending_steps =
        tracking->free_count < MIN_TRACKED ? 0 : tracking->pending_steps - step * tracking->free_count;
    *tracking = (struct drift_tracking){.step = step, .pending_steps = pending_steps};
}

void drift_hold(struct drift_tracking *tracking)
{
    tracking->hold_frames = HOLD_FRAMES;
}

void drift_track(struct drift_tracking *tracking, struct calibration *calibration,
                 const struct detection *detection, const uint16_t readings[READINGS])
{
    if (tracking->hold_frames > 0) {
        tracking->hold_frames--;
        return;
    }
    uint8_t square = tracking->square++;
    struct sensor *sensor = &calibration->sensors[square];
    int16_t delta = deflection(sensor, readings[square]);
    bool may_be_occupied = !is_empty(detection, square) || exceeds_crosstalk(sensor, delta);
    struct neighbours neighbours = neighbours_of(detection, square);
    if (!may_be_occupied && neighbours.free) {
        int8_t step = step_to(delta);
        shift_rest(sensor, step);
        tracking->pending_steps += step;
        tracking->free_count++;
    } else {
        shift_rest(sensor, tracking->step);
        if (!may_be_occupied) {
            tracking->beside_sum += delta;
            tracking->high_surplus += neighbours.high_surplus;
            tracking->beside_count++;
        }
    }
    if (tracking->square == SQUARES)
        end_round(tracking);
}
