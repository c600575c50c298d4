/* The sensors of the desktop tests: what each channel reads, and reads when it is asked once more. */
#pragma once

#include "board.h"
#include "scan.h"

extern uint16_t readings[INPUTS];
/* A channel that reads something else when it is asked once more; NO_CHANNEL for none. */
#define NO_CHANNEL 255
extern uint8_t spiked_channel;
extern uint16_t spiked_again;
