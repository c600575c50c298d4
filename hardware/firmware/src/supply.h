/* The board's own supply, measured the other way round: the converter's scale is the supply, and the
 * chip's band gap of about 1.1 V is read on it (settings.h): 1100 times what a meter reads, by what the board reports. */
#pragma once

#include <stdint.h>

/* Below this the sensors are at the end of what they promise. A Nano's fuses (extended fuse 0xFD) have the
 * brown-out reset at 2.7 V only, and from 3.78 V down an ATmega328P is not promised to run at 16 MHz (data
 * sheet, speed grades): before a weak supply resets the board, the firmware may hang. */
#define LOW_SUPPLY_MV 4700

#define SUPPLY_READINGS 16

/* The supply in millivolts, from the sum of SUPPLY_READINGS readings of the band gap. */
uint16_t supply_mv(uint16_t sum);
