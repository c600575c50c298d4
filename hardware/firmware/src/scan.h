/* A/D converter and multiplexers. Select lines S0 to S3 are on PB0 to PB3; the outputs of
 * multiplexers 0 to 7 are on ADC0 to ADC7.
 *
 * A scan pass reads every input that has a square on any multiplexer once. On a board wired by
 * hand, it takes 15 times 10 us of settling and 7 conversions of 13 us; on tiles, 13 times with 8
 * conversions. A quick conversion of 2 us precedes each conversion. Including the code around the
 * conversions, a pass takes 2.0 ms. Every other pass scans the inputs backwards. The converter runs
 * at 1 MHz, the highest specified clock, with an error of 4.5 counts instead of 2 (data sheet, ADC
 * characteristics). The nearest threshold is 16 counts away in the worst case and usually 60.
 *
 * Open wires: a multiplexer output that nothing drives keeps the charge of the previous input, and
 * would show the piece on that square. A grounded input is therefore selected in between, during
 * the last conversion, once its sample has been taken. The converter's own capacitor also keeps the
 * previous sample; a conversion of the internal ground, at a clock too fast for a usable reading,
 * discharges the capacitor. An open wire then reads as ground, which no Hall sensor does
 * (faults.h).
 *
 * Oversampling: a change is based on two passes with two readings each, a calibration on 32 passes,
 * and the supply voltage on 16 readings.
 *
 * Why the scan is not slower and more precise: the last two passes of a frame are made right before
 * it is sent. For a square in the middle of a pass, the time from a magnet's arrival to the end of
 * the frame is 1.5 passes, 0.9 ms of computation, 1.8 ms to write and send the frame, and 0 to 20
 * ms until the next frame is due. At 500 kHz a pass would take 3.5 ms. The median must be 16 ms and
 * the maximum 35 ms. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "geometry.h"

/* Settling time after a change of the select lines, for break before make, 70 ohms, and a long
 * wire. */
#define SETTLING_US 10

void scan_start(void);
/* Make one pass, forwards or backwards. Readings are indexed by square. */
void scan_pass(uint16_t readings[READINGS], bool backwards);
/* Read one channel, as for the second reading in a pass. */
uint16_t scan_channel(uint8_t channel);
/* Read a channel right after another channel of its multiplexer. If the wire is open, the result is
 * the charge of the other channel. */
uint16_t scan_after(uint8_t channel, uint8_t other);
/* Return the time from the start of a pass to the reading of a channel, in ticks of 1/16 ms. */
static inline uint8_t scan_offset(uint8_t channel, bool backwards)
{
    uint8_t place = wiring->places[channel % CHANNELS];
    return (uint8_t)((backwards ? wiring->input_count - 1 - place : place) * wiring->input_time / 16);
}

/* Return true if nothing drives a channel. In that case, its reading right after `other`, another
 * channel of its multiplexer, differs from `discharged`, its reading by scan_channel(). The check
 * does not depend on the level, because hum may move an open wire to any level. A board with
 * switches has no grounded input; the result is always false. */
bool scan_is_open(uint8_t channel, uint8_t other, uint16_t discharged);
/* Return another channel of the same multiplexer that has a sensor. */
static inline uint8_t scan_neighbour(uint8_t channel)
{
    return wiring->squares[channel ^ 1] != NO_READING ? channel ^ 1 : channel ^ 2;
}

/* Return the sum of several readings of the band gap, relative to the supply. */
uint16_t scan_band_gap(uint8_t readings);
