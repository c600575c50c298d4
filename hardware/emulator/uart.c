/* Serial port (data sheet, chapter 20), which replaces libsimavr's own.
 *
 * libsimavr takes eleven bits for an 8N1 byte, knows the rate only if UBRR0L is written last,
 * buffers 64 received bytes and never overruns, sleeps in real time when the firmware polls, and
 * has no transmit buffer behind the shift register. In this serial port, a byte takes ten bits. Two
 * received bytes and one in the shift register can wait; the next start bit then discards the byte
 * in the shift register and sets DOR0. UDR0 accepts a byte while another byte is being sent.
 *
 * The line runs at 250000 baud. Firmware with a different rate or frame format sends and receives
 * garbage. */
#include "parts.h"

#include <stdlib.h>

enum { UCSRA = 0xc0, UCSRB, UCSRC, UBRRL = 0xc4, UBRRH, UDR };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, DOR = 0x08, U2X = 0x02, MPCM = 0x01 };
enum { RXCIE = 0x80, TXCIE = 0x40, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08 };
enum { EIGHT_N_ONE = 0x06 };

#define BITS 10 /* start, eight, stop */
#define LINE_BIT_CYCLES (FREQUENCY / 250000)

static unsigned bit_cycles(const struct emulator *e)
{
    const uint8_t *data = e->avr->data;
    unsigned divider = (data[UBRRL] | (data[UBRRH] & 0x0fu) << 8) + 1;
    return divider * (data[UCSRA] & U2X ? 8 : 16);
}

/* Return the byte as it is received. If the two sides differ in rate or format, it is garbage. The
 * rate may be off by 2 % (table 20-2). */
static uint8_t carried(const struct emulator *e, uint8_t byte)
{
    int off = (int)bit_cycles(e) - (int)LINE_BIT_CYCLES;
    bool agreed = abs(off) * 50 <= (int)LINE_BIT_CYCLES && e->avr->data[UCSRC] == EIGHT_N_ONE;
    return agreed ? byte : (uint8_t)(byte << 1 | 1);
}

/* RXC and UDRE request their interrupts for as long as they are set, not only when they become
 * set. */
static void ask(struct emulator *e)
{
    avr_t *avr = e->avr;
    if (avr->data[UCSRA] & RXC && avr->data[UCSRB] & RXCIE)
        avr_raise_interrupt(avr, &e->uart.core->rxc);
    if (avr->data[UCSRA] & UDRE && avr->data[UCSRB] & UDRIE)
        avr_raise_interrupt(avr, &e->uart.core->udrc);
    if (avr->data[UCSRA] & TXC && avr->data[UCSRB] & TXCIE)
        avr_raise_interrupt(avr, &e->uart.core->txc);
}

static void on_return(struct avr_irq_t *irq, uint32_t running, void *param)
{
    (void)irq;
    if (!running)
        ask(param);
}

static void clear(struct emulator *e, avr_int_vector_t *vector, uint8_t flag)
{
    avr_clear_interrupt(e->avr, vector);
    e->avr->data[UCSRA] &= (uint8_t)~flag;
}

/* Transmission from the board. */

static void note_sent(struct emulator *e, uint64_t cycle)
{
    struct uart *u = &e->uart;
    if (u->sent_count == u->sent_room) {
        u->sent_room = u->sent_room ? 2 * u->sent_room : 4096;
        u->sent = realloc(u->sent, u->sent_room * sizeof *u->sent);
        u->sent_at = realloc(u->sent_at, u->sent_room * sizeof *u->sent_at);
    }
    u->sent[u->sent_count] = carried(e, u->sending);
    u->sent_at[u->sent_count++] = cycle;
}

static avr_cycle_count_t byte_sent(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct emulator *e = param;
    struct uart *u = &e->uart;
    note_sent(e, e->before + when);
    u->busy = u->full;
    if (!u->busy) {
        avr->data[UCSRA] |= TXC;
        ask(e);
        return 0;
    }
    u->sending = u->next;
    u->full = false;
    avr->data[UCSRA] |= UDRE;
    ask(e);
    return when + BITS * bit_cycles(e);
}

static void write_udr(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)address;
    struct emulator *e = param;
    struct uart *u = &e->uart;
    if (!(avr->data[UCSRB] & TXEN) || u->full)
        return; /* ignored */
    if (!u->busy) {
        u->sending = value;
        u->busy = true;
        avr_cycle_timer_register(avr, BITS * bit_cycles(e), byte_sent, e);
    } else {
        u->next = value;
        u->full = true;
        clear(e, &u->core->udrc, UDRE);
    }
}

/* Transmission to the board. */

static bool is_line_empty(const struct uart *u)
{
    return u->line_read == u->line_written;
}

static void start_bit(struct emulator *e)
{
    if (e->uart.waiting) {
        e->uart.waiting = false;
        e->avr->data[UCSRA] |= DOR;
    }
}

