/* Says why it was reset. When it is told anything, it sets the watchdog to 16 ms, an interrupt before the
 * reset, and waits for what comes: "d" with interrupts off. The interrupt says "!"; that of "s" starts the
 * firmware anew without a reset. */
#include "tiny.h"

static volatile uint8_t told;

ISR(WDT_vect)
{
    put('!');
    if (told == 's') {
        wdt_disable();
        __asm__ volatile("jmp 0");
    }
}

int main(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    uart_init();
    put(cause);
    told = get();
    wdt_enable(WDTO_15MS);
    WDTCSR |= 1 << WDIE;
    if (told != 'd')
        sei();
    for (;;)
        ;
}
