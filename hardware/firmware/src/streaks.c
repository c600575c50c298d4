#include "streaks.h"

void streaks_look(struct streaks *streaks, const uint8_t otherwise[SQUARE_SET])
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        if (otherwise[i] == 0) { /* nearly always, and every look is in a hurry */
            streaks->bits[0][i] = streaks->bits[1][i] = streaks->bits[2][i] = 0;
            continue;
        }
        uint8_t ones = streaks->bits[0][i], twos = streaks->bits[1][i], fours = streaks->bits[2][i];
        uint8_t most = ones & twos & fours, counts = otherwise[i];
        streaks->bits[0][i] = (uint8_t)((~ones | most) & counts);
        streaks->bits[1][i] = (uint8_t)(((twos ^ ones) | most) & counts);
        streaks->bits[2][i] = (uint8_t)(((fours ^ (twos & ones)) | most) & counts);
    }
}

void streaks_turn(struct streaks *streaks, const uint8_t otherwise[SQUARE_SET], uint8_t rising[SQUARE_SET],
                  const uint8_t rises[SQUARE_SET])
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        uint8_t turned = (rises[i] ^ rising[i]) & otherwise[i];
        rising[i] ^= turned;
        for (uint8_t bit = 0; bit < STREAK_BITS; bit++)
            streaks->bits[bit][i] &= (uint8_t)~turned;
    }
}

uint8_t streaks_of(const struct streaks *streaks, uint8_t square)
{
    uint8_t streak = 0, byte = square / 8, mask = squares_bit(square);
    for (uint8_t bit = STREAK_BITS; bit-- > 0;) {
        streak = (uint8_t)(streak << 1);
        if (streaks->bits[bit][byte] & mask)
            streak++;
    }
    return streak;
}
