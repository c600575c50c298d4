#include "readings.h"

uint16_t readings[READINGS];
uint8_t spike_square = NO_READING;
uint16_t spike_reading;
uint8_t open_square = NO_READING;

bool scan_is_open(uint8_t channel, uint8_t other, uint16_t discharged)
{
    (void)other, (void)discharged;
    return open_square != NO_READING && wiring->squares[channel] == open_square;
}

uint16_t scan_channel(uint8_t channel)
{
    uint8_t square = wiring->squares[channel];
    return square == spike_square ? spike_reading : readings[square];
}

/* By default, the board is wired by hand and has Hall sensors. */
static __attribute__((constructor)) void begin(void)
{
    settings_default(COLOURS, BY_HAND);
}
