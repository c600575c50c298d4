/* Three chained 74HC595 shift registers: data on PD2, clock on PD3, latch on PD4 (Nano D2 to D4). */
#pragma once

#include <stdint.h>

void shift_start(void);
/* Bit 0 goes to QA of the first register, bit 23 to QH of the third. */
void shift_out(uint32_t bits);
