/* Echoes received bytes using only interrupts, and sleeps otherwise. */
#include "tiny.h"

#include <avr/sleep.h>

static volatile uint8_t queue[256];
static volatile uint8_t head, tail;

ISR(USART_RX_vect)
{
    queue[head++] = UDR0;
    UCSR0B |= 1 << UDRIE0;
}

ISR(USART_UDRE_vect)
{
    UDR0 = queue[tail++];
    if (head == tail)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

int main(void)
{
    uart_init();
    UCSR0B |= 1 << RXCIE0;
    sei();
    for (;;)
        sleep_mode();
}
