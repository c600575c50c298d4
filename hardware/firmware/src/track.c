#include "track.h"


#define WIDTH 10

static bool is_believed_empty(const struct senses *senses, uint8_t square)
{
    return sense_settled(senses, square) == NOTHING && !squares_has(senses->faint, square);
}

/* What stands around a square. */
struct around {
    bool free;   /* nothing */
    int8_t highs; /* what there is more of those that read high than of the others; across a corner a piece does a third */
};

static struct around look_around(const struct senses *senses, uint8_t square)
{
    uint8_t row = square / WIDTH, column = square % WIDTH;
    struct around around = {true, 0};
    for (uint8_t y = row > 0 ? row - 1 : 0; y <= row + 1 && y < WIDTH; y++) {
        for (uint8_t x = column > 0 ? column - 1 : 0; x <= column + 1 && x < WIDTH; x++) {
            uint8_t other = (uint8_t)(WIDTH * y + x);
            if (is_believed_empty(senses, other))
                continue;
            int8_t share = x == column || y == row ? 3 : 1;
            enum seen seen = sense_settled(senses, other);
            around.free = false;
            around.highs = (int8_t)(around.highs + (seen == HIGH ? share : seen == LOW ? -share : 0));
        }
    }
    return around;
}

/* One count towards a reading that is two counts away. */
static int8_t step_to(int16_t deflected)
{
    return (int8_t)((deflected >= 2) - (deflected <= -2));
}

static void move(struct sensor *sensor, int8_t step)
{
    int8_t rest = (int8_t)(sensor->rest + step);
    if (abs(rest) <= TRACK_LIMIT)
        sensor->rest = rest;
}

static int8_t step_of_all(const struct tracking *tracking)
{
    if (tracking->free >= TRACK_FROM)
        return (int8_t)((tracking->lead >= tracking->free) - (tracking->lead <= -tracking->free));
    if (tracking->beside >= TRACK_FROM && abs(tracking->highs) <= tracking->beside)
        return step_to(tracking->leaning / tracking->beside);
    return 0;
}

static void end_round(struct tracking *tracking)
{
    int8_t step = step_of_all(tracking);
    int16_t lead = tracking->free < TRACK_FROM ? 0 : tracking->lead - step * tracking->free;
    *tracking = (struct tracking){.step = step, .lead = lead};
}

void track_hold(struct tracking *tracking)
{
    tracking->held = HELD_FRAMES;
}

void track_look(struct tracking *tracking, struct calibration *calibration,
                const struct senses *senses, const uint16_t readings[READINGS])
{
    if (tracking->held > 0) {
        tracking->held--;
        return;
    }
    uint8_t square = tracking->square++;
    struct sensor *sensor = &calibration->sensors[square];
    int16_t deflected = deflection(sensor, readings[square]);
    bool may_be_occupied =
        !is_believed_empty(senses, square) || is_beyond_neighbours(sensor, deflected);
    struct around around = look_around(senses, square);
    if (!may_be_occupied && around.free) {
        int8_t step = step_to(deflected);
        move(sensor, step);
        tracking->lead += step;
        tracking->free++;
    } else {
        move(sensor, tracking->step);
        if (!may_be_occupied) {
            tracking->leaning += deflected;
            tracking->highs += around.highs;
            tracking->beside++;
        }
    }
    if (tracking->square == SQUARES)
        end_round(tracking);
}
