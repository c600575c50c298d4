/* From readings to squares, as tables of time, readings and what is then believed. */
#include <string.h>

#include "geometry.h"
#include "expect.h"
#include "readings.h"
#include "scan.h"
#include "sense.h"

#define E4 34
#define E5 44
#define E6 54

static struct calibration calibration;
static struct senses senses;

static void start(void)
{
    memset(&senses, 0, sizeof senses);
    for (uint8_t square = 0; square < SQUARES; square++) /* a piece gives 700 counts */
        calibration.sensors[square] = (struct sensor){.rest = 0, .on = 120};
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 512;
    spiked_square = NO_READING;
}

/* The looks of these tests begin 3 ms apart. */
static void look(void)
{
    static uint16_t now;
    sense_look(&senses, &calibration, readings, now += 3 * PER_MS, senses.backwards);
}

/* So many looks that everything is believed, however much has changed. */
static void settle(void)
{
    for (int n = 0; n < MOST_PASSED + 1 + PATIENT_LOOKS; n++)
        look();
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
        readings[square] = rows[i].reading;
        /* How far a change has to go is another matter (test_creep.c). */
        creep_settle(&senses.creep, square, rows[i].reading < 512 ? FULL_SCALE : 0, true);
        look();
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
           {37.7, 800, HIGH}, {40.0, 800, HIGH},
           {57.7, 512, HIGH}, {60.0, 512, NOTHING});
    FOLLOW("a blue piece comes and goes", E4,
           {17.7, 200, NOTHING}, {20.0, 200, LOW},
           {37.7, 512, LOW}, {40.0, 512, NOTHING});
}

static void test_a_third_look_makes_another_colour(void)
{
    FOLLOW("a blue piece in the red one's place", E4,
           {17.7, 800, NOTHING}, {20.0, 800, HIGH},
           {37.7, 200, HIGH}, {40.0, 200, HIGH}, {43.0, 200, LOW},
           {57.7, 800, LOW}, {60.0, 800, LOW}, {63.0, 800, HIGH});
    FOLLOW("not one of two looks", E4,
           {17.7, 800, NOTHING}, {20.0, 800, HIGH},
           {37.7, 200, HIGH}, {40.0, 200, HIGH}, {43.0, 800, HIGH}, {46.0, 200, HIGH},
           {57.7, 200, HIGH}, {60.0, 200, LOW});
}

static void test_an_end_of_the_range_is_no_colour(void)
{
    FOLLOW("an empty square", E4,
           {17.7, 0, NOTHING}, {20.0, 0, NOTHING}, {23.0, 39, NOTHING}, {26.0, 1023, NOTHING},
           {29.0, 1023, NOTHING}, {32.0, 984, NOTHING}, {35.0, 40, NOTHING}, {38.0, 40, LOW});
    FOLLOW("a red piece", E4,
           {17.7, 983, NOTHING}, {20.0, 983, HIGH}, {23.0, 0, HIGH}, {26.0, 0, HIGH}, {29.0, 0, HIGH},
           {32.0, 1023, HIGH}, {35.0, 1023, HIGH}, {38.0, 512, HIGH}, {41.0, 512, NOTHING});
}

static void test_what_is_seen_only_once_of_two_times_is_nothing(void)
{
    start();
    readings[E4] = 800;
    spiked_square = E4;
    spiked_again = 512;
    for (int n = 0; n < 10; n++) {
        look();
        EXPECT(sense_settled(&senses, E4) == NOTHING, "look %d", n);
    }
    spiked_square = NO_READING;
    look();
    look();
    EXPECT(sense_settled(&senses, E4) == HIGH, "both times");
}

static void test_a_burst_over_many_squares_is_passed_over(void)
{
    start();
    look();
    for (int looks = 1; looks <= MOST_PASSED; looks++) {
        for (uint8_t square = 0; square <= MOST_ODD; square++)
            readings[square] = 717;
        for (int n = 0; n < looks; n++)
            look();
        for (uint8_t square = 0; square <= MOST_ODD; square++)
            readings[square] = 512;
        for (int n = 0; n < 3; n++)
            look();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(sense_settled(&senses, square) == NOTHING, "square %d, %d looks", square, looks);
    }
}

