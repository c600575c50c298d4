/* The converter and the multiplexers before it: select lines S0 to S3 on PB0 to PB3, the outputs of
 * multiplexers 0 to 6 on ADC0 to ADC6.
 *
 * One look reads all 112 channels once: 16 times 10 us of settling and 7 conversions of 13 us, with
 * the code around them 1.83 ms. The converter runs at 1 MHz, the most it is specified for: 4.5 counts
 * of error instead of 2 (data sheet, ADC characteristics), where the nearest threshold is 16 counts
 * away in the worst case and 60 as a rule.
 *
 * Oversampling: a change of a square rests on two looks, a learned value on 32, the supply on 16.
 *
 * Why not slower and more precise: the last two looks of a frame are taken right before it goes out. From
 * a magnet's arrival to the end of the frame it is, for a square in the middle of the scan, 1.5 looks,
 * 0.9 ms of thinking, 1.8 ms to write the frame and send it, and 0 to 20 ms until the next frame is
 * due: 5.4 to 25.4 ms, 15.4 in the median. At 500 kHz a look takes 3.3 ms, and the median is 17.7; at
 * 1 MHz with four conversions each it is 22. Asked for are 16 in the median and 35 at most. */
#pragma once

#include <stdint.h>

#include "board.h"

/* After the select lines have changed: break before make, 70 ohms, and a long wire. */
#define SETTLING_US 10

void scan_start(void);
/* Takes one look; readings are by channel, 16 * multiplexer + input. */
void scan_look(uint16_t readings[INPUTS]);
/* How long after a look has begun it reads a channel, in sixteenths of a millisecond. */
static inline uint8_t scan_moment(uint8_t channel)
{
    return (uint8_t)(channel % CHANNELS * 29 / CHANNELS);
}

/* The sum of so many readings of the band gap, on the scale of the supply. */
uint16_t scan_band_gap(uint8_t readings);
