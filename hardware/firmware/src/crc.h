/* CRC-16/IBM-3740, of frames and of EEPROM copies. */
#pragma once

#include <stdint.h>

#define CRC_START 0xFFFFU

/* Return the CRC after one more byte. */
uint16_t crc_add(uint16_t crc, uint8_t byte);
