/* Sends the reset cause, a byte of its memory and a byte of the EEPROM. Then executes commands: "w"
 * waits for a watchdog reset, "e" writes 0x5a to the first byte of the EEPROM and sends the time
 * taken in microseconds, and "c" changes the byte in memory. */
#include "tiny.h"

static uint8_t kept __attribute__((section(".noinit")));

int main(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    uart_init();
    put(cause);
    put(kept);
    put(eeprom_read_byte(0));
    for (;;)
        switch (get()) {
        case 'w':
            wdt_enable(WDTO_15MS);
            for (;;)
                ;
        case 'e':
            eeprom_write_byte(0, 0x5a);
            TCCR1B = 1 << CS11;
            TCNT1 = 0;
            eeprom_busy_wait();
            put_word(TCNT1 / 2);
            break;
        case 'c':
            kept = 0xc3;
        }
}
