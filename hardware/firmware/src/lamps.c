#include "lamps.h"

#include "board.h"

#define COLUMNS 10
#define BEYOND (1U << COLUMNS)

/* An AVR shifts by one bit at a time, so shifting the two bits of each square into place would
 * delay the next passes too much. */
uint32_t lamps_of(const uint8_t squares[SQUARE_SET])
{
    uint16_t columns = 0, rows = 0;
    uint8_t square = 0;
    for (uint16_t row = 1; row < BEYOND; row <<= 1) {
        for (uint16_t column = 1; column < BEYOND; column <<= 1, square++) {
            if (squares_has(squares, square)) {
                columns |= column;
                rows |= row;
            }
        }
    }
    return (uint32_t)rows << COLUMNS | columns;
}
