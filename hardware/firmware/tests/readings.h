/* The sensors of the desktop tests: what each reads, and reads when it is asked once more. */
#pragma once

#include "board.h"
#include "scan.h"
#include "settings.h"

extern uint16_t readings[READINGS];
/* A square that reads something else when it is asked once more; NO_READING for none. */
extern uint8_t spike_square;
extern uint16_t spike_reading;
