/* Sends all 128 readings for each received byte, which is the settling time in microseconds after
 * an input is selected. */
#include "tiny.h"

#include <util/delay.h>

int main(void)
{
    uart_init();
    DDRB = 0x0f;
    ADCSRA = 1 << ADEN | 5;
    for (;;) {
        uint8_t wait = get();
        for (uint8_t m = 0; m < 8; m++)
            for (uint8_t input = 0; input < 16; input++) {
                ADMUX = 1 << REFS0 | m;
                PORTB = input;
                for (uint8_t i = 0; i < wait; i++)
                    _delay_us(1);
                ADCSRA |= 1 << ADSC;
                loop_until_bit_is_clear(ADCSRA, ADSC);
                put_word(ADC);
            }
    }
}
