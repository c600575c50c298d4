#include "reset.h"

#include <avr/io.h>
#include <avr/wdt.h>

#define CAUSES (_BV(PORF) | _BV(EXTRF) | _BV(BORF) | _BV(WDRF))

static uint8_t cause __attribute__((section(".noinit")));

/* Before main() and before variables are set: after a watchdog reset the watchdog runs on, at its
 * shortest time, until WDRF is cleared and it is turned off. Optiboot has cleared MCUSR already and
 * hands its bits over in r2, which nothing has touched yet. */
__attribute__((naked, used, section(".init3"))) static void save_cause(void)
{
    uint8_t handed_over;
    __asm__ volatile("mov %0, r2" : "=r"(handed_over));
    uint8_t own = MCUSR & CAUSES;
    cause = own ? own : handed_over & CAUSES;
    MCUSR = 0;
    wdt_disable();
}

uint8_t reset_cause(void)
{
    return cause;
}
