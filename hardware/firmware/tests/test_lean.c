/* What the pieces around a square do to it, and what is made of a square by that. */
#include <string.h>

#include "expect.h"
#include "geometry.h"
#include "lean.h"
#include "readings.h"
#include "sense.h"

#define A1 0
#define K10 99
#define E4 34
#define ON 64

static struct calibration calibration;
static struct senses senses;

static void start(void)
{
    memset(&senses, 0, sizeof senses);
    for (uint8_t square = 0; square < SQUARES; square++) {
        calibration.sensors[square] = (struct sensor){.rest = 0, .on = ON};
        readings[square] = 512;
    }
}

static void look(void)
{
    static uint16_t now;
    sense_look(&senses, &calibration, readings, now += 3 * PER_MS, senses.backwards);
}

static void settle(void)
{
    for (int n = 0; n < MOST_PASSED + 2 * PATIENT_LOOKS; n++)
        look();
}

/* Pieces of one colour on all squares but one. */
static void surround(uint8_t square, int16_t piece)
{
    start();
    for (uint8_t other = 0; other < SQUARES; other++) {
        if (other != square)
            readings[other] = (uint16_t)(512 + piece);
    }
    settle();
}

static int16_t leans(uint8_t square)
{
    return lean(senses.settled, square, ON);
}

static void test_nobody_around_does_nothing(void)
{
    start();
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(leans(square) == 0, "square %d", square);
}

/* Four beside it and four at its corners; at an edge fewer; nobody leans around the edge of the board. */
static void test_eight_around_and_fewer_at_the_edges(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        surround(square, 300);
        uint8_t row = square / WIDTH, column = square % WIDTH;
        int rows = (row > 0) + (row < WIDTH - 1), columns = (column > 0) + (column < WIDTH - 1);
        int expected = 5 * (rows + columns) + 2 * rows * columns;
        EXPECT(leans(square) == expected, "square %d: %d", square, leans(square));
    }
    surround(A1, -300);
    EXPECT(leans(A1) == -12, "those that read low do the opposite: %d", leans(A1));
    surround(K10, 300);
    readings[K10] = 512 + 300;
    settle();
    EXPECT(leans(K10) == 12, "what stands there does nothing to itself: %d", leans(K10));
}

static void test_pieces_of_both_colours_make_up_for_each_other(void)
{
    start();
    readings[E4 - 1] = readings[E4 + WIDTH - 1] = 812;
    readings[E4 + 1] = readings[E4 + WIDTH + 1] = 212;
    settle();
    EXPECT(leans(E4) == 0, "%d", leans(E4));
}

/* Of the threshold of 64 an army of its own takes away 28, but what is less than 48 is nothing anywhere. */
static void test_a_piece_amid_its_army_is_felt_from_less(void)
{
    surround(E4, 300);
    readings[E4] = 512 + 47;
    settle();
    EXPECT(sense_settled(&senses, E4) == NOTHING, "too little");
    readings[E4] = 512 + 48;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "enough");
    EXPECT(squares_has(senses.faint, E4), "it is faint all the same");
    surround(E4, -300);
    readings[E4] = 512 + 91;
    settle();
    EXPECT(sense_settled(&senses, E4) == NOTHING, "amid the other army so much is no piece");
    readings[E4] = 512 + 92;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "and from here on it is");
}

/* The other army leaves what it does there, in the colour of the piece. */
static void test_a_piece_that_is_lifted_amid_the_other_army_is_gone(void)
{
    surround(E4, -300);
    readings[E4] = 512 + 300;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "it is there");
    readings[E4] = 512 + 63;
    settle();
    EXPECT(sense_settled(&senses, E4) == NOTHING, "it is gone");
    surround(E4, -300);
    readings[E4] = 512 + 300;
    settle();
    readings[E4] = 512 + 79;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "a little more, and it stays");
}

/* There is no time for more, and nobody sets down so many at once beside the middle. */
static void test_of_many_in_doubt_only_some_are_looked_around(void)
{
    surround(E4, 300);
    readings[E4] = 512;
    for (uint8_t square = 0; square < MOST_AROUND; square++)
        readings[square] = 512 + ON - 1;
    settle();
    for (uint8_t square = 0; square < MOST_AROUND; square++)
        EXPECT(sense_settled(&senses, square) == HIGH, "square %d stays", square);
    readings[E4] = 512 + 51;
    settle();
    EXPECT(sense_settled(&senses, E4) == NOTHING, "nobody has looked around it");
    readings[E4] = 512 + ON;
    settle();
    EXPECT(sense_settled(&senses, E4) == HIGH, "what is enough by itself needs no look around");
}

int main(void)
{
    test_nobody_around_does_nothing();
    test_eight_around_and_fewer_at_the_edges();
    test_pieces_of_both_colours_make_up_for_each_other();
    test_a_piece_amid_its_army_is_felt_from_less();
    test_a_piece_that_is_lifted_amid_the_other_army_is_gone();
    test_of_many_in_doubt_only_some_are_looked_around();
    return 0;
}
