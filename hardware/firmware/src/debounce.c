#include "debounce.h"

void debounce_count(struct debounce *debounce, const uint8_t differing[SQUARE_SET])
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        if (differing[i] == 0) { /* nearly always the case; every pass is time-critical */
            debounce->bits[0][i] = debounce->bits[1][i] = debounce->bits[2][i] = 0;
            continue;
        }
        uint8_t ones = debounce->bits[0][i], twos = debounce->bits[1][i], fours = debounce->bits[2][i];
        uint8_t saturated = ones & twos & fours, counts = differing[i];
        debounce->bits[0][i] = (uint8_t)((~ones | saturated) & counts);
        debounce->bits[1][i] = (uint8_t)(((twos ^ ones) | saturated) & counts);
        debounce->bits[2][i] = (uint8_t)(((fours ^ (twos & ones)) | saturated) & counts);
    }
}

void debounce_restart(struct debounce *debounce, const uint8_t differing[SQUARE_SET],
                      uint8_t was_rising[SQUARE_SET], const uint8_t rising[SQUARE_SET])
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        uint8_t reversed = (rising[i] ^ was_rising[i]) & differing[i];
        was_rising[i] ^= reversed;
        for (uint8_t bit = 0; bit < COUNT_BITS; bit++)
            debounce->bits[bit][i] &= (uint8_t)~reversed;
    }
}

uint8_t debounce_passes(const struct debounce *debounce, uint8_t square)
{
    uint8_t passes = 0, byte = square / 8, mask = squares_bit(square);
    for (uint8_t bit = COUNT_BITS; bit-- > 0;) {
        passes = (uint8_t)(passes << 1);
        if (debounce->bits[bit][byte] & mask)
            passes++;
    }
    return passes;
}
