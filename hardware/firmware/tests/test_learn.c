/* The guided calibration: what each step learns, refuses and answers. */
#include <string.h>

#include "expect.h"
#include "geometry.h"
#include "readings.h"
#include "learn.h"

#define A1 0
#define E5 44
#define K10 99

static struct calibration in_use;
static struct senses senses;
static struct learning learning;
static struct learned learned;

/* Each sensor has its own rest, at most 15 counts beside the middle. */
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

/* Red gives 250 to 349 counts, Blue as much the other way. */
static int swing_of(uint8_t square)
{
    return (square < 40 ? 1 : -1) * (250 + square);
}

static void set_up(void)
{
    clear_board();
    for (uint8_t square = 0; square < SQUARES; square++)
        if (square < 40 || square >= 60)
            put(square, swing_of(square));
}

static void start(void)
{
    memset(&learning, 0, sizeof learning);
    memset(&senses, 0, sizeof senses);
    calibration_usual(&in_use);
    clear_board();
}

static bool look(void)
{
    for (int n = 0; n < MOST_PASSED + 3; n++)
        sense_look(&senses, &in_use, readings, 0, senses.backwards);
    return learn_look(&learning, &senses, readings);
}

/* Goes through a step that is not out of order. */
static void step(enum learn_step which)
{
    EXPECT(learn_begin(&learning, which) == DONE, "step %d", which);
    for (int i = 1; i < LEARN_LOOKS; i++)
        EXPECT(!look(), "after look %d of step %d", i, which);
    EXPECT(look(), "after the last look of step %d", which);
    learn_conclude(&learning, &learned);
    EXPECT(learned.count > 0 && learned.step == which, "no answer to step %d", which);
}

static void expect_result(int n, enum learn_result result, int count, const uint8_t *squares)
{
    uint8_t expected[SQUARE_SET] = {0};
    for (int i = 0; i < count; i++)
        squares_add(expected, squares[i]);
    EXPECT(n < learned.count && learned.results[n].result == result, "result %d is %d", n,
           learned.results[n].result);
    EXPECT(memcmp(learned.results[n].squares, expected, SQUARE_SET) == 0, "squares of result %d",
           result);
}

#define EXPECT_RESULT(n, result, ...)                                                              \
    do {                                                                                           \
        const uint8_t squares[] = {__VA_ARGS__};                                                   \
        expect_result(n, result, sizeof squares, squares);                                         \
    } while (0)

#define EXPECT_DONE()                                                                              \
    do {                                                                                           \
        EXPECT(learned.count == 1, "%d results", learned.count);                                   \
        expect_result(0, DONE, 0, NULL);                                                           \
    } while (0)

static void test_a_whole_calibration(void)
{
    start();
    step(EMPTY);
    EXPECT_DONE();
    set_up();
    step(ARMIES);
    EXPECT_DONE();
    for (uint8_t square = 0; square < SQUARES; square++) {
        const struct sensor *sensor = &learning.copy.sensors[square];
        EXPECT(sensor->rest == rest_of(square), "square %d rests at %d", square, sensor->rest);
        /* 17 % of a piece; between the armies 17 % of the median piece, 289 or 310 counts. */
        int swing = square >= 40 && square < 60 ? 289 : abs(swing_of(square));
        int on = swing * 17 / 100;
        EXPECT(sensor->on == on, "square %d: %d, not %d", square, sensor->on, on);
    }
    EXPECT(learn_begin(&learning, SAVE) == DONE, "saving");
    EXPECT(learn_begin(&learning, ABORT) == OUT_OF_ORDER, "saving cannot be stopped half way");
    learn_saved(&learning);
    EXPECT(learn_begin(&learning, SAVE) == OUT_OF_ORDER, "saved already");
}

static void test_the_mean_of_noise_is_learned(void)
{
    start();
    EXPECT(learn_begin(&learning, EMPTY) == DONE, "begin");
    for (int i = 0; i < LEARN_LOOKS; i++) {
        put(E5, 10 + (i % 2 ? 4 : -4));
        look();
    }
    learn_conclude(&learning, &learned);
    EXPECT(learning.copy.sensors[E5].rest == rest_of(E5) + 10, "the mean");
}

static void test_a_piece_on_the_board_is_never_learned_as_empty(void)
{
    start();
    put(A1, 300);
    put(K10, -300);
    step(EMPTY);
    EXPECT_RESULT(0, OCCUPIED, A1, K10);
    EXPECT(learning.learned == ABORT, "nothing was learned");

    start();
    EXPECT(learn_begin(&learning, EMPTY) == DONE, "begin");
    for (int i = 0; i < LEARN_LOOKS; i++) {
        put(E5, i == 20 ? 300 : 0); /* a piece in passing */
        look();
    }
    learn_conclude(&learning, &learned);
    EXPECT_RESULT(0, OCCUPIED, E5);

    start();
    in_use.sensors[E5] = (struct sensor){.rest = 0, .on = 40};
    put(E5, 41); /* a weak piece that the calibration in use knows */
    step(EMPTY);
    EXPECT_RESULT(0, OCCUPIED, E5);
}

