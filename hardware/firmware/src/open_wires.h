/* Open wires: inputs that no sensor drives. Hum may move such a reading to any level, so the check
 * does not depend on the level (scan_is_open). Readings of open wires are replaced with ground. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Forget all open wires. */
void open_wires_start(void);
bool open_wires_has(uint8_t square);
/* Replace the readings of open wires with ground. */
void open_wires_ground(uint16_t readings[READINGS]);
/* Return true if nothing drives a square's channel. Three checks must agree, because with spikes on
 * 1 % of the conversions one in 50 checks is wrong (calculated). */
bool seems_open(uint8_t square, const uint16_t readings[READINGS]);
/* Check `suspect`, which is the suspect of the latest passes or NO_READING, and the next squares in
 * order. Call once per frame; all squares are checked within a second. A wire counts as open only
 * if it also seems open in the next frame, after the end of a burst. */
void open_wires_check(const uint16_t readings[READINGS], uint8_t suspect);
