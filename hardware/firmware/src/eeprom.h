/* Bytewise access to the EEPROM. The desktop tests replace these functions with an EEPROM whose
 * power can fail. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return true if a byte can be written. A write takes 3.4 ms, and a read waits until it ends. */
bool eeprom_ready(void);
uint8_t eeprom_read(uint16_t address);
/* Start writing a byte and return immediately. Call only when the EEPROM is ready. */
void eeprom_write(uint16_t address, uint8_t byte);
