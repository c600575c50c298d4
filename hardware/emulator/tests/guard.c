/* Sends the reset cause. After receiving any byte, sets the watchdog to 16 ms, with an interrupt
 * before the reset, and waits; after "d", interrupts are disabled. The interrupt sends "!" and,
 * after "s", restarts the firmware without a reset. */
#include "tiny.h"

static volatile uint8_t command;

ISR(WDT_vect)
{
    put('!');
    if (command == 's') {
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
    command = get();
    wdt_enable(WDTO_15MS);
    WDTCSR |= 1 << WDIE;
    if (command != 'd')
        sei();
    for (;;)
        ;
}
