/* Tests for detection, with tables of times, readings and expected states. */
#include <string.h>

#include "detection.h"
#include "expect.h"
#include "geometry.h"
#include "readings.h"
#include "scan.h"

#define E4 34
#define E5 44
#define E6 54

static struct calibration calibration;
static struct detection detection;

static void start(void)
{
    memset(&detection, 0, sizeof detection);
    for (uint8_t square = 0; square < SQUARES; square++) /* a piece deflects by 700 counts */
        calibration.sensors[square] = (struct sensor){.rest = 0, .threshold = 120};
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 512;
    spike_square = NO_READING;
}

/* Make one pass. In these tests, passes are 3 ms apart. */
static void scan_once(void)
{
    static uint16_t now;
    detection_add_pass(&detection, &calibration, readings, now += 3 * TICKS_PER_MS, detection.backwards);
}

/* Make enough passes for any change to be accepted. */
static void settle(void)
{
    for (int n = 0; n < MAX_SKIPPED + 1 + JUMP_PASSES; n++)
        scan_once();
}

/* Time of a pass, reading of the square, and expected state after the pass. */
struct row {
    double ms;
    uint16_t reading;
    enum sensor_state state;
};

static void follow(const char *name, uint8_t square, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        readings[square] = rows[i].reading;
        /* Size and speed of changes are tested in test_slow_change.c. */
        slow_change_rebase(&detection.slow, square, rows[i].reading < 512 ? FULL_SCALE : 0, true);
        scan_once();
        enum sensor_state state = detection_state(&detection, square);
        EXPECT(state == rows[i].state, "%s at %.1f ms: %d", name, rows[i].ms, state);
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(other == square || detection_state(&detection, other) == NO_PIECE,
                   "%s at %.1f ms: square %d", name, rows[i].ms, other);
    }
}

#define FOLLOW(name, square, ...)                                                                  \
    do {                                                                                           \
        const struct row rows[] = {__VA_ARGS__};                                                   \
        start();                                                                                   \
        follow(name, square, rows, ROWS(rows));                                                    \
    } while (0)

static void test_change_takes_two_passes(void)
{
    FOLLOW("a red piece placed and removed", E4,
           {17.7, 512, NO_PIECE}, {20.0, 800, NO_PIECE},
           {37.7, 800, HIGH}, {40.0, 800, HIGH},
           {57.7, 512, HIGH}, {60.0, 512, NO_PIECE});
    FOLLOW("a blue piece placed and removed", E4,
           {17.7, 200, NO_PIECE}, {20.0, 200, LOW},
           {37.7, 512, LOW}, {40.0, 512, NO_PIECE});
}

static void test_colour_swap_takes_three_passes(void)
{
    FOLLOW("a blue piece instead of the red one", E4,
           {17.7, 800, NO_PIECE}, {20.0, 800, HIGH},
           {37.7, 200, HIGH}, {40.0, 200, HIGH}, {43.0, 200, LOW},
           {57.7, 800, LOW}, {60.0, 800, LOW}, {63.0, 800, HIGH});
    FOLLOW("one pass of two", E4,
           {17.7, 800, NO_PIECE}, {20.0, 800, HIGH},
           {37.7, 200, HIGH}, {40.0, 200, HIGH}, {43.0, 800, HIGH}, {46.0, 200, HIGH},
           {57.7, 200, HIGH}, {60.0, 200, LOW});
}

static void test_end_of_range_is_no_colour(void)
{
    FOLLOW("an empty square", E4,
           {17.7, 0, NO_PIECE}, {20.0, 0, NO_PIECE}, {23.0, 39, NO_PIECE}, {26.0, 1023, NO_PIECE},
           {29.0, 1023, NO_PIECE}, {32.0, 984, NO_PIECE}, {35.0, 40, NO_PIECE}, {38.0, 40, LOW});
    FOLLOW("a red piece", E4,
           {17.7, 983, NO_PIECE}, {20.0, 983, HIGH}, {23.0, 0, HIGH}, {26.0, 0, HIGH}, {29.0, 0, HIGH},
           {32.0, 1023, HIGH}, {35.0, 1023, HIGH}, {38.0, 512, HIGH}, {41.0, 512, NO_PIECE});
}

static void test_an_open_wire_changes_nothing(void)
{
    start();
    detection.suspect = NO_READING;
    readings[E4] = 200;
    open_square = E4;
    for (int n = 0; n < 10; n++) {
        scan_once();
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "pass %d", n);
        EXPECT(detection.suspect == E4, "pass %d", n);
    }
    open_square = NO_READING;
    scan_once();
    scan_once();
    EXPECT(detection_state(&detection, E4) == LOW, "the wire is connected again");
}

