/* The calibration and the settings in the EEPROM, each in two copies that are written in turn.
 *
 *     generation (1 to 255) | calibration or settings | CRC-16, high byte first
 *
 * The copy that is not in use is first made void (generation 0), then written, and its generation
 * comes last. Wherever the power is cut, this copy is void, or it has one spoiled byte, which the
 * CRC always notices; the other one has not been touched. So what is loaded is what was saved before,
 * or what was being saved, or nothing if there was nothing.
 *
 * What was learned belongs to a kind of sensors, to the channel of each square and to a threshold: the CRC begins
 * with them, so that with other settings there is no calibration. That of settings begins with their version: another
 * one is not read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "settings.h"

/* Raised when other bytes stand for the settings. */
#define SETTINGS_VERSION 1

/* What a copy takes of the EEPROM. */
#define COPY_BYTES(type) (1 + sizeof(type) + 2)
#define CALIBRATION_AT 0
#define SETTINGS_AT 512

/* What is kept. */
enum stored_item { CALIBRATION, SETTINGS };

/* Loads the newer good copy. Returns its checksum; 0 if there is none, and then changes nothing. */
uint16_t store_load(enum stored_item item, void *destination);

/* Loads the settings, and those of a board that nobody has said anything about if there are none. */
void store_load_settings(void);

/* Something on its way into the EEPROM. */
struct store_job {
    const void *bytes;  /* must not change meanwhile */
    uint8_t length;
    uint16_t address;   /* of the copy that is written */
    uint16_t step;
    uint16_t checksum;
    uint8_t generation;
};

void store_begin(struct store_job *job, enum stored_item item, const void *bytes);

/* Writes the next byte if the EEPROM is ready for it. Returns true when all are written. A calibration of 204 bytes of
 * 3.4 ms takes 0.7 s; bytes that are there already are left alone. */
bool store_step(struct store_job *job);
