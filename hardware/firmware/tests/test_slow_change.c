/* Tests for small and slow changes, pass by pass. */
#include <string.h>

#include "detection.h"
#include "expect.h"
#include "geometry.h"
#include "readings.h"

#define E4 34
/* Detection threshold in counts. */
#define THRESHOLD 52

static struct calibration calibration;
static struct detection detection;
static uint16_t now;

static void start(void)
{
    memset(&detection, 0, sizeof detection);
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration.sensors[square] = (struct sensor){.rest = 0, .threshold = THRESHOLD};
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 512;
}

static void scan_once(void)
{
    detection_add_pass(&detection, &calibration, readings, now += 3 * TICKS_PER_MS, detection.backwards);
}

static bool is_dying(void)
{
    return slow_change_is_dying(&detection.slow, E4);
}

static void read(uint8_t square, int16_t delta)
{
    readings[square] = (uint16_t)(512 + delta);
}

/* Move a reading by `step` per frame of six passes. */
static void drift_to(uint8_t square, int16_t reading, int16_t step)
{
    uint16_t *at = readings + square;
    while (step > 0 ? *at < reading : *at > reading) {
        *at += step;
        for (int n = 0; n < 6; n++)
            scan_once();
        detection_end_frame(&detection, &calibration, readings);
    }
}

static void rest(int frames)
{
    for (int n = 0; n < 6 * frames; n++) {
        scan_once();
        if (n % 6 == 5)
            detection_end_frame(&detection, &calibration, readings);
    }
}

static void test_slow_change_is_accepted_at_rest(void)
{
    start();
    rest(8);
    drift_to(E4, 512 + 200, 4);
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "still moving");
    EXPECT(is_dying(), "reported");
    rest(ARRIVAL_REST_FRAMES + 10);
    EXPECT(detection_state(&detection, E4) == HIGH, "at rest");
    EXPECT(!is_dying(), "not reported any more");
    drift_to(E4, 512, -4);
    EXPECT(detection_state(&detection, E4) == HIGH, "still moving");
    rest(REMOVAL_REST_FRAMES + 10);
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "at rest again");
}

/* Move a reading evenly around `middle`. */
static void hover(int frames, int16_t middle, int16_t amplitude, uint8_t period)
{
    for (int n = 0; n < frames; n++) {
        int16_t phase = (int16_t)(n % period), half = period / 2;
        int16_t part = phase < half ? phase : (int16_t)(period - phase);
        read(E4, (int16_t)(middle - amplitude + 2 * amplitude * part / half));
        rest(1);
        EXPECT(!is_dying(), "a hand at frame %d", n);
    }
}

static void test_trembling_hand_is_not_a_dying_sensor(void)
{
    for (uint8_t period = 10; period <= 28; period += 6) { /* 5 Hz to 1.8 Hz */
        start();
        readings[E4 + 20] = 812;
        rest(4);
        readings[E4 + 20] = 512; /* a piece is lifted from this square */
        rest(8);
        drift_to(E4, 512 + THRESHOLD - 11, 3);
        hover(150, THRESHOLD + 4, 15, period);
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "not accepted");
        drift_to(E4, 512 + 200, 4);
        EXPECT(!is_dying(), "turned");
        rest(HAND_REST_FRAMES + 2);
        EXPECT(detection_state(&detection, E4) == HIGH, "accepted at rest");
    }
}

static void test_piece_lowered_evenly_is_not_a_dying_sensor(void)
{
    /* A hand descends at 20 mm/s. The field grows with the inverse cube of the distance. */
    start();
    rest(8);
    for (int32_t z = 480; z > 150; z -= 4) {
        read(E4, (int16_t)(304LL * 105 * 105 * 105 / ((int64_t)z * z * z)));
        rest(1);
        EXPECT(!is_dying(), "at %d", (int)z);
    }
}

/* While a piece is lifted elsewhere, a sensor has to travel through a third of a piece's field. */
static void test_dying_needs_longer_travel_while_a_piece_is_lifted(void)
{
    for (int held_piece_frames = 0; held_piece_frames <= 1; held_piece_frames++) {
        start();
        readings[E4 + 20] = 812;
        rest(4);
        readings[E4 + 20] = held_piece_frames ? 512 : 812;
        rest(30);
        drift_to(E4, 512 + 84, 4);
        EXPECT(is_dying() == !held_piece_frames, "piece held %d", held_piece_frames);
        drift_to(E4, 512 + 120, 4);
        EXPECT(is_dying(), "piece held %d", held_piece_frames);
    }
}

static void test_dying_sensor_keeps_its_state(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        start();
        readings[E4] = 812;
        scan_once();
        scan_once();
        rest(8);
        drift_to(E4, sign < 0 ? 0 : 1020, 4 * sign);
        EXPECT(detection_state(&detection, E4) == HIGH, "to the end %d", sign);
        start();
        rest(8);
        drift_to(E4, sign < 0 ? 0 : 1020, 4 * sign);
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "to the end %d", sign);
    }
}

/* Return the number of passes until the square has the given state. */
static int passes_until(enum sensor_state state)
{
    int passes = 0;
    while (detection_state(&detection, E4) != state && passes < 100) {
        scan_once();
        passes++;
    }
    return passes;
}

static void test_passes_by_size_of_change(void)
{
    static const struct {
        int16_t delta;
        int passes;
    } rows[] = {{304, 2}, {-304, 2}, {FAR_COUNTS + 4, 2}, {FAR_COUNTS - 4, JUMP_PASSES + 1},
                {-THRESHOLD, JUMP_PASSES + 1}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        enum sensor_state colour = rows[i].delta > 0 ? HIGH : LOW;
        start();
        rest(4);
        read(E4, rows[i].delta);
        int passes = passes_until(colour);
        EXPECT(passes == rows[i].passes, "%d placed: %d passes", rows[i].delta, passes);
        read(E4, 0);
        passes = passes_until(NO_PIECE);
        EXPECT(passes == rows[i].passes, "%d removed: %d passes", rows[i].delta, passes);
    }
}