static void test_second_reading_must_agree(void)
{
    start();
    readings[E4] = 800;
    spike_square = E4;
    spike_reading = 512;
    for (int n = 0; n < 10; n++) {
        scan_once();
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "pass %d", n);
    }
    spike_square = NO_READING;
    scan_once();
    scan_once();
    EXPECT(detection_state(&detection, E4) == HIGH, "both readings");
}

static void test_burst_is_skipped(void)
{
    start();
    scan_once();
    for (int passes = 1; passes <= MAX_SKIPPED; passes++) {
        for (uint8_t square = 0; square <= MAX_SUDDEN; square++)
            readings[square] = 717;
        for (int n = 0; n < passes; n++)
            scan_once();
        for (uint8_t square = 0; square <= MAX_SUDDEN; square++)
            readings[square] = 512;
        for (int n = 0; n < 3; n++)
            scan_once();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(detection_state(&detection, square) == NO_PIECE, "square %d, %d passes", square, passes);
    }
}

/* Set the readings of a board whose supply is a share of the converter's reference. Every row has
 * one piece that reads high and one that reads low. */
static void supply_sensors(double share)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        int reading = square % 10 == 3 ? 812 : square % 10 == 6 ? 212 : 512;
        readings[square] = (uint16_t)(share * reading);
    }
}

static void expect_pieces(double share)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        enum sensor_state state = square % 10 == 3 ? HIGH : square % 10 == 6 ? LOW : NO_PIECE;
        EXPECT(detection_state(&detection, square) == state, "square %d, supply %g", square, share);
    }
}

static void test_low_supply_changes_nothing(void)
{
    start();
    supply_sensors(1);
    settle();
    expect_pieces(1);
    for (double share = 1; share > 0.6; share -= 0.01) {
        supply_sensors(share);
        for (int n = 0; n < 100; n++)
            scan_once();
        expect_pieces(share);
        EXPECT(detection.sag == 0 || share < 0.795, "sag %d, supply %g", detection.sag, share);
    }
    EXPECT(detection.sag > 190 && detection.sag < 210, "sag %d", detection.sag);
    supply_sensors(1);
    settle();
    EXPECT(detection.sag == 0, "sag %d", detection.sag);
    expect_pieces(1);
}

static void test_army_at_once_is_no_low_supply(void)
{
    start();
    scan_once();
    for (uint8_t square = 0; square < 40; square++)
        readings[square] = 212;
    settle();
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(detection_state(&detection, square) == (square < 40 ? LOW : NO_PIECE), "square %d", square);
}

static void test_bounce_is_ignored(void)
{
    FOLLOW("a spike on an empty square", E4,
           {17.7, 900, NO_PIECE}, {20.0, 512, NO_PIECE}, {37.7, 100, NO_PIECE}, {40.0, 900, NO_PIECE},
           {57.7, 100, NO_PIECE}, {60.0, 512, NO_PIECE});
    FOLLOW("a piece placed with a bounce", E4,
           {17.7, 800, NO_PIECE}, {20.0, 512, NO_PIECE}, {37.7, 800, NO_PIECE}, {40.0, 800, HIGH},
           {57.7, 512, HIGH}, {60.0, 800, HIGH}, {77.7, 512, HIGH}, {80.0, 800, HIGH});
}

static void test_hysteresis(void)
{
    /* Pieces are detected from 120 counts and released below 96. */
    FOLLOW("red, at the thresholds", E4,
           {17.7, 631, NO_PIECE}, {20.0, 631, NO_PIECE}, {37.7, 632, NO_PIECE}, {40.0, 632, HIGH},
           {57.7, 631, HIGH}, {60.0, 609, HIGH}, {77.7, 608, HIGH}, {80.0, 608, HIGH},
           {97.7, 607, HIGH}, {100.0, 607, NO_PIECE}, {117.7, 631, NO_PIECE}, {120.0, 631, NO_PIECE});
    FOLLOW("blue, at the thresholds", E4,
           {17.7, 393, NO_PIECE}, {20.0, 393, NO_PIECE}, {37.7, 392, NO_PIECE}, {40.0, 392, LOW},
           {57.7, 416, LOW}, {60.0, 416, LOW}, {77.7, 417, LOW}, {80.0, 417, NO_PIECE});
    FOLLOW("a red piece removed beside a blue one", E4,
           {17.7, 800, NO_PIECE}, {20.0, 800, HIGH}, {37.7, 430, HIGH}, {40.0, 430, NO_PIECE});
}

static void test_release_threshold(void)
{
    for (int threshold = 0; threshold <= UINT8_MAX; threshold++) {
        int release = release_threshold((uint8_t)threshold);
        EXPECT(release == threshold * 4 / 5, "%d: %d", threshold, release);
    }
}

