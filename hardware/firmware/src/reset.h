/* How a firmware that hangs is started anew, and why the board has started.
 *
 * The watchdog's interrupt comes first. It leaves a word in the memory and jumps to the beginning of the
 * program, past any boot loader: Optiboot takes the cause away from MCUSR, each version in its own
 * way, and the old one of the first Nanos does not stop the watchdog, which then resets it for ever. Only
 * a firmware that hangs with its interrupts off is reset by the hardware, at the second time-out.
 *
 * So nothing is as after a reset when main() begins, and every start sets up all that it uses. */
#pragma once

#include <stdint.h>

/* Bits of MCUSR: 1 power on, 2 reset line, 4 brown-out, 8 watchdog. 0 if a boot loader has cleared them. */
uint8_t reset_cause(void);

/* From now on the firmware is started anew if nobody says "not yet" for 120 ms. */
void watchdog_start(void);
void watchdog_feed(void);
