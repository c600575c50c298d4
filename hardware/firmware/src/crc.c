#include "crc.h"

/* Polynomial 0x1021 without a table, eight bits at once, like _crc_xmodem_update in avr-libc. */
uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)(x << 12) ^ (uint16_t)(x << 5) ^ x);
}