static void test_jump_among_opposing_pieces(void)
{
    start();
    read(E4, 24);
    rest(4);
    read(E4, 24 + 36);
    EXPECT(passes_until(HIGH) == JUMP_PASSES + 1, "placed");
    rest(4);
    read(E4, 24);
    EXPECT(passes_until(NO_PIECE) == JUMP_PASSES + 1, "removed");
}

static void test_weak_piece_calibrated_as_weak(void)
{
    start();
    calibration.sensors[E4].threshold = 14;
    rest(4);
    read(E4, 80);
    EXPECT(passes_until(HIGH) == 2, "whole deflection");
    read(E4, 0);
    passes_until(NO_PIECE);
    rest(4);
    read(E4, 14);
    EXPECT(passes_until(HIGH) == JUMP_PASSES + 1, "a piece beside the middle");
}

static int settled_of(uint8_t squares)
{
    int debounced = 0;
    for (uint8_t square = 0; square < squares; square++)
        debounced += detection_state(&detection, square) == HIGH;
    return debounced;
}

/* Each pass has time to read only some of the squares a second time. These squares are accepted
 * first, then the next squares. */
static void test_many_faint_pieces_at_once(void)
{
    const uint8_t faint = 40;
    start();
    rest(4);
    for (uint8_t square = 0; square < faint; square++)
        read(square, THRESHOLD + 5);
    for (int n = 0; n < JUMP_PASSES + 1; n++) {
        EXPECT(settled_of(faint) == 0, "pass %d", n);
        scan_once();
    }
    for (int debounced = MAX_SMALL; debounced < faint; debounced += MAX_SMALL) {
        EXPECT(settled_of(faint) == debounced, "%d instead of %d", settled_of(faint), debounced);
        scan_once();
        scan_once();
    }
    EXPECT(settled_of(faint) == faint, "%d", settled_of(faint));
}

static void test_ripple_is_ignored(void)
{
    /* The ripple is +-51 counts on top of 24, at 50 Hz: a 20 ms frame has six passes. */
    static const int8_t ripple[] = {0, 44, 51, 0, -44, -51};
    start();
    for (int n = 0; n < 600; n++) {
        read(E4, 24 + ripple[n % 6]);
        scan_once();
        EXPECT(detection_state(&detection, E4) == NO_PIECE, "pass %d", n);
        if (n % 6 == 5)
            detection_end_frame(&detection, &calibration, readings);
        EXPECT(!is_dying(), "pass %d", n);
    }
}

static void test_fast_ripple_is_ignored(void)
{
    /* Up to five consecutive passes are in the same half of the ripple. Each reversal restarts the
     * count. */
    for (int half = 1; half < JUMP_PASSES; half++) {
        start();
        for (int n = 0; n < 600; n++) {
            read(E4, n / half % 2 ? THRESHOLD : -THRESHOLD);
            scan_once();
            EXPECT(detection_state(&detection, E4) == NO_PIECE, "%d passes a half, pass %d", half, n);
            if (n % 6 == 5)
                detection_end_frame(&detection, &calibration, readings);
        }
    }
}

/* The crest of the ripple moves slowly to the end of each frame. */
static void test_ripple_synchronous_with_frames_is_ignored(void)
{
    start();
    rest(4);
    for (int frame = 0; frame < THRESHOLD + 4 * ARRIVAL_REST_FRAMES; frame++) {
        int16_t crest = (int16_t)(frame < THRESHOLD ? frame : THRESHOLD);
        for (int n = 0; n < 6; n++) {
            read(E4, n == 2 || n == 3 ? 0 : crest);
            scan_once();
            EXPECT(detection_state(&detection, E4) == NO_PIECE, "frame %d", frame);
        }
        detection_end_frame(&detection, &calibration, readings);
    }
}

static void test_delayed_change_has_its_start_time(void)
{
    start();
    rest(4);
    detection.changes.count = 0;
    detection.backwards = false;
    read(E4, THRESHOLD + 5);
    uint16_t first = now + 3 * TICKS_PER_MS + scan_offset(channel_of(E4), false);
    passes_until(HIGH);
    EXPECT(detection.changes.count == 1, "%d", detection.changes.count);
    EXPECT(detection.changes.list[0].time == first, "%d, not %d", detection.changes.list[0].time, first);
}

static void test_slow_change_has_no_time(void)
{
    start();
    rest(4);
    detection.changes.count = 0;
    drift_to(E4, 512 + 100, 4);
    rest(ARRIVAL_REST_FRAMES + 10);
    EXPECT(detection_state(&detection, E4) == HIGH && detection.changes.count == 0, "%d",
           detection.changes.count);
}

int main(void)
{
    test_slow_change_is_accepted_at_rest();
    test_trembling_hand_is_not_a_dying_sensor();
    test_piece_lowered_evenly_is_not_a_dying_sensor();
    test_dying_needs_longer_travel_while_a_piece_is_lifted();
    test_dying_sensor_keeps_its_state();
    test_passes_by_size_of_change();
    test_jump_among_opposing_pieces();
    test_weak_piece_calibrated_as_weak();
    test_many_faint_pieces_at_once();
    test_ripple_is_ignored();
    test_fast_ripple_is_ignored();
    test_ripple_synchronous_with_frames_is_ignored();
    test_delayed_change_has_its_start_time();
    test_slow_change_has_no_time();
    return 0;
}
