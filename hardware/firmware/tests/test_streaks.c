/* How many looks in a row have seen a square otherwise. */
#include <string.h>

#include "board.h"
#include "expect.h"
#include "streaks.h"

static void test_each_square_is_counted_by_itself_up_to_the_most(void)
{
    struct streaks streaks = {0};
    for (int look = 1; look <= 2 * MOST_STREAK; look++) {
        uint8_t otherwise[SQUARE_SET] = {0};
        for (uint8_t square = 0; square < SQUARES; square++) {
            if (look % (square + 1) != 0) /* square 0 never, square n every time but each n + 1st */
                squares_add(otherwise, square);
        }
        streaks_look(&streaks, otherwise);
        for (uint8_t square = 0; square < SQUARES; square++) {
            int expected = look % (square + 1);
            if (expected > MOST_STREAK)
                expected = MOST_STREAK;
            EXPECT(streaks_of(&streaks, square) == expected, "square %d after %d looks: %d", square,
                   look, streaks_of(&streaks, square));
        }
    }
}

static void test_one_square_begins_anew_and_the_others_go_on(void)
{
    struct streaks streaks = {0};
    uint8_t otherwise[SQUARE_SET] = {0};
    for (uint8_t square = 0; square < SQUARES; square++)
        squares_add(otherwise, square);
    for (int look = 1; look <= 3; look++)
        streaks_look(&streaks, otherwise);
    uint8_t rising[SQUARE_SET] = {0}, rises[SQUARE_SET] = {0};
    squares_add(rises, 42);
    streaks_turn(&streaks, otherwise, rising, rises);
    EXPECT(squares_has(rising, 42), "it goes the other way now");
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(streaks_of(&streaks, square) == (square == 42 ? 0 : 3), "square %d", square);
    streaks_look(&streaks, otherwise);
    EXPECT(streaks_of(&streaks, 42) == 1, "%d", streaks_of(&streaks, 42));
}

int main(void)
{
    test_each_square_is_counted_by_itself_up_to_the_most();
    test_one_square_begins_anew_and_the_others_go_on();
    return 0;
}
