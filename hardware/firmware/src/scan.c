#include "scan.h"

#include <avr/io.h>
#include <util/delay.h>

#define SELECT_LINES 0x0F
#define AGAINST_SUPPLY _BV(REFS0)
#define BAND_GAP (_BV(MUX3) | _BV(MUX2) | _BV(MUX1))
/* The band gap's buffer is weak; it charges the converter's input within this time. */
#define BAND_GAP_SETTLING_US 500

void scan_start(void)
{
    DDRB |= SELECT_LINES;
    DIDR0 = 0x3F; /* no digital input on ADC0 to ADC5; ADC6 has none */
    ADMUX = AGAINST_SUPPLY;
    ADCSRA = 0; /* ends a conversion that is under way */
    ADCSRA = _BV(ADEN) | _BV(ADPS2); /* 16 MHz / 16 */
}

static uint16_t convert(void)
{
    ADCSRA |= _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

void scan_look(uint16_t readings[INPUTS])
{
    for (uint8_t input = 0; input < CHANNELS; input++) {
        PORTB = (PORTB & (uint8_t)~SELECT_LINES) | input;
        _delay_us(SETTLING_US);
        uint16_t *reading = readings + input;
        for (uint8_t multiplexer = 0; multiplexer < MULTIPLEXERS; multiplexer++) {
            ADMUX = AGAINST_SUPPLY | multiplexer;
            *reading = convert();
            reading += CHANNELS;
        }
    }
}

uint16_t scan_band_gap(uint8_t readings)
{
    ADMUX = AGAINST_SUPPLY | BAND_GAP;
    _delay_us(BAND_GAP_SETTLING_US);
    uint16_t sum = 0;
    while (readings-- > 0)
        sum += convert();
    return sum;
}
