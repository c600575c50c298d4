/* Tests for the supply measured with the band gap, and for the lamps of a square set. */
#include "expect.h"
#include "lamps.h"
#include "settings.h"
#include "supply.h"

static void test_supply(void)
{
    static const struct {
        uint16_t reading; /* reading of the band gap */
        uint16_t mv;
        uint16_t band_gap_mv;
    } rows[] = {
        {225, 5006, 1100},  {239, 4712, 1100},     {240, 4693, 1100},     {204, 5521, 1100},
        {1023, 1101, 1100}, {1, UINT16_MAX, 1100}, {0, UINT16_MAX, 1100}, {225, 5129, 1127},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        settings.band_gap_mv = rows[i].band_gap_mv;
        uint16_t mv = supply_mv((uint16_t)(SUPPLY_READINGS * rows[i].reading));
        EXPECT(mv == rows[i].mv, "%d reads as %d mV", rows[i].reading, mv);
    }
}

static void test_lamps(void)
{
    static const struct {
        uint8_t squares[2];
        uint32_t lamps; /* rows 10 to 1, columns k to a */
    } rows[] = {
        {{0, 0}, 0x00401},   /* a1 */
        {{99, 99}, 0x80200}, /* k10 */
        {{34, 34}, 0x02010}, /* e4 */
        {{34, 44}, 0x06010}, /* e4, e5 */
        {{0, 99}, 0x80601},  /* a1, k10 */
    };
    const uint8_t none[SQUARE_SET] = {0};
    EXPECT(lamps_of(none) == 0, "none");
    for (size_t i = 0; i < ROWS(rows); i++) {
        uint8_t squares[SQUARE_SET] = {0};
        squares_add(squares, rows[i].squares[0]);
        squares_add(squares, rows[i].squares[1]);
        EXPECT(lamps_of(squares) == rows[i].lamps, "row %zu: %05X", i, lamps_of(squares));
    }
}

int main(void)
{
    test_supply();
    test_lamps();
    return 0;
}
