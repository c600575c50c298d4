/* Tests for the debounce counters. */
#include <string.h>

#include "board.h"
#include "debounce.h"
#include "expect.h"

static void test_count_per_square_saturates(void)
{
    struct debounce debounce = {0};
    for (int pass = 1; pass <= 2 * MAX_COUNT; pass++) {
        uint8_t differing[SQUARE_SET] = {0};
        for (uint8_t square = 0; square < SQUARES; square++) {
            if (pass % (square + 1) != 0) /* square n differs, except in every (n + 1)th pass */
                squares_add(differing, square);
        }
        debounce_count(&debounce, differing);
        for (uint8_t square = 0; square < SQUARES; square++) {
            int expected = pass % (square + 1);
            if (expected > MAX_COUNT)
                expected = MAX_COUNT;
            EXPECT(debounce_passes(&debounce, square) == expected, "square %d after %d passes: %d", square,
                   pass, debounce_passes(&debounce, square));
        }
    }
}

static void test_reversal_restarts_one_square(void)
{
    struct debounce debounce = {0};
    uint8_t differing[SQUARE_SET] = {0};
    for (uint8_t square = 0; square < SQUARES; square++)
        squares_add(differing, square);
    for (int pass = 1; pass <= 3; pass++)
        debounce_count(&debounce, differing);
    uint8_t rising[SQUARE_SET] = {0}, rises[SQUARE_SET] = {0};
    squares_add(rises, 42);
    debounce_restart(&debounce, differing, rising, rises);
    EXPECT(squares_has(rising, 42), "reversed");
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(debounce_passes(&debounce, square) == (square == 42 ? 0 : 3), "square %d", square);
    debounce_count(&debounce, differing);
    EXPECT(debounce_passes(&debounce, 42) == 1, "%d", debounce_passes(&debounce, 42));
}

int main(void)
{
    test_count_per_square_saturates();
    test_reversal_restarts_one_square();
    return 0;
}
