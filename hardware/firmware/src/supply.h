/* Supply voltage of the board. The converter's scale is the supply, and the chip's band gap of
 * about 1.1 V is read on it. To calibrate the measurement, set the reference (settings.h) to 1100
 * mV times the supply voltage that a meter shows, divided by the voltage that the board reports. */
#pragma once

#include <stdint.h>

/* Below this the sensors are at their specified limit. The fuses of a Nano (extended fuse 0xFD) set
 * the brown-out reset to 2.7 V, and an ATmega328P is specified for 16 MHz from 3.78 V (data sheet,
 * speed grades): below that the firmware may hang before a weak supply resets the board. */
#define LOW_SUPPLY_MV 4700

#define BROWN_OUT_MV 2700
/* A brown-out is reported as a low supply for three seconds after the restart: the computer ignores a
 * fault that lasts for less than 1.2 s. */
#define BROWN_OUT_REPORTS 3

#define SUPPLY_READINGS 16

/* Return the supply in millivolts from the sum of SUPPLY_READINGS readings of the band gap. */
uint16_t supply_mv(uint16_t sum);
