/* Watchdog (data sheet, chapter 11.8), which replaces libsimavr's own.
 *
 * In the mode "interrupt, then reset", libsimavr requests the interrupt at every time-out, whereas
 * a real chip resets at the second time-out if the first interrupt was not served. libsimavr also
 * remembers each interrupt until it returns, whereas a real chip permits an interrupt that never
 * returns but restarts the firmware. */
#include "parts.h"

enum { WDTCSR = 0x60 };
enum { WDIF = 0x80, WDIE = 0x40, WDCE = 0x10, WDE = 0x08, WDP = 0x27 };

#define SHORTEST_CYCLES (2048 * (FREQUENCY / 128000)) /* 2048 cycles of the 128 kHz oscillator: 16 ms */

static uint64_t period(const avr_t *avr)
{
    unsigned prescaler = avr->data[WDTCSR] & WDP;
    return (uint64_t)SHORTEST_CYCLES << ((prescaler & 7) | (prescaler & 0x20) >> 2);
}

static avr_cycle_count_t time_out(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct emulator *e = param;
    uint8_t now = avr->data[WDTCSR];
    bool interrupts_first = now & WDIE && !(now & WDE && now & WDIF);
    if (interrupts_first) {
        avr_raise_interrupt(avr, &e->watchdog.core->watchdog); /* also sets WDIF */
        return when + period(avr);
    }
    e->watchdog.reset_requested = true;
    return 0;
}

static void begin(struct emulator *e)
{
    if (e->avr->data[WDTCSR] & (WDIE | WDE))
        avr_cycle_timer_register(e->avr, period(e->avr), time_out, e);
    else
        avr_cycle_timer_cancel(e->avr, time_out, e);
}

static avr_cycle_count_t too_late(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    avr->data[WDTCSR] &= (uint8_t)~WDCE;
    return 0;
}

static void write_wdtcsr(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    uint8_t before = avr->data[address];
    uint8_t guarded = before & WDCE ? value & (WDE | WDP) : (before & (WDE | WDP)) | (value & WDE);
    if (avr->data[MCUSR] & WATCHDOG)
        guarded |= WDE;
    if (value & WDIF)
        avr_clear_interrupt(avr, &e->watchdog.core->watchdog);
    uint8_t flag = value & WDIF ? 0 : before & WDIF;
    avr_core_watch_write(avr, address, flag | guarded | (value & WDIE));
    if (value & WDCE && value & WDE) {
        avr->data[address] |= WDCE;
        avr_cycle_timer_register(avr, 4, too_late, e);
    }
    if ((before ^ avr->data[address]) & (WDIE | WDE | WDP))
        begin(e);
}

/* Handle the WDR instruction. */
static int restarted(avr_io_t *io, uint32_t request, void *param)
{
    (void)param;
    if (request != AVR_IOCTL_WATCHDOG_RESET)
        return -1;
    begin(((struct watchdog *)io)->emulator);
    return 0;
}

static void on_service(struct avr_irq_t *irq, uint32_t running, void *param)
{
    (void)irq;
    struct emulator *e = param;
    if (!running)
        return;
    unhang(e);
    e->avr->interrupts.running_ptr = 0;
}

void watchdog_attach(struct emulator *e)
{
    e->watchdog.emulator = e;
    e->watchdog.core = (avr_watchdog_t *)module(e, "watchdog");
    e->watchdog.io.kind = "watchdog of silicon";
    e->watchdog.io.ioctl = restarted;
    avr_register_io(e->avr, &e->watchdog.io); /* takes precedence over libsimavr's own */
    on_write(e, WDTCSR, write_wdtcsr);
    avr_irq_register_notify(e->watchdog.core->watchdog.irq + AVR_INT_IRQ_RUNNING, on_service, e);
}

/* After a watchdog reset, the watchdog keeps running with the shortest time-out. */
void watchdog_restart(struct emulator *e)
{
    e->watchdog.reset_requested = false;
    e->avr->data[WDTCSR] = e->avr->data[MCUSR] & WATCHDOG ? WDE : 0;
    begin(e);
}
