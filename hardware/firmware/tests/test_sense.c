/* From readings to squares, as tables of time, readings and what is then believed. */
#include <string.h>

#include "channels.h"
#include "expect.h"
#include "sense.h"

#define E4 34
#define E5 44

static uint16_t readings[INPUTS];
static struct calibration calibration;
static struct senses senses;

static void start(void)
{
    memset(&senses, 0, sizeof senses);
    for (uint8_t square = 0; square < SQUARES; square++) /* a piece gives 300 counts */
        calibration.sensors[square] = (struct sensor){.rest = 0, .on = 120};
    for (int channel = 0; channel < INPUTS; channel++)
        readings[channel] = 512;
}

/* One row a look: when, what the sensor of the square reads, what is believed after it. */
struct row {
    double ms;
    uint16_t reading;
    enum seen seen;
};

static void follow(const char *name, uint8_t square, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        readings[channel_of(square)] = rows[i].reading;
        sense_look(&senses, &calibration, readings);
        enum seen seen = sense_settled(&senses, square);
        EXPECT(seen == rows[i].seen, "%s at %.1f ms: %d", name, rows[i].ms, seen);
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(other == square || sense_settled(&senses, other) == NOTHING,
                   "%s at %.1f ms: square %d", name, rows[i].ms, other);
    }
}

#define FOLLOW(name, square, ...)                                                                  \
    do {                                                                                           \
        const struct row rows[] = {__VA_ARGS__};                                                   \
        start();                                                                                   \
        follow(name, square, rows, ROWS(rows));                                                    \
    } while (0)

static void test_two_looks_make_a_change(void)
{
    FOLLOW("a red piece comes and goes", E4,
           {17.7, 512, NOTHING}, {20.0, 800, NOTHING},
           {37.7, 800, RED}, {40.0, 800, RED},
           {57.7, 512, RED}, {60.0, 512, NOTHING});
    FOLLOW("a blue piece comes and goes", E4,
           {17.7, 200, NOTHING}, {20.0, 200, BLUE},
           {37.7, 512, BLUE}, {40.0, 512, NOTHING});
    FOLLOW("a blue piece in the red one's place", E4,
           {17.7, 800, NOTHING}, {20.0, 800, RED},
           {37.7, 200, RED}, {40.0, 200, BLUE});
}

static void test_a_bounce_changes_nothing(void)
{
    FOLLOW("a spike on an empty square", E4,
           {17.7, 1023, NOTHING}, {20.0, 512, NOTHING}, {37.7, 0, NOTHING}, {40.0, 1023, NOTHING},
           {57.7, 0, NOTHING}, {60.0, 512, NOTHING});
    FOLLOW("a piece that is set down with a bounce", E4,
           {17.7, 800, NOTHING}, {20.0, 512, NOTHING}, {37.7, 800, NOTHING}, {40.0, 800, RED},
           {57.7, 512, RED}, {60.0, 800, RED}, {77.7, 512, RED}, {80.0, 800, RED});
}

static void test_hysteresis(void)
{
    /* On from 120, off below 60. */
    FOLLOW("red, at the thresholds", E4,
           {17.7, 631, NOTHING}, {20.0, 631, NOTHING}, {37.7, 632, NOTHING}, {40.0, 632, RED},
           {57.7, 631, RED}, {60.0, 573, RED}, {77.7, 572, RED}, {80.0, 572, RED},
           {97.7, 571, RED}, {100.0, 571, NOTHING}, {117.7, 631, NOTHING}, {120.0, 631, NOTHING});
    FOLLOW("blue, at the thresholds", E4,
           {17.7, 393, NOTHING}, {20.0, 393, NOTHING}, {37.7, 392, NOTHING}, {40.0, 392, BLUE},
           {57.7, 452, BLUE}, {60.0, 452, BLUE}, {77.7, 453, BLUE}, {80.0, 453, NOTHING});
    FOLLOW("a red piece gone, its blue neighbour not strong enough to be one", E4,
           {17.7, 800, NOTHING}, {20.0, 800, RED}, {37.7, 430, RED}, {40.0, 430, NOTHING});
}

static void test_each_square_by_its_own_measure(void)
{
    start();
    calibration.sensors[E4] = (struct sensor){.rest = -15, .on = 40};
    calibration.sensors[E5] = (struct sensor){.rest = 60, .on = 204};
    readings[channel_of(E4)] = 512 - 15 + 40;
    readings[channel_of(E5)] = 512 + 60 + 203;
    sense_look(&senses, &calibration, readings);
    sense_look(&senses, &calibration, readings);
    EXPECT(sense_settled(&senses, E4) == RED, "a weak piece on a low sensor");
    EXPECT(sense_settled(&senses, E5) == NOTHING, "not enough for a sensor that has felt more");
}

static void test_drift_up_to_the_threshold_is_no_piece(void)
{
    start();
    for (uint16_t reading = 512; reading < 632; reading++) {
        readings[channel_of(E4)] = reading;
        sense_look(&senses, &calibration, readings);
        EXPECT(sense_settled(&senses, E4) == NOTHING, "at %d", reading);
    }
}

static void test_every_square_and_colour(void)
{
    static const uint16_t reads[] = {[NOTHING] = 512, [RED] = 800, [BLUE] = 200};
    start();
    for (int turn = 0; turn < 3; turn++) {
        for (uint8_t square = 0; square < SQUARES; square++)
            readings[channel_of(square)] = reads[(square + turn) % 3];
        sense_look(&senses, &calibration, readings);
        sense_look(&senses, &calibration, readings);
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(sense_settled(&senses, square) == (enum seen)((square + turn) % 3),
                   "square %d, turn %d", square, turn);
    }
}

static void test_every_square_has_a_channel_of_its_own(void)
{
    int used[INPUTS] = {0};
    for (uint8_t square = 0; square < SQUARES; square++) {
        EXPECT(channel_of(square) < INPUTS, "square %d", square);
        EXPECT(used[channel_of(square)]++ == 0, "square %d", square);
    }
}

int main(void)
{
    test_two_looks_make_a_change();
    test_a_bounce_changes_nothing();
    test_hysteresis();
    test_each_square_by_its_own_measure();
    test_drift_up_to_the_threshold_is_no_piece();
    test_every_square_and_colour();
    test_every_square_has_a_channel_of_its_own();
    return 0;
}
