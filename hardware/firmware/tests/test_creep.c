/* Changes that are hardly far enough, or too slow for a hand: what is made of them, look by look. */
#include <string.h>

#include "geometry.h"
#include "expect.h"
#include "readings.h"
#include "sense.h"

#define E4 34
/* From there on a piece is felt. */
#define ON 52

static struct calibration calibration;
static struct senses senses;
static uint16_t now;

static void start(void)
{
    memset(&senses, 0, sizeof senses);
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration.sensors[square] = (struct sensor){.rest = 0, .on = ON};
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 512;
}

static void look(void)
{
    sense_look(&senses, &calibration, readings, now += 3 * PER_MS, senses.backwards);
}

static bool is_dying(void)
{
    return creep_is_dying(&senses.creep, E4);
}

static void read(uint8_t square, int16_t deflected)
{
    readings[square] = (uint16_t)(512 + deflected);
}

/* A frame is six looks; a reading goes by so much from one to the next. */
static void creep_to(uint8_t square, int16_t reading, int16_t step)
{
    uint16_t *at = readings + square;
    while (step > 0 ? *at < reading : *at > reading) {
        *at += step;
        for (int n = 0; n < 6; n++)
            look();
        sense_frame(&senses, &calibration, readings);
    }
}

static void rest(int frames)
{
    for (int n = 0; n < 6 * frames; n++) {
        look();
        if (n % 6 == 5)
            sense_frame(&senses, &calibration, readings);
    }
}

static void test_what_creeps_is_believed_when_it_has_come_to_rest(void)
{
    start();
    rest(8);
    creep_to(E4, 512 + 200, 4);
    EXPECT(sense_settled(&senses, E4) == NOTHING, "it is on its way");
    EXPECT(is_dying(), "and is told");
    rest(COMES_FRAMES + 10);
    EXPECT(sense_settled(&senses, E4) == HIGH, "a piece that was pushed slowly");
    EXPECT(!is_dying(), "no more");
    creep_to(E4, 512, -4);
    EXPECT(sense_settled(&senses, E4) == HIGH, "it goes slowly, too");
    rest(GOES_FRAMES + 10);
    EXPECT(sense_settled(&senses, E4) == NOTHING, "it has gone");
}

/* To and fro around a middle, evenly. */
static void hover(int frames, int16_t middle, int16_t sway, uint8_t period)
{
    for (int n = 0; n < frames; n++) {
        int16_t phase = (int16_t)(n % period), half = period / 2;
        int16_t part = phase < half ? phase : (int16_t)(period - phase);
        read(E4, (int16_t)(middle - sway + 2 * sway * part / half));
        rest(1);
        EXPECT(!is_dying(), "a hand at frame %d", n);
    }
}

static void test_a_hand_that_trembles_is_no_sensor_that_dies(void)
{
    for (uint8_t period = 10; period <= 28; period += 6) { /* 5 Hz to 1.8 Hz */
        start();
        readings[E4 + 20] = 812;
        rest(4);
        readings[E4 + 20] = 512; /* the hand has a piece */
        rest(8);
        creep_to(E4, 512 + ON - 11, 3);
        hover(150, ON + 4, 15, period);
        EXPECT(sense_settled(&senses, E4) == NOTHING, "it does not stand");
        creep_to(E4, 512 + 200, 4);
        EXPECT(!is_dying(), "it has turned");
        rest(HAND_FRAMES + 2);
        EXPECT(sense_settled(&senses, E4) == HIGH, "it stands, and is believed at once");
    }
}

static void test_a_piece_that_is_lowered_evenly_is_none_either(void)
{
    /* A hand comes down at 20 mm/s: the field grows with the third power of how near it is. */
    start();
    rest(8);
    for (int32_t z = 480; z > 150; z -= 4) {
        read(E4, (int16_t)(304LL * 105 * 105 * 105 / ((int64_t)z * z * z)));
        rest(1);
        EXPECT(!is_dying(), "at %d", (int)z);
    }
}

