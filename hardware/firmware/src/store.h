/* Calibration and settings in the EEPROM, each in two copies written in turn.
 *
 *     generation (1 to 255) | calibration or settings | CRC-16, high byte first
 *
 * The copy that is not in use is first made void (generation 0), then written, its generation last.
 * Wherever the power is cut, this copy is void or has one corrupt byte, which the CRC always
 * detects, and the other copy is untouched. So the loaded item is the previous item or the item
 * being saved, or there is no item if there was none before.
 *
 * A calibration belongs to a kind of sensors, to the channel of each square and to a threshold: its
 * CRC starts with them, so the calibration is invalid with other settings. The CRC of the settings
 * starts with their version; another version is not loaded. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "settings.h"

/* Increment when the format of the settings changes. */
#define SETTINGS_VERSION 1

/* Bytes of a copy in the EEPROM. */
#define COPY_BYTES(type) (1 + sizeof(type) + 2)
#define CALIBRATION_AT 0
#define SETTINGS_AT 512

/* Stored items. */
enum stored_item { CALIBRATION, SETTINGS };

/* Load the newer valid copy. Return its checksum, or return 0 and leave `destination` unchanged if
 * there is no valid copy. */
uint16_t store_load(enum stored_item item, void *destination);

/* Load and use the saved settings. If none are saved, use those of the saved calibration, which is
 * valid with the right settings only. Return false and use the defaults of a board wired by hand if
 * there is neither. */
bool store_load_settings(void);

/* Write to the EEPROM in progress. */
struct store_job {
    const void *bytes; /* the item must not change until it is written */
    uint8_t length;
    uint16_t address; /* of the copy being written */
    uint16_t step;
    uint16_t checksum;
    uint8_t generation;
};

/* Start to write an item. Continue with store_step(). */
void store_begin(struct store_job *job, enum stored_item item, const void *bytes);

/* Write the next byte if the EEPROM is ready. Return true when all bytes are written. A calibration
 * has 204 bytes of 3.4 ms each and takes 0.7 s; unchanged bytes are not written. */
bool store_step(struct store_job *job);