static void test_a_bounce_changes_nothing(void)
{
    FOLLOW("a spike on an empty square", E4,
           {17.7, 900, NOTHING}, {20.0, 512, NOTHING}, {37.7, 100, NOTHING}, {40.0, 900, NOTHING},
           {57.7, 100, NOTHING}, {60.0, 512, NOTHING});
    FOLLOW("a piece that is set down with a bounce", E4,
           {17.7, 800, NOTHING}, {20.0, 512, NOTHING}, {37.7, 800, NOTHING}, {40.0, 800, HIGH},
           {57.7, 512, HIGH}, {60.0, 800, HIGH}, {77.7, 512, HIGH}, {80.0, 800, HIGH});
}

static void test_hysteresis(void)
{
    /* On from 120, off below 96. */
    FOLLOW("red, at the thresholds", E4,
           {17.7, 631, NOTHING}, {20.0, 631, NOTHING}, {37.7, 632, NOTHING}, {40.0, 632, HIGH},
           {57.7, 631, HIGH}, {60.0, 609, HIGH}, {77.7, 608, HIGH}, {80.0, 608, HIGH},
           {97.7, 607, HIGH}, {100.0, 607, NOTHING}, {117.7, 631, NOTHING}, {120.0, 631, NOTHING});
    FOLLOW("blue, at the thresholds", E4,
           {17.7, 393, NOTHING}, {20.0, 393, NOTHING}, {37.7, 392, NOTHING}, {40.0, 392, LOW},
           {57.7, 416, LOW}, {60.0, 416, LOW}, {77.7, 417, LOW}, {80.0, 417, NOTHING});
    FOLLOW("a red piece gone, its blue neighbour not strong enough to be one", E4,
           {17.7, 800, NOTHING}, {20.0, 800, HIGH}, {37.7, 430, HIGH}, {40.0, 430, NOTHING});
}

static void test_the_lower_threshold_is_four_fifths_of_the_upper_one(void)
{
    for (int on = 0; on <= UINT8_MAX; on++)
        EXPECT(off_from((uint8_t)on) == on * 4 / 5, "%d: %d", on, off_from((uint8_t)on));
}

static void test_each_square_by_its_own_measure(void)
{
    start();
    calibration.sensors[E4] = (struct sensor){.rest = -15, .on = 40};
    calibration.sensors[E6] = (struct sensor){.rest = 60, .on = 204};
    readings[E4] = 512 - 15 + 40;
    readings[E6] = 512 + 60 + 203;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "a weak piece on a low sensor");
    EXPECT(sense_settled(&senses, E6) == NOTHING, "not enough for a sensor that has felt more");
}

static void test_drift_up_to_the_threshold_is_no_piece(void)
{
    start();
    for (uint16_t reading = 512; reading < 632; reading++) {
        readings[E4] = reading;
        look();
        EXPECT(sense_settled(&senses, E4) == NOTHING, "at %d", reading);
    }
}

/* Faint from the lower threshold, 96, up to a quarter above the upper one, 150. */
static void test_what_is_close_to_the_thresholds_is_faint(void)
{
    static const struct {
        uint16_t reading;
        bool faint;
    } rows[] = {{512, false}, {607, false}, {608, true},  {631, true},  {632, true}, {661, true},
                {662, false}, {812, false}, {983, false}, {1023, true}, {417, false}, {416, true},
                {392, true},  {363, true},  {362, false}, {40, false}, {0, true}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        start();
        readings[E4] = rows[i].reading;
        look();
        look();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(squares_has(senses.faint, square) == (square == E4 && rows[i].faint),
                   "square %d at %d", square, rows[i].reading);
    }
}

static void test_what_one_look_alone_saw_otherwise_is_faint(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        start();
        look();
        readings[square] = square % 2 ? 800 : 200;
        look();
        EXPECT(squares_has(senses.faint, square), "square %d comes", square);
        look();
        EXPECT(!squares_any(senses.faint), "square %d is there", square);
        readings[square] = 512;
        look();
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(squares_has(senses.faint, other) == (other == square), "square %d goes", square);
        look();
        EXPECT(!squares_any(senses.faint), "square %d is gone", square);
    }
}

