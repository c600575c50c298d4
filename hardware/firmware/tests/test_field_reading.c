/* Tests for field readings on boards wired by hand and boards made of tiles. */
#include "expect.h"
#include "field_reading.h"
#include "geometry.h"

#define MIDDLE 512

static void test_shares(void)
{
    static const struct {
        uint16_t reading;
        int8_t rest;
        uint8_t threshold; /* 17 % of a calibrated piece */
        int8_t expected;
    } rows[] = {
        {MIDDLE, 0, 51, 0},         {MIDDLE + 3, 0, 51, 4},      {MIDDLE - 3, 0, 51, -4},
        {MIDDLE + 3, 3, 51, 0},     {MIDDLE - 6, -10, 51, 5},    {MIDDLE + 51, 0, 51, 68},
        {MIDDLE + 95, 0, 51, 127},  {MIDDLE + 300, 0, 51, 127},  {MIDDLE - 300, 0, 51, -127},
        {MIDDLE + 3, 0, 25, 8},     {MIDDLE + 127, 0, 255, 34},  {MIDDLE + 1, 0, 51, 1},
        {10, 0, 51, NOT_FELT},      {1020, 0, 51, NOT_FELT},     {MIDDLE + 60, -128, 1, 127},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sensor sensor = {rows[i].rest, rows[i].threshold};
        int value = field_reading(&sensor, rows[i].reading);
        EXPECT(value == rows[i].expected, "row %zu: %d", i, value);
    }
}

/* The same reading must give the same result when the threshold is a different percentage of a
 * piece. */
static void test_independent_of_the_threshold(void)
{
    struct sensor sensor = {0, 180};
    settings.on_per_cent = 60;
    EXPECT(field_reading(&sensor, MIDDLE + 3) == 4, "3 of 300 counts");
    EXPECT(field_reading(&sensor, MIDDLE + 127) == 127, "the highest threshold");
    settings.on_per_cent = 17;
}

static void test_red_reads_low_on_tiles(void)
{
    struct sensor sensor = {0, 51};
    geometry_use(TILES);
    EXPECT(field_reading(&sensor, MIDDLE + 3) == -4, "high is blue");
    EXPECT(field_reading(&sensor, MIDDLE - 300) == 127, "low is red");
    EXPECT(field_reading(&sensor, 10) == NOT_FELT, "no colour");
    geometry_use(BY_HAND);
}

int main(void)
{
    test_shares();
    test_independent_of_the_threshold();
    test_red_reads_low_on_tiles();
    return 0;
}
