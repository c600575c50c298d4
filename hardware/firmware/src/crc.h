/* CRC-16/IBM-3740, used for frames and EEPROM copies. */
#pragma once

#include <stdint.h>

#define CRC_START 0xFFFFU

/* Return the CRC after adding a byte. */
uint16_t crc_add(uint16_t crc, uint8_t byte);
