#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "protocol.h"

/* Ring buffers. Each side moves its own end, sizes are powers of two, and one byte stays free.
 * Received bytes that do not fit are lost, which the CRC detects. */
#define OUT_SIZE 128
#define IN_SIZE 64

static volatile uint8_t out[OUT_SIZE], out_head, out_tail;
static volatile uint8_t in[IN_SIZE], in_head, in_tail;

ISR(USART_UDRE_vect)
{
    uint8_t tail = out_tail;
    UDR0 = out[tail];
    tail = (tail + 1) % OUT_SIZE;
    out_tail = tail;
    if (tail == out_head)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (in_head + 1) % IN_SIZE;
    if (next != in_tail) {
        in[in_head] = byte;
        in_head = next;
    }
}

void uart_start(void)
{
    UCSR0B = 0;                    /* discard bytes received before */
    UBRR0 = F_CPU / 16 / BAUD - 1; /* exactly 3 */
    UCSR0A = 0;                    /* clears U2X, which boot loaders leave set */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

uint8_t uart_free(void)
{
    return (uint8_t)(out_tail - out_head - 1) % OUT_SIZE;
}

void uart_send(const uint8_t *bytes, uint8_t length)
{
    if (length > uart_free())
        return;
    uint8_t head = out_head;
    for (uint8_t i = 0; i < length; i++) {
        out[head] = bytes[i];
        head = (head + 1) % OUT_SIZE;
    }
    out_head = head;
    UCSR0B |= _BV(UDRIE0);
}

bool uart_receive(uint8_t *byte)
{
    uint8_t tail = in_tail;
    if (tail == in_head)
        return false;
    *byte = in[tail];
    in_tail = (tail + 1) % IN_SIZE;
    return true;
}
