/* Code shared by small firmwares, each of which tests one property of the emulated
 * microcontroller. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

static inline void uart_init(void)
{
    UBRR0H = 0;
    UBRR0L = 7; /* 250000 baud at 16 MHz, double speed */
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0;
}

static inline void put(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

static inline void put_word(uint16_t word)
{
    put((uint8_t)word);
    put((uint8_t)(word >> 8));
}

static inline uint8_t get(void)
{
    loop_until_bit_is_set(UCSR0A, RXC0);
    return UDR0;
}