/* A piece elsewhere is lifted, then a sensor goes evenly: a third of a piece's field has to go by. */
static void test_while_a_piece_is_in_a_hand_a_line_has_to_be_longer(void)
{
    for (int in_hand = 0; in_hand <= 1; in_hand++) {
        start();
        readings[E4 + 20] = 812;
        rest(4);
        readings[E4 + 20] = in_hand ? 512 : 812;
        rest(30);
        creep_to(E4, 512 + 84, 4);
        EXPECT(is_dying() == !in_hand, "lifted %d", in_hand);
        creep_to(E4, 512 + 120, 4);
        EXPECT(is_dying(), "lifted %d", in_hand);
    }
}

static void test_a_sensor_that_dies_shows_no_colour(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        start();
        readings[E4] = 812;
        look();
        look();
        rest(8);
        creep_to(E4, sign < 0 ? 0 : 1020, 4 * sign);
        EXPECT(sense_settled(&senses, E4) == HIGH, "to the end %d", sign);
        start();
        rest(8);
        creep_to(E4, sign < 0 ? 0 : 1020, 4 * sign);
        EXPECT(sense_settled(&senses, E4) == NOTHING, "to the end %d", sign);
    }
}

/* How many looks it takes until the square is believed to be so. */
static int looks_until(enum seen seen)
{
    int looks = 0;
    while (sense_settled(&senses, E4) != seen && looks < 100) {
        look();
        looks++;
    }
    return looks;
}

static void test_the_less_has_changed_the_longer_it_is_watched(void)
{
    static const struct {
        int16_t deflected;
        int looks;
    } rows[] = {{304, 2}, {-304, 2}, {MOST_FAR + 4, 2}, {MOST_FAR - 4, PATIENT_LOOKS + 1},
                {-ON, PATIENT_LOOKS + 1}};
    for (size_t i = 0; i < ROWS(rows); i++) {
        enum seen colour = rows[i].deflected > 0 ? HIGH : LOW;
        start();
        rest(4);
        read(E4, rows[i].deflected);
        int looks = looks_until(colour);
        EXPECT(looks == rows[i].looks, "%d comes: %d looks", rows[i].deflected, looks);
        read(E4, 0);
        looks = looks_until(NOTHING);
        EXPECT(looks == rows[i].looks, "%d goes at once: %d looks", rows[i].deflected, looks);
    }
}

static void test_amid_the_other_army_less_than_the_threshold_is_a_jump(void)
{
    start();
    read(E4, 24);
    rest(4);
    read(E4, 24 + 36);
    EXPECT(looks_until(HIGH) == PATIENT_LOOKS + 1, "it comes");
    rest(4);
    read(E4, 24);
    EXPECT(looks_until(NOTHING) == PATIENT_LOOKS + 1, "it goes");
}

static void test_a_weak_piece_is_felt_as_soon_where_a_weak_one_was_learned(void)
{
    start();
    calibration.sensors[E4].on = 14;
    rest(4);
    read(E4, 80);
    EXPECT(looks_until(HIGH) == 2, "all of it");
    read(E4, 0);
    looks_until(NOTHING);
    rest(4);
    read(E4, 14);
    EXPECT(looks_until(HIGH) == PATIENT_LOOKS + 1, "a piece beside the middle");
}

static int settled_of(uint8_t squares)
{
    int settled = 0;
    for (uint8_t square = 0; square < squares; square++)
        settled += sense_settled(&senses, square) == HIGH;
    return settled;
}

/* There is time to read some of them once more in each look: those are believed, then the next. */
static void test_many_faint_pieces_at_once_are_watched_together(void)
{
    const uint8_t faint = 40;
    start();
    rest(4);
    for (uint8_t square = 0; square < faint; square++)
        read(square, ON + 5);
    for (int n = 0; n < PATIENT_LOOKS + 1; n++) {
        EXPECT(settled_of(faint) == 0, "look %d", n);
        look();
    }
    for (int settled = MOST_SMALL; settled < faint; settled += MOST_SMALL) {
        EXPECT(settled_of(faint) == settled, "%d are, %d should be", settled_of(faint), settled);
        look();
        look();
    }
    EXPECT(settled_of(faint) == faint, "%d", settled_of(faint));
}

