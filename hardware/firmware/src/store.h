/* The calibration in the EEPROM, in two copies that are written in turn.
 *
 *     generation (1 to 255) | calibration | CRC-16, high byte first
 *
 * The copy that is not in use is first made void (generation 0), then written, and its generation
 * comes last. Wherever the power is cut, this copy is void, or it has one spoiled byte, which the
 * CRC always notices; the other one has not been touched. So what is loaded is what was saved before,
 * or what was being saved, or nothing if there was nothing.
 *
 * What was learned belongs to a kind of sensors and to the channel of each square: the CRC begins with
 * both, so that to a firmware for another kind or another wiring there is no calibration. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"

#define COPY_BYTES (1 + sizeof(struct calibration) + 2)

/* Loads the newer good copy. Returns its checksum; 0 if there is none, and then changes nothing. */
uint16_t store_load(struct calibration *calibration);

/* A calibration on its way into the EEPROM. */
struct saving {
    const struct calibration *calibration; /* must not change meanwhile */
    uint16_t address;                      /* of the copy that is written */
    uint16_t step;
    uint16_t checksum;
    uint8_t generation;
};

void store_begin(struct saving *saving, const struct calibration *calibration);

/* Writes the next byte if the EEPROM is ready for it. Returns true when all are written. 204 bytes of
 * 3.4 ms are 0.7 s; bytes that are there already are left alone. */
bool store_step(struct saving *saving);
