/* The converter and the multiplexers before it: select lines S0 to S3 on PB0 to PB3, the outputs of
 * multiplexers 0 to 6 on ADC0 to ADC6, of the eighth on ADC7.
 *
 * One look reads every input that has a square on any multiplexer once: 15 times 10 us of settling and 7 conversions
 * of 13 us, on tiles 13 times and 8 conversions, each after a quick one of 2 us, with the code around them 2.0 ms.
 * Every other look goes through the inputs backwards. The converter runs at 1 MHz, the most it is specified for: 4.5 counts of error
 * instead of 2 (data sheet, ADC characteristics), where the nearest threshold is 16 counts away in the
 * worst case and 60 as a rule.
 *
 * Open wires: where nothing drives a multiplexer's output it keeps the charge of the input before, and
 * would show that one's piece. So an input of each that is connected to ground is selected in
 * between, while the last conversion goes on: its sample has been taken by then. And the converter's own
 * capacitor keeps what it sampled at the pin before; a conversion of its internal ground empties it, at
 * a clock at which that is worth nothing as a reading. An open wire then reads as ground, where no Hall
 * sensor is (faults.h).
 *
 * Oversampling: a change of a square rests on two looks, in each of which it is read twice; a learned
 * value on 32 looks, the supply on 16.
 *
 * Why not slower and more precise: the last two looks of a frame are taken right before it goes out. From
 * a magnet's arrival to the end of the frame it is, for a square in the middle of the scan, 1.5 looks,
 * 0.9 ms of thinking, 1.8 ms to write the frame and send it, and 0 to 20 ms until the next frame is
 * due. At 500 kHz a look takes 3.5 ms. Asked for are 16 ms in the median and 35 at most. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "geometry.h"

/* After the select lines have changed: break before make, 70 ohms, and a long wire. */
#define SETTLING_US 10

void scan_start(void);
/* Takes one look, from the first input to the last or backwards; readings are by square. */
void scan_pass(uint16_t readings[READINGS], bool backwards);
/* Reads one channel once more. */
uint16_t scan_channel(uint8_t channel);
/* Reads a channel right after another one of its multiplexer: where its wire is open, it shows what the other
 * one has left. */
uint16_t scan_after(uint8_t channel, uint8_t other);
/* How long after a look has begun it reads the channel of a square, in sixteenths of a millisecond. */
static inline uint8_t scan_offset(uint8_t channel, bool backwards)
{
    uint8_t place = wiring->places[channel % CHANNELS];
    return (uint8_t)((backwards ? wiring->input_count - 1 - place : place) * wiring->input_time / 16);
}

/* The sum of so many readings of the band gap, on the scale of the supply. */
uint16_t scan_band_gap(uint8_t readings);