static void test_each_square_has_its_own_threshold(void)
{
    start();
    calibration.sensors[E4] = (struct sensor){.rest = -15, .threshold = 40};
    calibration.sensors[E6] = (struct sensor){.rest = 60, .threshold = 204};
    readings[E4] = 512 - 15 + 40;
    readings[E6] = 512 + 60 + 203;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "a weak piece on a low sensor");
    EXPECT(detection_state(&detection, E6) == NO_PIECE, "below the threshold of a sensitive sensor");
}

static void test_drift_below_threshold_is_no_piece(void)
{
    start();
    for (uint16_t reading = 512; reading < 632; reading++) {
        readings[E4] = reading;
        scan_once();
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "at %d", reading);
    }
}

/* Readings are faint from the release threshold (96) to a quarter above the detection threshold
 * (150). */
static void test_faint_near_the_thresholds(void)
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
        scan_once();
        scan_once();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(squares_has(detection.faint, square) == (square == E4 && rows[i].faint),
                   "square %d at %d", square, rows[i].reading);
    }
}

static void test_faint_until_confirmed(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        start();
        scan_once();
        readings[square] = square % 2 ? 800 : 200;
        scan_once();
        EXPECT(squares_has(detection.faint, square), "square %d placed", square);
        scan_once();
        EXPECT(!squares_any(detection.faint), "square %d accepted", square);
        readings[square] = 512;
        scan_once();
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(squares_has(detection.faint, other) == (other == square), "square %d removed", square);
        scan_once();
        EXPECT(!squares_any(detection.faint), "square %d empty", square);
    }
}

static void test_faint_on_every_square(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        start();
        readings[square] = 640;
        scan_once();
        for (uint8_t other = 0; other < SQUARES; other++)
            EXPECT(squares_has(detection.faint, other) == (other == square), "square %d", square);
    }
}

/* The first pass with the new state began 3 ms before the pass that accepts it. It reads a square
 * when it reaches the square's channel. */
static void test_time_of_change(void)
{
    start();
    uint16_t at = 1000 * TICKS_PER_MS;
    detection_add_pass(&detection, &calibration, readings, at, false);
    readings[E4] = 800;
    detection_add_pass(&detection, &calibration, readings, at + 3 * TICKS_PER_MS, true);
    EXPECT(detection.changes.count == 0, "not accepted yet");
    readings[E5] = 200;
    detection_add_pass(&detection, &calibration, readings, at + 6 * TICKS_PER_MS, false);
    detection_add_pass(&detection, &calibration, readings, at + 9 * TICKS_PER_MS, true);
    EXPECT(detection.changes.count == 2, "%d", detection.changes.count);
    const struct change *list = detection.changes.list;
    EXPECT(list[0].square == E4 && list[1].square == E5, "in order");
    EXPECT(list[0].time == at + 3 * TICKS_PER_MS + scan_offset(channel_of(E4), true), "e4 at %d", list[0].time);
    EXPECT(list[1].time == at + 6 * TICKS_PER_MS + scan_offset(channel_of(E5), false), "e5 at %d", list[1].time);
}

static void test_no_times_when_many_squares_change(void)
{
    start();
    scan_once();
    readings[E4] = 800;
    scan_once();
    scan_once();
    EXPECT(detection.changes.count == 1, "%d", detection.changes.count);
    for (uint8_t square = 0; square <= MOST_CHANGES; square++)
        readings[square] = 800;
    settle();
    EXPECT(detection.changes.count == 0, "%d", detection.changes.count);
}

static void test_every_square_and_state(void)
{
    static const uint16_t reads[] = {[NO_PIECE] = 512, [HIGH] = 800, [LOW] = 200};
    start();
    for (int shift = 0; shift < 3; shift++) {
        for (uint8_t square = 0; square < SQUARES; square++)
            readings[square] = reads[(square + shift) % 3];
        settle();
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(detection_state(&detection, square) == (enum sensor_state)((square + shift) % 3),
                   "square %d, shift %d", square, shift);
    }
}

static void test_channels_are_unique(void)
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
    test_change_takes_two_passes();
    test_colour_swap_takes_three_passes();
    test_end_of_range_is_no_colour();
    test_an_open_wire_changes_nothing();
    test_second_reading_must_agree();
    test_burst_is_skipped();
    test_low_supply_changes_nothing();
    test_army_at_once_is_no_low_supply();
    test_bounce_is_ignored();
    test_hysteresis();
    test_release_threshold();
    test_each_square_has_its_own_threshold();
    test_drift_below_threshold_is_no_piece();
    test_faint_near_the_thresholds();
    test_faint_until_confirmed();
    test_faint_on_every_square();
    test_time_of_change();
    test_no_times_when_many_squares_change();
    test_every_square_and_state();
    test_channels_are_unique();
    return 0;
}
