/* Simulated sensors of the desktop tests: reading of each square, and its second reading. */
#pragma once

#include "board.h"
#include "scan.h"
#include "settings.h"

extern uint16_t readings[READINGS];
/* Square with another second reading, NO_READING for none. */
extern uint8_t spike_square;
extern uint16_t spike_reading;
/* Square with an open wire, NO_READING for none. */
extern uint8_t open_square;
