/* Three 74HC595 shift registers in a row: data on PD2, clock on PD3, latch on PD4 (Nano D2 to D4). */
#pragma once

#include <stdint.h>

void shift_start(void);
/* Bit 0 ends up at QA of the first register, bit 23 at QH of the third. */
void shift_out(uint32_t bits);
