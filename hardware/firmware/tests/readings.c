#include "readings.h"

uint16_t readings[READINGS];
uint8_t spiked_square = NO_READING;
uint16_t spiked_again;

uint16_t scan_again(uint8_t channel)
{
    uint8_t square = wiring->squares[channel];
    return square == spiked_square ? spiked_again : readings[square];
}

/* Every test is of a board wired by hand with sensors that tell colours, until it says otherwise. */
static __attribute__((constructor)) void begin(void)
{
    settings_usual(COLOURS);
}
