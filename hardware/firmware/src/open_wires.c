#include <string.h>

#include "open_wires.h"
#include "scan.h"
#include "squares.h"

#define WIRES_PER_FRAME 2 /* 60 us each */

static uint8_t open_wires[SQUARE_SET];

void open_wires_start(void)
{
    memset(open_wires, 0, sizeof open_wires);
}

bool open_wires_has(uint8_t square)
{
    return squares_has(open_wires, square);
}

void open_wires_ground(uint16_t readings[READINGS])
{
    if (!squares_any(open_wires))
        return;
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (squares_has(open_wires, square))
            readings[square] = 0;
    }
}

/* Return the channel with a multiplexer's highest reading. While hum pulls an open wire to ground,
 * only the charge of a high input makes a difference. */
static uint8_t highest_channel(uint8_t multiplexer, const uint16_t readings[READINGS])
{
    uint8_t first = multiplexer * CHANNELS, highest = first;
    uint16_t most = 0;
    for (uint8_t each = first; each < first + CHANNELS; each++) {
        uint8_t square = wiring->squares[each];
        if (square != NO_READING && readings[square] > most) {
            most = readings[square];
            highest = each;
        }
    }
    return highest;
}

bool seems_open(uint8_t square, const uint16_t readings[READINGS])
{
    uint8_t channel = channel_of(square);
    uint8_t other = highest_channel(channel / CHANNELS, readings);
    if (other == channel)
        other = scan_neighbour(channel);
    for (uint8_t n = 0; n < 3; n++) {
        if (!scan_is_open(channel, other, scan_channel(channel)))
            return false;
    }
    return true;
}

/* Check one of the open wires, because a loose contact may soon close again. */
static void check_open_wire(const uint16_t readings[READINGS])
{
    static uint8_t square;
    if (!squares_any(open_wires))
        return;
    do
        square = square == SQUARES - 1 ? 0 : square + 1;
    while (!squares_has(open_wires, square));
    if (!seems_open(square, readings))
        squares_remove(open_wires, square);
}

void open_wires_check(const uint16_t readings[READINGS], uint8_t suspect)
{
    static uint8_t next, doubtful = NO_READING;
    uint8_t again = doubtful;
    doubtful = suspect;
    if (again != NO_READING && seems_open(again, readings)) {
        squares_add(open_wires, again);
        doubtful = NO_READING;
    }
    for (uint8_t n = 0; n < WIRES_PER_FRAME; n++, next++) {
        if (doubtful == NO_READING && !squares_has(open_wires, next) && seems_open(next, readings))
            doubtful = next;
    }
    if (next == SQUARES)
        next = 0;
    check_open_wire(readings);
}
