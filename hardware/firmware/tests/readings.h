/* Simulated sensors for the desktop tests: first and second reading of each square. */
#pragma once

#include "board.h"
#include "scan.h"
#include "settings.h"

extern uint16_t readings[READINGS];
/* Square whose second reading is `spike_reading`, or NO_READING. */
extern uint8_t spike_square;
extern uint16_t spike_reading;
/* Square with an open wire, or NO_READING. */
extern uint8_t open_square;
