/* Why the board has started. */
#pragma once

#include <stdint.h>

/* Bits of MCUSR: 1 power on, 2 reset line, 4 brown-out, 8 watchdog. */
uint8_t reset_cause(void);
