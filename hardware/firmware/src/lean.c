#include "lean.h"

#include <stdbool.h>

#include "seen.h"

#define BESIDE 5
#define AT_A_CORNER 2
#define PARTS 64

int16_t lean(const uint8_t settled[], uint8_t square, uint8_t on)
{
    uint8_t column = square % WIDTH;
    int8_t parts = 0;
    for (int8_t up = -WIDTH; up <= WIDTH; up += WIDTH) {
        for (int8_t beside = -1; beside <= 1; beside++) {
            uint8_t other = (uint8_t)(square + up + beside);
            bool is_off = other >= SQUARES || (uint8_t)(column + beside) >= WIDTH;
            if (is_off || other == square)
                continue;
            enum seen seen = settled[other / 4] >> 2 * (other % 4) & 3;
            int8_t weight = up == 0 || beside == 0 ? BESIDE : AT_A_CORNER;
            if (seen == HIGH)
                parts += weight;
            else if (seen == LOW)
                parts -= weight;
        }
    }
    return (int16_t)(parts * on) / PARTS;
}
