/* A/D converter and multiplexers: select lines S0 to S3 on PB0 to PB3, outputs of multiplexers 0 to
 * 7 on ADC0 to ADC7.
 *
 * A scan pass reads every input that has a square on any multiplexer once: 15 times 10 us of
 * settling and 7 conversions of 13 us; on tiles, 13 times and 8 conversions. A quick conversion of
 * 2 us precedes each of them. With the code around them a pass takes 2.0 ms. Every other pass scans
 * the inputs backwards. The converter runs at 1 MHz, the highest specified clock: an error of 4.5
 * counts instead of 2 (data sheet, ADC characteristics), where the nearest threshold is 16 counts
 * away in the worst case and usually 60.
 *
 * Open wires: a multiplexer output that nothing drives keeps the charge of the previous input, and
 * would show the piece there. So a grounded input is selected in between, during the last
 * conversion, whose sample has been taken by then. The converter's own capacitor also keeps the
 * previous sample; a conversion of the internal ground, at a clock too fast for a usable reading,
 * discharges it. An open wire then reads as ground, which no Hall sensor does (faults.h).
 *
 * Oversampling: a change is based on two passes with two readings each, a calibration on 32 passes,
 * and the supply voltage on 16 readings.
 *
 * Why not slower and more precise: the last two passes of a frame are taken right before it is
 * sent. From a magnet's arrival to the end of the frame it takes, for a square in the middle of a
 * pass, 1.5 passes, 0.9 ms of computation, 1.8 ms to write and send the frame, and 0 to 20 ms until
 * the next frame is due. At 500 kHz a pass takes 3.5 ms. Required are 16 ms in the median and at
 * most 35. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "geometry.h"

/* Settling time after the select lines have changed: break before make, 70 ohms, and a long wire. */
#define SETTLING_US 10

void scan_start(void);
/* Take one pass, forwards or backwards. Readings are indexed by square. */
void scan_pass(uint16_t readings[READINGS], bool backwards);
/* Read one channel, for the second reading of a pass. */
uint16_t scan_channel(uint8_t channel);
/* Read a channel right after another one of its multiplexer: with an open wire, the result is the
 * charge of the other channel. */
uint16_t scan_after(uint8_t channel, uint8_t other);
/* Return the time from the start of a pass to the reading of a channel, in ticks of 1/16 ms. */
static inline uint8_t scan_offset(uint8_t channel, bool backwards)
{
    uint8_t place = wiring->places[channel % CHANNELS];
    return (uint8_t)((backwards ? wiring->input_count - 1 - place : place) * wiring->input_time / 16);
}

/* Return true if nothing drives a channel: right after `other`, another channel of its multiplexer,
 * its reading differs from `discharged`, its reading by scan_channel(). Independent of the level,
 * because hum may move an open wire to any. A board of switches has no grounded input; the result is
 * false. */
bool scan_is_open(uint8_t channel, uint8_t other, uint16_t discharged);
/* Return a channel of the same multiplexer that has a sensor. */
static inline uint8_t scan_neighbour(uint8_t channel)
{
    return wiring->squares[channel ^ 1] != NO_READING ? channel ^ 1 : channel ^ 2;
}

/* Return the sum of readings of the band gap, on the scale of the supply. */
uint16_t scan_band_gap(uint8_t readings);
