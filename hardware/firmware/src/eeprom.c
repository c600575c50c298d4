#include "eeprom.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

bool eeprom_ready(void)
{
    return eeprom_is_ready();
}

uint8_t eeprom_read(uint16_t address)
{
    eeprom_busy_wait();
    EEAR = address;
    EECR |= _BV(EERE);
    return EEDR;
}

void eeprom_write(uint16_t address, uint8_t byte)
{
    EEAR = address;
    EEDR = byte;
    EECR = 0; /* erase and write in one operation */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* EEPE must follow EEMPE within four cycles */
    {
        EECR |= _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
}
