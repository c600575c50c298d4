/* Open wires: sensors that nothing drives. Hum may move such a reading to any level, so the check does
 * not depend on the level (scan_is_open). The readings of open wires are replaced by ground. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Forget all open wires. */
void open_wires_start(void);
bool open_wires_has(uint8_t square);
/* Replace the readings of open wires by ground. */
void open_wires_ground(uint16_t readings[READINGS]);
/* Return true if nothing drives a square's channel. Three checks have to agree: with spikes on 1 % of
 * the conversions one in 50 checks is wrong (calculated). */
bool seems_open(uint8_t square, const uint16_t readings[READINGS]);
/* Once per frame: check `suspect`, the suspect of the latest passes or NO_READING, and the next squares
 * in order: all of them in one second. A wire counts as open if it also seems so in the next frame,
 * after the end of a burst. */
void open_wires_check(const uint16_t readings[READINGS], uint8_t suspect);
