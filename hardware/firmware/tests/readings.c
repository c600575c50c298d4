#include "readings.h"

uint16_t readings[INPUTS];
uint8_t spiked_channel = NO_CHANNEL;
uint16_t spiked_again;

uint16_t scan_again(uint8_t channel)
{
    return channel == spiked_channel ? spiked_again : readings[channel];
}
