/* CRC-16/IBM-3740, for frames and for the calibration. */
#pragma once

#include <stdint.h>

#define CRC_START 0xFFFFU

uint16_t crc_add(uint16_t crc, uint8_t byte);
