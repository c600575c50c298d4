/* Sends "!" and reads nothing for two milliseconds. Then sends, for each received byte, UCSR0A
 * before the byte is read, and the byte. */
#include "tiny.h"

#include <util/delay.h>

int main(void)
{
    uart_init();
    put('!');
    _delay_ms(2);
    while (UCSR0A & 1 << RXC0) {
        uint8_t status = UCSR0A;
        uint8_t byte = UDR0;
        put(status);
        put(byte);
    }
    for (;;)
        ;
}
