#include "reset.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#define CAUSES (_BV(PORF) | _BV(EXTRF) | _BV(BORF) | _BV(WDRF))
/* The random content of the memory after power-on is very unlikely to equal this value. */
#define HUNG 0xB0A2DE4DUL

#define NOINIT __attribute__((section(".noinit")))

static uint8_t cause NOINIT;
static uint32_t marker NOINIT;

/* Do not use the stack, which may be corrupt, and clear the register that C expects to be zero. */
ISR(WDT_vect, ISR_NAKED)
{
    __asm__ volatile("clr __zero_reg__");
    marker = HUNG;
    wdt_disable();
    __asm__ volatile("jmp 0");
}

/* Run before main() and before variables are initialised. After a watchdog reset, the watchdog
 * keeps running with its shortest time-out until WDRF is cleared and the watchdog is disabled.
 * Every start clears MCUSR, so any flags that are set are newer than the marker. */
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

bool was_brown_out(void)
{
    return cause == _BV(BORF);
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
