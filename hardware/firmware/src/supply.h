/* Supply voltage of the board. The converter measures the chip's band gap of about 1.1 V relative
 * to the supply. To calibrate the measurement, set the reference (settings.h) to 1100 mV times the
 * supply voltage shown by a meter, divided by the voltage reported by the board. */
#pragma once

#include <stdint.h>

/* Below this voltage the sensors are at their specified limit. A Nano's fuses (extended fuse 0xFD)
 * set the brown-out reset to 2.7 V, but an ATmega328P is specified for 16 MHz only from 3.78 V
 * (data sheet, speed grades). Between the two, the firmware may hang before a weak supply resets
 * the board. */
#define LOW_SUPPLY_MV 4700

#define BROWN_OUT_MV 2700
/* A brown-out is reported as a low supply for three seconds after the restart, because the computer
 * ignores a fault that lasts for less than 1.2 s. */
#define BROWN_OUT_REPORTS 3

#define SUPPLY_READINGS 16

/* Return the supply in millivolts from the sum of SUPPLY_READINGS readings of the band gap. */
uint16_t supply_mv(uint16_t sum);
