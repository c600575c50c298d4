/* Calibration and settings in the EEPROM, each in two copies that are written alternately.
 *
 *     generation (1 to 255) | calibration or settings | CRC-16, high byte first
 *
 * The copy that is not in use is first made void (generation 0) and then written, its generation
 * last. Whenever the power is cut, this copy is void or has one corrupt byte, which the CRC always
 * detects, and the other copy is intact. The loaded item is therefore the previous item or the item
 * being saved. If there was no previous item, there may be none.
 *
 * A calibration belongs to a kind of sensors, to the channel of each square and to a threshold. Its
 * CRC starts with these values, so the calibration is invalid with other settings. The CRC of the
 * settings starts with their version; settings of another version are not loaded. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "settings.h"

/* Increment when the format of the settings changes. */
#define SETTINGS_VERSION 1

/* Number of bytes in a copy in the EEPROM. */
#define COPY_BYTES(type) (1 + sizeof(type) + 2)
#define CALIBRATION_AT 0
#define SETTINGS_AT 512

/* Stored items. */
enum stored_item { CALIBRATION, SETTINGS };

/* Load the newer valid copy and return its checksum. If there is no valid copy, return 0 and leave
 * `destination` unchanged. */
uint16_t store_load(enum stored_item item, void *destination);

/* Load and use the saved settings. If none are saved, use those of the saved calibration, which is
 * only valid with the right settings. If there is no calibration either, use the defaults for a
 * board wired by hand and return false. */
bool store_load_settings(void);

/* EEPROM write in progress. */
struct store_job {
    const void *bytes; /* the item must not change until it is written */
    uint8_t length;
    uint16_t address; /* address of the copy being written */
    uint16_t step;
    uint16_t checksum;
    uint8_t generation;
};

/* Start writing an item. Continue with store_step(). */
void store_begin(struct store_job *job, enum stored_item item, const void *bytes);

/* Write the next byte if the EEPROM is ready. Return true when all bytes are written. A calibration
 * has 204 bytes, which take 3.4 ms each, 0.7 s in all; unchanged bytes are not written. */
bool store_step(struct store_job *job);
