/* Access to the EEPROM, byte by byte. The desktop tests replace it by an EEPROM whose power can
 * fail. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return true if a byte can be written. A write takes 3.4 ms, and reading waits for its end. */
bool eeprom_ready(void);
uint8_t eeprom_read(uint16_t address);
/* Start writing a byte and return at once. Call only when the EEPROM is ready. */
void eeprom_write(uint16_t address, uint8_t byte);
