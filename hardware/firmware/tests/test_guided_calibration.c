/* Tests for guided calibration: measurements, refusals and replies in each step. */
#include <string.h>

#include "expect.h"
#include "geometry.h"
#include "guided_calibration.h"
#include "readings.h"

#define A1 0
#define E5 44
#define K10 99

static struct calibration in_use;
static struct detection detection;
static struct guided_calibration guided;
static struct calibration_reply reply;

/* Return a sensor's resting level, which is at most 15 counts from the middle. */
static int rest_of(uint8_t square)
{
    return square * 7 % 31 - 15;
}

static void put(uint8_t square, int deflection)
{
    readings[square] = (uint16_t)(512 + rest_of(square) + deflection);
}

static void clear_board(void)
{
    for (uint8_t square = 0; square < SQUARES; square++)
        put(square, 0);
}

/* Return the deflection by a piece: 250 to 349 counts for Red, the same amounts in the other
 * direction for Blue. */
static int deflection_of(uint8_t square)
{
    return (square < 40 ? 1 : -1) * (250 + square);
}

static void set_up_armies(void)
{
    clear_board();
    for (uint8_t square = 0; square < SQUARES; square++)
        if (square < 40 || square >= 60)
            put(square, deflection_of(square));
}

static void start(void)
{
    memset(&guided, 0, sizeof guided);
    memset(&detection, 0, sizeof detection);
    calibration_default(&in_use);
    clear_board();
}

static bool scan_once(void)
{
    for (int n = 0; n < MAX_SKIPPED + 3; n++)
        detection_add_pass(&detection, &in_use, readings, 0, detection.backwards);
    return calibrate_add_pass(&guided, &detection, readings);
}

/* Run a step that is allowed at this point. */
static void step(enum calibration_step which)
{
    EXPECT(calibrate_begin(&guided, which) == DONE, "step %d", which);
    for (int i = 1; i < CALIBRATION_PASSES; i++)
        EXPECT(!scan_once(), "after pass %d of step %d", i, which);
    EXPECT(scan_once(), "after the last pass of step %d", which);
    calibrate_finish(&guided, &reply);
    EXPECT(reply.count > 0 && reply.step == which, "no answer to step %d", which);
}

static void expect_result(int n, enum calibration_result result, int count, const uint8_t *squares)
{
    uint8_t expected[SQUARE_SET] = {0};
    for (int i = 0; i < count; i++)
        squares_add(expected, squares[i]);
    EXPECT(n < reply.count && reply.results[n].result == result, "result %d is %d", n,
           reply.results[n].result);
    EXPECT(memcmp(reply.results[n].squares, expected, SQUARE_SET) == 0, "squares of result %d",
           result);
}

#define EXPECT_RESULT(n, result, ...)                                                              \
    do {                                                                                           \
        const uint8_t squares[] = {__VA_ARGS__};                                                   \
        expect_result(n, result, sizeof squares, squares);                                         \
    } while (0)

#define EXPECT_DONE()                                                                              \
    do {                                                                                           \
        EXPECT(reply.count == 1, "%d results", reply.count);                                   \
        expect_result(0, DONE, 0, NULL);                                                           \
    } while (0)

static void test_whole_calibration(void)
{
    start();
    step(EMPTY);
    EXPECT_DONE();
    set_up_armies();
    step(ARMIES);
    EXPECT_DONE();
    for (uint8_t square = 0; square < SQUARES; square++) {
        const struct sensor *sensor = &guided.copy.sensors[square];
        EXPECT(sensor->rest == rest_of(square), "square %d rests at %d", square, sensor->rest);
        /* The threshold is 17 % of a piece or, between the armies, 17 % of the median piece of 289
         * or 310 counts. */
        int expected_deflection = square >= 40 && square < 60 ? 289 : abs(deflection_of(square));
        int threshold = expected_deflection * 17 / 100;
        EXPECT(sensor->threshold == threshold, "square %d: %d, not %d", square, sensor->threshold, threshold);
    }
    EXPECT(calibrate_begin(&guided, SAVE) == DONE, "saving");
    EXPECT(calibrate_begin(&guided, ABORT) == OUT_OF_ORDER, "ABORT while saving");
    calibrate_saved(&guided);
    EXPECT(calibrate_begin(&guided, SAVE) == OUT_OF_ORDER, "saved already");
}

static void test_noise_is_averaged(void)
{
    start();
    EXPECT(calibrate_begin(&guided, EMPTY) == DONE, "begin");
    for (int i = 0; i < CALIBRATION_PASSES; i++) {
        put(E5, 10 + (i % 2 ? 4 : -4));
        scan_once();
    }
    calibrate_finish(&guided, &reply);
    EXPECT(guided.copy.sensors[E5].rest == rest_of(E5) + 10, "the mean");
}

static void test_empty_step_refuses_pieces(void)
{
    start();
    put(A1, 300);
    put(K10, -300);
    step(EMPTY);
    EXPECT_RESULT(0, OCCUPIED, A1, K10);
    EXPECT(guided.completed_step == ABORT, "nothing measured");

    start();
    EXPECT(calibrate_begin(&guided, EMPTY) == DONE, "begin");
    for (int i = 0; i < CALIBRATION_PASSES; i++) {
        put(E5, i == 20 ? 300 : 0); /* a passing piece */
        scan_once();
    }
    calibrate_finish(&guided, &reply);
    EXPECT_RESULT(0, OCCUPIED, E5);

    start();
    in_use.sensors[E5] = (struct sensor){.rest = 0, .threshold = 40};
    put(E5, 41); /* a weak piece, detected with the current calibration */
    step(EMPTY);
    EXPECT_RESULT(0, OCCUPIED, E5);
}