static void test_a_ripple_changes_nothing(void)
{
    /* Of +-51 counts on top of 24, with 50 Hz: six looks go by in a frame of 20 ms. */
    static const int8_t ripple[] = {0, 44, 51, 0, -44, -51};
    start();
    for (int n = 0; n < 600; n++) {
        read(E4, 24 + ripple[n % 6]);
        look();
        EXPECT(sense_settled(&senses, E4) == NOTHING, "look %d", n);
        if (n % 6 == 5)
            sense_frame(&senses, &calibration, readings);
        EXPECT(!is_dying(), "look %d", n);
    }
}

static void test_a_ripple_that_is_quicker_than_the_looks_changes_nothing(void)
{
    /* However many looks in a row meet the same half of it, up to five: each turn begins anew. */
    for (int half = 1; half < PATIENT_LOOKS; half++) {
        start();
        for (int n = 0; n < 600; n++) {
            read(E4, n / half % 2 ? ON : -ON);
            look();
            EXPECT(sense_settled(&senses, E4) == NOTHING, "%d at a time, look %d", half, n);
            if (n % 6 == 5)
                sense_frame(&senses, &calibration, readings);
        }
    }
}

/* Its crest comes slowly to where each frame ends. */
static void test_a_ripple_that_meets_every_frame_alike_has_not_come_to_rest(void)
{
    start();
    rest(4);
    for (int frame = 0; frame < ON + 4 * COMES_FRAMES; frame++) {
        int16_t crest = (int16_t)(frame < ON ? frame : ON);
        for (int n = 0; n < 6; n++) {
            read(E4, n == 2 || n == 3 ? 0 : crest);
            look();
            EXPECT(sense_settled(&senses, E4) == NOTHING, "frame %d", frame);
        }
        sense_frame(&senses, &calibration, readings);
    }
}

static void test_what_was_watched_is_told_with_the_moment_in_which_it_began(void)
{
    start();
    rest(4);
    senses.changes.count = 0;
    senses.backwards = false;
    read(E4, ON + 5);
    uint16_t first = now + 3 * PER_MS + scan_moment(channel_of(E4), false);
    looks_until(HIGH);
    EXPECT(senses.changes.count == 1, "%d", senses.changes.count);
    EXPECT(senses.changes.list[0].at == first, "%d, not %d", senses.changes.list[0].at, first);
}

static void test_of_what_has_crept_nobody_knows_the_moment(void)
{
    start();
    rest(4);
    senses.changes.count = 0;
    creep_to(E4, 512 + 100, 4);
    rest(COMES_FRAMES + 10);
    EXPECT(sense_settled(&senses, E4) == HIGH && senses.changes.count == 0, "%d",
           senses.changes.count);
}

int main(void)
{
    test_what_creeps_is_believed_when_it_has_come_to_rest();
    test_a_hand_that_trembles_is_no_sensor_that_dies();
    test_a_piece_that_is_lowered_evenly_is_none_either();
    test_while_a_piece_is_in_a_hand_a_line_has_to_be_longer();
    test_a_sensor_that_dies_shows_no_colour();
    test_the_less_has_changed_the_longer_it_is_watched();
    test_amid_the_other_army_less_than_the_threshold_is_a_jump();
    test_a_weak_piece_is_felt_as_soon_where_a_weak_one_was_learned();
    test_many_faint_pieces_at_once_are_watched_together();
    test_a_ripple_changes_nothing();
    test_a_ripple_that_is_quicker_than_the_looks_changes_nothing();
    test_a_ripple_that_meets_every_frame_alike_has_not_come_to_rest();
    test_what_was_watched_is_told_with_the_moment_in_which_it_began();
    test_of_what_has_crept_nobody_knows_the_moment();
    return 0;
}