static avr_cycle_count_t byte_arrived(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct emulator *e = param;
    struct uart *u = &e->uart;
    uint8_t byte = carried(e, u->line[u->line_read++ % LINE_BYTES]);
    if (avr->data[UCSRB] & RXEN) {
        if (u->buffered < sizeof u->buffer) {
            u->buffer[u->buffered++] = byte;
            avr->data[UCSRA] |= RXC;
            ask(e);
        } else {
            u->shifted = byte;
            u->waiting = true;
        }
    }
    if (is_line_empty(u))
        return 0;
    start_bit(e);
    return when + BITS * LINE_BIT_CYCLES;
}

static void start_line(struct emulator *e)
{
    start_bit(e);
    avr_cycle_timer_register(e->avr, BITS * LINE_BIT_CYCLES, byte_arrived, e);
}

static uint8_t read_udr(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct emulator *e = param;
    struct uart *u = &e->uart;
    uint8_t byte = u->buffer[0];
    avr->data[address] = byte;
    if (!u->buffered)
        return byte;
    u->buffer[0] = u->buffer[1];
    u->buffered--;
    if (u->waiting) {
        u->buffer[u->buffered++] = u->shifted;
        u->waiting = false;
    }
    avr->data[UCSRA] &= (uint8_t)~DOR;
    if (!u->buffered)
        clear(e, &u->core->rxc, RXC);
    return byte;
}

static void write_ucsra(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    if (value & TXC)
        clear(e, &e->uart.core->txc, TXC);
    uint8_t writable = U2X | MPCM;
    avr_core_watch_write(avr, address, (avr->data[address] & ~writable) | (value & writable));
}

static void write_ucsrb(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    avr_core_watch_write(avr, address, value);
    if (!(value & RXEN)) { /* received bytes are lost */
        e->uart.buffered = 0;
        e->uart.waiting = false;
        clear(e, &e->uart.core->rxc, RXC | DOR);
    }
    ask(e);
}

static void write_plainly(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr_core_watch_write(avr, address, value);
}

void uart_attach(struct emulator *e)
{
    e->uart.core = (avr_uart_t *)module(e, "uart");
    on_write(e, UCSRA, write_ucsra);
    on_read(e, UCSRA, NULL);
    on_write(e, UCSRB, write_ucsrb);
    on_write(e, UCSRC, write_plainly);
    on_write(e, UBRRL, write_plainly);
    on_write(e, UBRRH, write_plainly);
    on_write(e, UDR, write_udr);
    on_read(e, UDR, read_udr);
    avr_irq_register_notify(e->uart.core->rxc.irq + AVR_INT_IRQ_RUNNING, on_return, e);
    avr_irq_register_notify(e->uart.core->udrc.irq + AVR_INT_IRQ_RUNNING, on_return, e);
}

void uart_restart(struct emulator *e)
{
    struct uart *u = &e->uart;
    u->busy = u->full = u->waiting = false;
    u->buffered = 0;
    e->avr->data[UCSRA] = UDRE;
    e->avr->data[UCSRB] = 0;
    e->avr->data[UCSRC] = EIGHT_N_ONE;
    if (!is_line_empty(u)) /* the host keeps sending while the board resets */
        start_line(e);
}

/* Set 115200 baud at double speed, as Optiboot leaves it. */
void uart_boot(struct emulator *e)
{
    e->avr->data[UCSRA] |= U2X;
    e->avr->data[UCSRB] = RXEN | TXEN;
    e->avr->data[UBRRL] = 16;
}

void uart_lose_power(struct emulator *e)
{
    e->uart.line_read = e->uart.line_written;
}

void uart_detach(struct emulator *e)
{
    free(e->uart.sent);
    free(e->uart.sent_at);
}

size_t emulator_send(struct emulator *e, const uint8_t *bytes, size_t count)
{
    struct uart *u = &e->uart;
    bool idle = is_line_empty(u);
    size_t taken = 0;
    if (e->held)
        return count; /* no receiver */
    while (taken < count && u->line_written - u->line_read < LINE_BYTES)
        u->line[u->line_written++ % LINE_BYTES] = bytes[taken++];
    if (idle && taken)
        start_line(e);
    return taken;
}

size_t emulator_receive(struct emulator *e, uint8_t *bytes, uint64_t *cycles, size_t room)
{
    struct uart *u = &e->uart;
    size_t count = u->sent_count < room ? u->sent_count : room;
    for (size_t i = 0; i < count; i++) {
        bytes[i] = u->sent[i];
        cycles[i] = u->sent_at[i];
    }
    for (size_t i = count; i < u->sent_count; i++) {
        u->sent[i - count] = u->sent[i];
        u->sent_at[i - count] = u->sent_at[i];
    }
    u->sent_count -= count;
    return count;
}
