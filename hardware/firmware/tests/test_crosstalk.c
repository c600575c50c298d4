/* Tests for crosstalk from neighbouring pieces and its effect on detection. */
#include <string.h>

#include "crosstalk.h"
#include "detection.h"
#include "expect.h"
#include "geometry.h"
#include "readings.h"

#define A1 0
#define K10 99
#define E4 34
#define THRESHOLD 64

static struct calibration calibration;
static struct detection detection;

static void start(void)
{
    memset(&detection, 0, sizeof detection);
    for (uint8_t square = 0; square < SQUARES; square++) {
        calibration.sensors[square] = (struct sensor){.rest = 0, .threshold = THRESHOLD};
        readings[square] = 512;
    }
}

static void scan_once(void)
{
    static uint16_t now;
    detection_add_pass(&detection, &calibration, readings, now += 3 * TICKS_PER_MS, detection.backwards);
}

static void settle(void)
{
    for (int n = 0; n < MAX_SKIPPED + 2 * JUMP_PASSES; n++)
        scan_once();
}

/* Place pieces of one colour on all squares except `square`. */
static void surround(uint8_t square, int16_t piece)
{
    start();
    for (uint8_t other = 0; other < SQUARES; other++) {
        if (other != square)
            readings[other] = (uint16_t)(512 + piece);
    }
    settle();
}

static int16_t crosstalk(uint8_t square)
{
    return crosstalk_at(detection.debounced, square, THRESHOLD);
}

static void test_empty_board_has_no_crosstalk(void)
{
    start();
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(crosstalk(square) == 0, "square %d", square);
}

/* A square has four neighbours at the sides and four at the corners, or fewer at an edge of the
 * board. Neighbours do not wrap around. */
static void test_neighbours_in_the_middle_and_at_edges(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        surround(square, 300);
        uint8_t row = square / WIDTH, column = square % WIDTH;
        int rows = (row > 0) + (row < WIDTH - 1), columns = (column > 0) + (column < WIDTH - 1);
        int expected = 5 * (rows + columns) + 2 * rows * columns;
        EXPECT(crosstalk(square) == expected, "square %d: %d", square, crosstalk(square));
    }
    surround(A1, -300);
    EXPECT(crosstalk(A1) == -12, "pieces that read low: %d", crosstalk(A1));
    surround(K10, 300);
    readings[K10] = 512 + 300;
    settle();
    EXPECT(crosstalk(K10) == 12, "its own piece does not count: %d", crosstalk(K10));
}

static void test_both_colours_cancel(void)
{
    start();
    readings[E4 - 1] = readings[E4 + WIDTH - 1] = 812;
    readings[E4 + 1] = readings[E4 + WIDTH + 1] = 212;
    settle();
    EXPECT(crosstalk(E4) == 0, "%d", crosstalk(E4));
}

/* The piece's own army reduces a threshold of 64 by 28, but on no square is a deflection below 48 a
 * piece. */
static void test_piece_amid_its_army(void)
{
    surround(E4, 300);
    readings[E4] = 512 + 47;
    settle();
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "below the threshold");
    readings[E4] = 512 + 48;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "enough");
    EXPECT(squares_has(detection.faint, E4), "faint");
    surround(E4, -300);
    readings[E4] = 512 + 91;
    settle();
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "below the threshold amid the other army");
    readings[E4] = 512 + 92;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "at the threshold amid the other army");
}

/* The field left by the opposing army has the colour of the lifted piece. */
static void test_piece_lifted_amid_the_other_army(void)
{
    surround(E4, -300);
    readings[E4] = 512 + 300;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "placed");
    readings[E4] = 512 + 63;
    settle();
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "lifted");
    surround(E4, -300);
    readings[E4] = 512 + 300;
    settle();
    readings[E4] = 512 + 79;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "above the release threshold");
}

/* A pass has time for only MAX_CROSSTALK_CHECKS squares. */
static void test_limited_crosstalk_checks(void)
{
    surround(E4, 300);
    readings[E4] = 512;
    for (uint8_t square = 0; square < MAX_CROSSTALK_CHECKS; square++)
        readings[square] = 512 + THRESHOLD - 1;
    settle();
    for (uint8_t square = 0; square < MAX_CROSSTALK_CHECKS; square++)
        EXPECT(detection_state(&detection, square) == HIGH, "square %d", square);
    readings[E4] = 512 + 51;
    settle();
    EXPECT(detection_state(&detection, E4) == NO_PIECE, "not checked");
    readings[E4] = 512 + THRESHOLD;
    settle();
    EXPECT(detection_state(&detection, E4) == HIGH, "detected without a check");
}

int main(void)
{
    test_empty_board_has_no_crosstalk();
    test_neighbours_in_the_middle_and_at_edges();
    test_both_colours_cancel();
    test_piece_amid_its_army();
    test_piece_lifted_amid_the_other_army();
    test_limited_crosstalk_checks();
    return 0;
}