static void test_what_is_in_use_stays_in_use(void)
{
    start();
    struct calibration before = in_use;
    step(EMPTY);
    set_up();
    step(ARMIES);
    EXPECT(memcmp(&before, &in_use, sizeof before) == 0, "until SAVE");
}

/* On tiles red reads low: what is right there has every magnet the wrong way round on a board wired by hand. */
static void test_on_tiles_red_reads_low(void)
{
    start();
    step(EMPTY);
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (square < 40 || square >= 60)
            put(square, -swing_of(square));
    }
    step(ARMIES);
    EXPECT(learned.count == 1 && learned.results[0].result == FLIPPED, "%d results", learned.count);
    geometry_use(TILES);
    step(ARMIES);
    EXPECT_DONE();
    geometry_use(BY_HAND);
}

static void test_weak_flipped_and_missing_magnets_are_told_apart(void)
{
    start();
    step(EMPTY);
    set_up();
    put(12, 140);             /* less than half of the others */
    put(13, 37);              /* hardly more than an eighth: the median is 289 */
    put(K10, +349);           /* the wrong way round */
    put(20, -270);
    put(A1, 0);               /* nothing */
    put(14, -25);             /* nothing but neighbours */
    put(15, 35);
    struct learning before = learning;
    step(ARMIES);
    EXPECT(learned.count == 3, "%d results", learned.count);
    EXPECT_RESULT(0, WEAK, 12, 13);
    EXPECT_RESULT(1, FLIPPED, 20, K10);
    EXPECT_RESULT(2, MISSING, A1, 14, 15);
    EXPECT(memcmp(&before.copy, &learning.copy, sizeof before.copy) == 0, "refused, not changed");
    EXPECT(learn_begin(&learning, SAVE) == OUT_OF_ORDER, "nothing to save");

    set_up(); /* mended */
    step(ARMIES);
    EXPECT_DONE();
}

static void test_what_is_wrong_everywhere_is_told_of_all(void)
{
    static const struct {
        int counts; /* what each piece does to its sensor */
        enum learn_result result;
    } rows[] = {{79, WEAK}, {30, WEAK}, {29, MISSING}, {0, MISSING}, {-80, FLIPPED}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        start();
        step(EMPTY);
        for (uint8_t square = 0; square < SQUARES; square++)
            put(square, square < 40 ? rows[i].counts : square < 60 ? 0 : -rows[i].counts);
        step(ARMIES);
        EXPECT(learned.count == 1 && learned.results[0].result == rows[i].result, "row %zu", i);
        for (uint8_t square = 0; square < SQUARES; square++)
            EXPECT(squares_has(learned.results[0].squares, square) == (square < 40 || square >= 60),
                   "square %d", square);
    }
}

static void test_steps_have_an_order(void)
{
    static const struct {
        const char *done; /* e: EMPTY, a: ARMIES, x: ABORT, f: FORGET */
        enum learn_step step;
        enum learn_result result;
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
                enum learn_step step = *done == 'x' ? ABORT : FORGET;
                EXPECT(learn_begin(&learning, step) == DONE, "row %zu", i);
                continue;
            }
            *done == 'a' ? set_up() : clear_board();
            memset(&senses, 0, sizeof senses);
            step(*done == 'a' ? ARMIES : EMPTY);
        }
        EXPECT(learn_begin(&learning, rows[i].step) == rows[i].result, "row %zu", i);
    }
}

static void test_one_step_at_a_time(void)
{
    start();
    EXPECT(learn_begin(&learning, EMPTY) == DONE, "begin");
    for (enum learn_step other = ABORT; other <= FORGET; other++)
        EXPECT(learn_begin(&learning, other) == OUT_OF_ORDER, "step %d", other);
}

static void test_no_step_no_looks(void)
{
    start();
    for (int i = 0; i < 2 * LEARN_LOOKS; i++)
        EXPECT(!look(), "look %d", i);
}

int main(void)
{
    test_a_whole_calibration();
    test_the_mean_of_noise_is_learned();
    test_a_piece_on_the_board_is_never_learned_as_empty();
    test_what_is_in_use_stays_in_use();
    test_weak_flipped_and_missing_magnets_are_told_apart();
    test_on_tiles_red_reads_low();
    test_what_is_wrong_everywhere_is_told_of_all();
    test_steps_have_an_order();
    test_one_step_at_a_time();
    test_no_step_no_looks();
    return 0;
}
