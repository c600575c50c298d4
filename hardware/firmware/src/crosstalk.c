#include "crosstalk.h"

#include <stdbool.h>

#include "sensor_state.h"

#define SIDE_WEIGHT 5
#define CORNER_WEIGHT 2
#define PARTS 64

int16_t crosstalk_at(const uint8_t debounced[], uint8_t square, uint8_t threshold)
{
    uint8_t column = square % WIDTH;
    int8_t parts = 0;
    for (int8_t up = -WIDTH; up <= WIDTH; up += WIDTH) {
        for (int8_t right = -1; right <= 1; right++) {
            uint8_t other = (uint8_t)(square + up + right);
            bool is_off_board = other >= SQUARES || (uint8_t)(column + right) >= WIDTH;
            if (is_off_board || other == square)
                continue;
            enum sensor_state state = debounced[other / 4] >> 2 * (other % 4) & 3;
            int8_t weight = up == 0 || right == 0 ? SIDE_WEIGHT : CORNER_WEIGHT;
            if (state == HIGH)
                parts += weight;
            else if (state == LOW)
                parts -= weight;
        }
    }
    return (int16_t)(parts * threshold) / PARTS;
}
