#include "scan.h"

#include <avr/io.h>
#include <stdlib.h>
#include <util/delay.h>

#include "detection.h"
#include "settings.h"

#define SELECT_LINES 0x0F
#define SUPPLY_REFERENCE _BV(REFS0)
#define BAND_GAP (_BV(MUX3) | _BV(MUX2) | _BV(MUX1))
#define INTERNAL_GROUND (_BV(MUX3) | _BV(MUX2) | _BV(MUX1) | _BV(MUX0))
#define PRECISE (_BV(ADEN) | _BV(ADPS2)) /* 16 MHz / 16 */
#define QUICK (_BV(ADEN) | _BV(ADPS0))   /* 16 MHz / 2 */
/* Time after which a conversion has taken its sample. The sample is taken 1.5 clocks after the
 * conversion begins, which is up to one clock after it was requested (data sheet, ADC timing). */
#define SAMPLE_US 3
/* Time within which the weak buffer of the band gap charges the converter's input. */
#define BAND_GAP_SETTLING_US 500

void scan_start(void)
{
    DDRB |= SELECT_LINES;
    DIDR0 = 0x3F; /* disable digital inputs of ADC0 to ADC5; ADC6 and ADC7 have none */
    ADMUX = SUPPLY_REFERENCE;
    ADCSRA = 0; /* stop a conversion in progress */
    ADCSRA = PRECISE;
}

static inline void select_input(uint8_t input)
{
    PORTB = (PORTB & (uint8_t)~SELECT_LINES) | input;
}

/* Start a conversion after a quick conversion of the internal ground, which takes 26 cycles. A
 * quarter of a microsecond suffices to discharge 14 pF. */
static inline void begin_conversion(uint8_t multiplexer)
{
    ADMUX = SUPPLY_REFERENCE | INTERNAL_GROUND;
    ADCSRA = QUICK | _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    ADMUX = SUPPLY_REFERENCE | multiplexer;
    ADCSRA = PRECISE | _BV(ADSC);
}

static inline uint16_t conversion(void)
{
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

/* Switches need no discharge, and a board with switches has no grounded input. */
static void discharge_outputs(void)
{
    if (sees_colours())
        select_input(wiring->ground);
}

/* The address of each reading is computed during its conversion. */
void scan_pass(uint16_t readings[READINGS], bool backwards)
{
    const __flash struct wiring *const used = wiring;
    const uint8_t last_input = used->input_count - 1, last = used->multiplexers - 1;
    discharge_outputs();
    _delay_us(SETTLING_US);
    for (uint8_t n = 0; n <= last_input; n++) {
        uint8_t input = used->inputs[backwards ? last_input - n : n];
        const __flash uint8_t *square = used->squares + input;
        select_input(input);
        _delay_us(SETTLING_US);
        for (uint8_t multiplexer = 0; multiplexer < last; multiplexer++) {
            begin_conversion(multiplexer);
            uint16_t *reading = readings + *square;
            square += CHANNELS;
            *reading = conversion();
        }
        begin_conversion(last);
        _delay_us(SAMPLE_US);
        discharge_outputs();
        readings[*square] = conversion();
    }
}

static uint16_t read_selected(uint8_t multiplexer)
{
    _delay_us(SETTLING_US);
    begin_conversion(multiplexer);
    return conversion();
}

uint16_t scan_channel(uint8_t channel)
{
    discharge_outputs();
    _delay_us(SETTLING_US);
    select_input(channel % CHANNELS);
    return read_selected(channel / CHANNELS);
}

uint16_t scan_after(uint8_t channel, uint8_t other)
{
    select_input(other % CHANNELS);
    read_selected(other / CHANNELS);
    select_input(channel % CHANNELS);
    return read_selected(channel / CHANNELS);
}

bool scan_is_open(uint8_t channel, uint8_t other, uint16_t discharged)
{
    return sees_colours() &&
           abs((int16_t)(scan_after(channel, other) - discharged)) > STUCK_WITHIN;
}

uint16_t scan_band_gap(uint8_t readings)
{
    ADMUX = SUPPLY_REFERENCE | BAND_GAP;
    _delay_us(BAND_GAP_SETTLING_US);
    uint16_t sum = 0;
    while (readings-- > 0) {
        ADCSRA = PRECISE | _BV(ADSC);
        sum += conversion();
    }
    return sum;
}
