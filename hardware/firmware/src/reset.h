/* Watchdog, and cause of the last start.
 *
 * A firmware that hangs is restarted by the watchdog's interrupt, which leaves a marker in memory
 * and jumps to the beginning of the program, past any boot loader. Boot loaders would interfere:
 * Optiboot clears MCUSR, each version in its own way, and the old one of the first Nanos does not
 * disable the watchdog, which then resets it forever. Only a firmware that hangs with interrupts
 * disabled is reset by the hardware, at the second time-out.
 *
 * So registers may have any content when main() begins: every module sets up all that it uses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return the bits of MCUSR: 1 power on, 2 reset line, 4 brown-out, 8 watchdog; 0 if a boot loader
 * cleared them. */
uint8_t reset_cause(void);
/* Return true if the supply broke down while the board was running. */
bool was_brown_out(void);

/* Start the watchdog: the firmware is restarted if watchdog_feed() is not called for 120 ms. */
void watchdog_start(void);
void watchdog_feed(void);
