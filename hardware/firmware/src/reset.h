/* Watchdog and cause of the last start.
 *
 * If the firmware hangs, the watchdog's interrupt leaves a marker in memory and jumps to the
 * beginning of the program, bypassing any boot loader. Boot loaders would interfere: Optiboot
 * clears MCUSR, each version in its own way, and the old boot loader of the first Nanos does not
 * disable the watchdog, which then resets it forever. Only if the firmware hangs with interrupts
 * disabled is it reset by the hardware, at the second time-out.
 *
 * Registers may therefore have any content when main() begins, and every module initialises all
 * registers that it uses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return the bits of MCUSR: 1 power on, 2 reset line, 4 brown-out, 8 watchdog. Return 0 if a boot
 * loader has cleared them. */
uint8_t reset_cause(void);
/* Return true if the supply failed while the board was running. */
bool was_brown_out(void);

/* Start the watchdog: the firmware is restarted if watchdog_feed() is not called for 120 ms. */
void watchdog_start(void);
void watchdog_feed(void);
