#include "shift.h"

#include <avr/io.h>

#define DATA _BV(PD2)
#define CLOCK _BV(PD3)
#define LATCH _BV(PD4)
#define OUTPUTS 24

void shift_start(void)
{
    DDRD |= DATA | CLOCK | LATCH;
    shift_out(0);
}

void shift_out(uint32_t bits)
{
    for (uint8_t i = 0; i < OUTPUTS; i++, bits <<= 1) {
        if (bits & 1UL << (OUTPUTS - 1))
            PORTD |= DATA;
        else
            PORTD &= (uint8_t)~DATA;
        PORTD |= CLOCK;
        PORTD &= (uint8_t)~CLOCK;
    }
    PORTD |= LATCH;
    PORTD &= (uint8_t)~LATCH;
}
