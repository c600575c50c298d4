#include "lamps.h"

#include "board.h"

#define COLUMNS 10

uint32_t lamps_of(const uint8_t squares[SQUARE_SET])
{
    uint32_t lamps = 0;
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (squares_has(squares, square))
            lamps |= 1UL << square % COLUMNS | 1UL << (COLUMNS + square / COLUMNS);
    }
    return lamps;
}
