/* Tests for drift tracking on a board with drifting sensors, with and without pieces. */
#include <string.h>

#include "drift_tracking.h"
#include "expect.h"
#include "readings.h"

#define E4 34
#define E5 44
#define PIECE 300
#define ROUND SQUARES

static struct calibration calibration;
static struct detection detection;
static struct drift_tracking tracking;
static int pieces[SQUARES]; /* 1 red, -1 blue */
static int drifts[SQUARES];
static int crosstalk; /* effect of a piece on the adjacent square, per mille */

static void start(void)
{
    memset(&detection, 0, sizeof detection);
    memset(&tracking, 0, sizeof tracking);
    memset(pieces, 0, sizeof pieces);
    memset(drifts, 0, sizeof drifts);
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration.sensors[square] = (struct sensor){.rest = 0, .threshold = PIECE * 17 / 100};
    crosstalk = 11; /* 35 mm squares */
}

static void armies(void)
{
    for (uint8_t square = 0; square < SQUARES; square++)
        pieces[square] = square < 40 ? 1 : square >= 60 ? -1 : 0;
}

static int reading(int square)
{
    int value = 1000 * pieces[square];
    for (int up = -1; up <= 1; up++) {
        for (int right = -1; right <= 1; right++) {
            int row = square / 10 + up, column = square % 10 + right;
            if ((up || right) && row >= 0 && row < 10 && column >= 0 && column < 10)
                value -= pieces[10 * row + column] * (up && right ? crosstalk * 35 / 100 : crosstalk);
        }
    }
    return 512 + drifts[square] + value * PIECE / 1000;
}

/* Run a number of frames of six passes each. */
static void run(int frames)
{
    while (frames-- > 0) {
        for (uint8_t square = 0; square < SQUARES; square++)
            readings[square] = (uint16_t)reading(square);
        for (int n = 0; n < 6; n++)
            detection_add_pass(&detection, &calibration, readings, 0, detection.backwards);
        detection_end_frame(&detection, &calibration, readings);
        drift_track(&tracking, &calibration, &detection, readings);
    }
}

static void warm(int counts)
{
    for (int square = 0; square < SQUARES; square++)
        drifts[square] += counts;
}

static void expect_right(const char *when)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        enum sensor_state right = pieces[square] > 0 ? HIGH : pieces[square] < 0 ? LOW : NO_PIECE;
        EXPECT(detection_state(&detection, square) == right, "%s: square %d", when, square);
    }
}

static void test_empty_squares_follow_their_own_drift(void)
{
    start();
    for (int square = 0; square < SQUARES; square++)
        drifts[square] = square % 2 ? 20 : -15;
    run(25 * ROUND);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(abs(calibration.sensors[square].rest - drifts[square]) <= 2, "square %d: %d", square,
               calibration.sensors[square].rest);
}

static void test_rate_limit(void)
{
    start();
    warm(25);
    run(10 * ROUND);
    EXPECT(calibration.sensors[E5].rest == 10, "%d", calibration.sensors[E5].rest);
}

/* Occupied squares and squares beside pieces follow the drift through its whole range. */
static void test_occupied_squares_follow_the_others(void)
{
    for (int to = -1; to <= 1; to += 2) {
        start();
        armies();
        run(2);
        for (int counts = 0; counts < 60; counts++) {
            warm(to);
            run(2 * ROUND);
            expect_right("during drift");
        }
        for (uint8_t square = 0; square < SQUARES; square++) {
            int behind = drifts[square] - calibration.sensors[square].rest;
            EXPECT(abs(behind) <= 4, "square %d is %d behind", square, behind);
        }
        for (int hole = 11; hole < 40; hole += 2)
            pieces[hole] = 0;
        run(2);
        expect_right("pieces lifted");
    }
}

static void test_drift_without_tracking_causes_errors(void)
{
    start();
    armies();
    run(2);
    warm(-60);
    pieces[22] = 0;
    run(2);
    EXPECT(detection_state(&detection, 22) != NO_PIECE, "a lifted piece is not released");
}

static void test_crosstalk_is_not_drift(void)
{
    start();
    for (uint8_t square = 0; square < SQUARES; square++)
        pieces[square] = 1;
    pieces[E5] = 0;
    run(30 * ROUND);
    EXPECT(calibration.sensors[E5].rest == 0, "amid red: %d", calibration.sensors[E5].rest);
    start(); /* red alone, on every second square */
    for (uint8_t square = 0; square < SQUARES; square += 2)
        pieces[square] = 1;
    run(30 * ROUND);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(calibration.sensors[square].rest == 0, "red alone: square %d", square);
}

static void test_occupied_square_is_not_tracked(void)
{
    start();
    pieces[E4] = 1;
    run(2);
    drifts[E4] = -PIECE + 38; /* the piece moves aside until it is barely detectable */
    run(100 * ROUND);
    EXPECT(calibration.sensors[E4].rest == 0, "%d", calibration.sensors[E4].rest);
}

static void test_undetected_piece_is_detected_when_centred(void)
{
    start();
    drifts[E4] = PIECE * 9 / 100;
    run(60 * ROUND);
    EXPECT(calibration.sensors[E4].rest >= 25, "absorbed: %d", calibration.sensors[E4].rest);
    drifts[E4] = 0;
    pieces[E4] = 1;
    run(2);
    expect_right("in the middle");
    pieces[E4] = 0;
    run(2);
    expect_right("gone");
    run(60 * ROUND);
    EXPECT(abs(calibration.sensors[E4].rest) <= 2, "returned: %d", calibration.sensors[E4].rest);
}

static void test_drift_limit(void)
{
    start();
    for (int counts = 0; counts < 150; counts++) {
        warm(1);
        run(ROUND);
    }
    EXPECT(calibration.sensors[E5].rest == DRIFT_LIMIT, "%d", calibration.sensors[E5].rest);
}

/* Tracking stops while the computer searches for a barely detectable piece, and resumes
 * afterwards. */
static void test_hold(void)
{
    start();
    drifts[E5] = 4;
    for (int n = 0; n < 60; n++) {
        drift_hold(&tracking);
        run(HOLD_FRAMES / 2);
    }
    EXPECT(calibration.sensors[E5].rest == 0, "%d", calibration.sensors[E5].rest);
    run(HOLD_FRAMES + 6 * ROUND);
    EXPECT(calibration.sensors[E5].rest >= 2, "%d", calibration.sensors[E5].rest);
}

int main(void)
{
    test_empty_squares_follow_their_own_drift();
    test_rate_limit();
    test_occupied_squares_follow_the_others();
    test_drift_without_tracking_causes_errors();
    test_crosstalk_is_not_drift();
    test_occupied_square_is_not_tracked();
    test_undetected_piece_is_detected_when_centred();
    test_drift_limit();
    test_hold();
    return 0;
}
