#include "reset.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#define CAUSES (_BV(PORF) | _BV(EXTRF) | _BV(BORF) | _BV(WDRF))
/* When power comes the memory holds anything, but hardly this. */
#define HUNG 0xB0A2DE4DUL

#define NOINIT __attribute__((section(".noinit")))

static uint8_t cause NOINIT;
static uint32_t marker NOINIT;

/* The stack may be what has gone wrong: this uses none, and begins with what C takes for granted. */
ISR(WDT_vect, ISR_NAKED)
{
    __asm__ volatile("clr __zero_reg__");
    marker = HUNG;
    wdt_disable();
    __asm__ volatile("jmp 0");
}

/* Before main() and before variables are set: after a reset by the watchdog it runs on, at its shortest
 * time, until WDRF is cleared and it is turned off. Every start clears MCUSR, so what stands there is
 * newer than the word. */
__attribute__((naked, used, section(".init3"))) static void save_cause(void)
{
    uint8_t flags = MCUSR & CAUSES;
    if (flags == 0 && marker == HUNG)
        flags = _BV(WDRF);
    cause = flags;
    marker = 0;
    MCUSR = 0;
    wdt_disable();
}

uint8_t reset_cause(void)
{
    return cause;
}

void watchdog_start(void)
{
    wdt_enable(WDTO_120MS);
    WDTCSR |= _BV(WDIE);
}

void watchdog_feed(void)
{
    wdt_reset();
}