static void test_every_square_can_be_faint(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        start();
        readings[square] = 640;
        look();
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(squares_has(senses.faint, other) == (other == square), "square %d", square);
    }
}

/* The look that has first seen it so began 3 ms before the one that believes it, and reads a square when it
 * comes to its channel. */
static void test_a_change_is_told_with_its_moment(void)
{
    start();
    uint16_t at = 1000 * PER_MS;
    sense_look(&senses, &calibration, readings, at, false);
    readings[E4] = 800;
    sense_look(&senses, &calibration, readings, at + 3 * PER_MS, true);
    EXPECT(senses.changes.count == 0, "not believed yet");
    readings[E5] = 200;
    sense_look(&senses, &calibration, readings, at + 6 * PER_MS, false);
    sense_look(&senses, &calibration, readings, at + 9 * PER_MS, true);
    EXPECT(senses.changes.count == 2, "%d", senses.changes.count);
    const struct change *list = senses.changes.list;
    EXPECT(list[0].square == E4 && list[1].square == E5, "in their order");
    EXPECT(list[0].at == at + 3 * PER_MS + scan_moment(channel_of(E4), true), "e4 at %d", list[0].at);
    EXPECT(list[1].at == at + 6 * PER_MS + scan_moment(channel_of(E5), false), "e5 at %d", list[1].at);
}

static void test_of_a_whole_board_that_changes_no_moments_are_told(void)
{
    start();
    look();
    readings[E4] = 800;
    look();
    look();
    EXPECT(senses.changes.count == 1, "%d", senses.changes.count);
    for (uint8_t square = 0; square <= MOST_CHANGES; square++)
        readings[square] = 800;
    settle();
    EXPECT(senses.changes.count == 0, "%d", senses.changes.count);
}

static void test_every_square_and_colour(void)
{
    static const uint16_t reads[] = {[NOTHING] = 512, [HIGH] = 800, [LOW] = 200};
    start();
    for (int turn = 0; turn < 3; turn++) {
        for (uint8_t square = 0; square < SQUARES; square++)
            readings[square] = reads[(square + turn) % 3];
        settle();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(sense_settled(&senses, square) == (enum seen)((square + turn) % 3),
                   "square %d, turn %d", square, turn);
    }
}

static void test_every_square_has_a_channel_of_its_own(void)
{
    static const enum geometry geometries[] = {TILES, BY_HAND};
    for (size_t i = 0; i < ROWS(geometries); i++) {
        geometry_use(geometries[i]);
        int used[MOST_CHANNELS] = {0};
        for (uint8_t square = 0; square < SQUARES; square++) {
            uint8_t channel = channel_of(square), input = channel % CHANNELS;
            EXPECT(channel < CHANNELS * wiring->multiplexers, "square %d", square);
            EXPECT(used[channel]++ == 0, "square %d", square);
            EXPECT(wiring->squares[channel] == square, "square %d", square);
            EXPECT(wiring->inputs[wiring->places[input]] == input, "input %d", input);
            EXPECT(input != wiring->ground, "square %d", square);
        }
        for (int channel = 0; channel < MOST_CHANNELS; channel++)
            EXPECT((wiring->squares[channel] == NO_READING) == !used[channel], "channel %d", channel);
    }
}

int main(void)
{
    test_two_looks_make_a_change();
    test_a_third_look_makes_another_colour();
    test_an_end_of_the_range_is_no_colour();
    test_what_is_seen_only_once_of_two_times_is_nothing();
    test_a_burst_over_many_squares_is_passed_over();
    test_a_bounce_changes_nothing();
    test_hysteresis();
    test_the_lower_threshold_is_four_fifths_of_the_upper_one();
    test_each_square_by_its_own_measure();
    test_drift_up_to_the_threshold_is_no_piece();
    test_what_is_close_to_the_thresholds_is_faint();
    test_what_one_look_alone_saw_otherwise_is_faint();
    test_every_square_can_be_faint();
    test_a_change_is_told_with_its_moment();
    test_of_a_whole_board_that_changes_no_moments_are_told();
    test_every_square_and_colour();
    test_every_square_has_a_channel_of_its_own();
    return 0;
}