static void test_calibration_in_use_is_unchanged(void)
{
    start();
    struct calibration before = in_use;
    step(EMPTY);
    set_up_armies();
    step(ARMIES);
    EXPECT(memcmp(&before, &in_use, sizeof before) == 0, "until SAVE");
}

/* On tiles, red reads low. Readings that are correct on tiles mean flipped magnets on a board wired
 * by hand. */
static void test_on_tiles_red_reads_low(void)
{
    start();
    step(EMPTY);
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (square < 40 || square >= 60)
            put(square, -deflection_of(square));
    }
    step(ARMIES);
    EXPECT(reply.count == 1 && reply.results[0].result == FLIPPED, "%d results", reply.count);
    geometry_use(TILES);
    step(ARMIES);
    EXPECT_DONE();
    geometry_use(BY_HAND);
}

static void test_weak_flipped_and_missing_magnets(void)
{
    start();
    step(EMPTY);
    set_up_armies();
    put(12, 140);   /* less than half the median */
    put(13, 37);    /* barely more than an eighth of the median, 289 */
    put(K10, +349); /* flipped */
    put(20, -270);
    put(A1, 0);   /* missing */
    put(14, -25); /* only crosstalk */
    put(15, 35);
    struct guided_calibration before = guided;
    step(ARMIES);
    EXPECT(reply.count == 3, "%d results", reply.count);
    EXPECT_RESULT(0, WEAK, 12, 13);
    EXPECT_RESULT(1, FLIPPED, 20, K10);
    EXPECT_RESULT(2, MISSING, A1, 14, 15);
    EXPECT(memcmp(&before.copy, &guided.copy, sizeof before.copy) == 0, "refused, not changed");
    EXPECT(calibrate_begin(&guided, SAVE) == OUT_OF_ORDER, "nothing to save");

    set_up_armies(); /* repaired */
    step(ARMIES);
    EXPECT_DONE();
}

static void test_same_fault_on_all_squares(void)
{
    static const struct {
        int counts; /* deflection caused by each piece */
        enum calibration_result result;
    } rows[] = {{79, WEAK}, {30, WEAK}, {29, MISSING}, {0, MISSING}, {-80, FLIPPED}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        start();
        step(EMPTY);
        for (uint8_t square = 0; square < SQUARES; square++)
            put(square, square < 40 ? rows[i].counts : square < 60 ? 0 : -rows[i].counts);
        step(ARMIES);
        EXPECT(reply.count == 1 && reply.results[0].result == rows[i].result, "row %zu", i);
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(squares_has(reply.results[0].squares, square) == (square < 40 || square >= 60),
                   "square %d", square);
    }
}

static void test_order_of_steps(void)
{
    static const struct {
        const char *done; /* e: EMPTY, a: ARMIES, x: ABORT, f: FORGET */
        enum calibration_step step;
        enum calibration_result result;
    } rows[] = {
        {"", EMPTY, DONE},          {"", ARMIES, OUT_OF_ORDER}, {"", SAVE, OUT_OF_ORDER},
        {"", ABORT, DONE},          {"e", EMPTY, DONE},         {"e", ARMIES, DONE},
        {"e", SAVE, OUT_OF_ORDER},  {"ea", ARMIES, DONE},       {"ea", SAVE, DONE},
        {"eae", SAVE, OUT_OF_ORDER}, {"ex", ARMIES, OUT_OF_ORDER}, {"eax", SAVE, OUT_OF_ORDER},
        {"", FORGET, DONE},         {"ea", FORGET, DONE},       {"f", EMPTY, DONE},
        {"ef", ARMIES, OUT_OF_ORDER}, {"eaf", SAVE, OUT_OF_ORDER}, {"fea", SAVE, DONE},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        start();
        for (const char *done = rows[i].done; *done; done++) {
            if (*done == 'x' || *done == 'f') {
                enum calibration_step step = *done == 'x' ? ABORT : FORGET;
                EXPECT(calibrate_begin(&guided, step) == DONE, "row %zu", i);
                continue;
            }
            *done == 'a' ? set_up_armies() : clear_board();
            memset(&detection, 0, sizeof detection);
            step(*done == 'a' ? ARMIES : EMPTY);
        }
        EXPECT(calibrate_begin(&guided, rows[i].step) == rows[i].result, "row %zu", i);
    }
}

static void test_one_step_at_a_time(void)
{
    start();
    EXPECT(calibrate_begin(&guided, EMPTY) == DONE, "begin");
    for (enum calibration_step other = ABORT; other <= FORGET; other++)
        EXPECT(calibrate_begin(&guided, other) == OUT_OF_ORDER, "step %d", other);
}

static void test_passes_without_a_step(void)
{
    start();
    for (int i = 0; i < 2 * CALIBRATION_PASSES; i++)
        EXPECT(!scan_once(), "pass %d", i);
}

int main(void)
{
    test_whole_calibration();
    test_noise_is_averaged();
    test_empty_step_refuses_pieces();
    test_calibration_in_use_is_unchanged();
    test_weak_flipped_and_missing_magnets();
    test_on_tiles_red_reads_low();
    test_same_fault_on_all_squares();
    test_order_of_steps();
    test_one_step_at_a_time();
    test_passes_without_a_step();
    return 0;
}
