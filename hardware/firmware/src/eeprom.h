/* The EEPROM, a byte at a time. The desktop tests bring their own, whose power can be cut. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether a byte can be written: writing takes 3.4 ms, and reading waits for it. */
bool eeprom_ready(void);
uint8_t eeprom_read(uint16_t address);
/* Only when ready. Returns at once. */
void eeprom_write(uint16_t address, uint8_t byte);
