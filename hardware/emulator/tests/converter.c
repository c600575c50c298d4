/* Sends the results of four conversions: one during which the next pin and input are selected, one
 * of that pin, one of the band gap right after its selection, and one of the settled band gap. Then
 * sends ADCSRA before and after writing a one to ADIF. */
#include "tiny.h"

#include <util/delay.h>

static void convert(void)
{
    ADCSRA |= 1 << ADSC;
    loop_until_bit_is_clear(ADCSRA, ADSC);
}

int main(void)
{
    uart_init();
    DDRB = 0x0f;
    ADCSRA = 1 << ADEN | 5;
    ADMUX = 1 << REFS0;
    _delay_us(20);
    ADCSRA |= 1 << ADSC;
    _delay_us(30); /* the first conversion samples after 27 us */
    ADMUX = 1 << REFS0 | 1;
    PORTB = 3;
    loop_until_bit_is_clear(ADCSRA, ADSC);
    put_word(ADC);
    convert();
    put_word(ADC);
    ADMUX = 1 << REFS0 | 14;
    convert();
    put_word(ADC);
    _delay_us(100);
    convert();
    put_word(ADC);
    put(ADCSRA);
    ADCSRA |= 1 << ADIF;
    put(ADCSRA);
    for (;;)
        ;
}
