/* Which channel the sensor of a square hangs on, as hardware/wiring.toml has it. */
#pragma once

#include <stdint.h>

#include "board.h"

extern const __flash uint8_t channels[SQUARES];

/* 16 * multiplexer + input, of square 0 (a1) to 99 (k10). */
static inline uint8_t channel_of(uint8_t square)
{
    return channels[square];
}
