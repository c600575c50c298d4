/* A/D converter (data sheet, chapter 24), which replaces libsimavr's own.
 *
 * libsimavr computes the result when ADCL is read, from ADMUX and the pins at that time. This
 * converter uses ADMUX as it was when the conversion began, and the pin as it was when the sample
 * was taken, one and a half converter clocks later. Writing a one to ADIF clears it, which
 * libsimavr does not implement. Triggers other than free running and noise reduction sleep are not
 * implemented, because the firmware uses neither. */
#include "parts.h"

#include <math.h>

enum { PRR = 0x64, ADCL = 0x78, ADCH, ADCSRA, ADCSRB, ADMUX };
enum { ADEN = 0x80, ADSC = 0x40, ADATE = 0x20, ADIF = 0x10, ADIE = 0x08 };
enum { BAND_GAP = 14, ADLAR = 0x20 };

#define BAND_GAP_SETTLING_CYCLES (15.0 * FREQUENCY / 1000000) /* "up to 70 us" in all, table 29-16 */

static double band_gap(const struct emulator *e)
{
    double cycles = (double)(emulator_now(e) - e->adc.gap_since);
    return e->band_gap + (e->adc.before_gap - e->band_gap) * exp(-cycles / BAND_GAP_SETTLING_CYCLES);
}

static avr_cycle_count_t sample(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when;
    struct emulator *e = param;
    unsigned input = e->adc.admux & 0x0f; /* 15 is ground; unconnected inputs also read as ground */
    e->adc.held = input == BAND_GAP ? band_gap(e) : sensors_sample(e, input);
    return 0;
}

static double reference(const struct emulator *e)
{
    switch (e->adc.admux >> 6) {
    case 1:
        return e->supply; /* AVCC */
    case 3:
        return e->band_gap;
    default:
        return 0; /* AREF is not connected on the Nano */
    }
}

static uint16_t result(const struct emulator *e)
{
    double counts = floor(e->adc.held * 1024 / reference(e) + 0.5);
    return counts >= 1023 ? 1023 : counts > 0 ? (uint16_t)counts : 0;
}

static void begin(struct emulator *e);

static avr_cycle_count_t finish(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    struct emulator *e = param;
    uint16_t counts = result(e);
    if (e->adc.admux & ADLAR)
        counts <<= 6;
    if (!e->adc.locked) {
        avr->data[ADCL] = (uint8_t)counts;
        avr->data[ADCH] = (uint8_t)(counts >> 8);
    }
    avr->data[ADCSRA] &= (uint8_t)~ADSC;
    avr_raise_interrupt(avr, &e->adc.core->adc); /* also sets ADIF */
    if (avr->data[ADCSRA] & ADATE && !(avr->data[ADCSRB] & 7)) {
        avr->data[ADCSRA] |= ADSC;
        begin(e);
    }
    return 0;
}

static void begin(struct emulator *e)
{
    unsigned prescaler = e->avr->data[ADCSRA] & 7;
    unsigned clock = prescaler ? 1u << prescaler : 2;
    e->adc.admux = e->avr->data[ADMUX];
    avr_cycle_timer_register(e->avr, clock * (e->adc.first ? 27 : 3) / 2, sample, e);
    avr_cycle_timer_register(e->avr, clock * (e->adc.first ? 25 : 13), finish, e);
    e->adc.first = false;
}

static void stop_conversion(struct emulator *e)
{
    avr_cycle_timer_cancel(e->avr, sample, e);
    avr_cycle_timer_cancel(e->avr, finish, e);
}

static void write_adcsra(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    uint8_t before = avr->data[address];
    if (value & ADIF)
        avr_clear_interrupt(avr, &e->adc.core->adc);
    value = (uint8_t)((value & ~ADIF) | (value & ADIF ? 0 : before & ADIF));
    value |= before & ADSC; /* writing a zero has no effect */
    if (!(value & ADEN)) {
        value &= (uint8_t)~ADSC;
        stop_conversion(e);
    } else if (!(before & ADEN)) {
        e->adc.first = true;
    }
    avr_core_watch_write(avr, address, value);
    if (value & ADSC && !(before & ADSC))
        begin(e);
    if (value & ADIE && value & ADIF)
        avr_raise_interrupt(avr, &e->adc.core->adc);
}

static void write_admux(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    if ((value & 0x0f) == BAND_GAP && (avr->data[address] & 0x0f) != BAND_GAP) {
        e->adc.gap_since = emulator_now(e);
        e->adc.before_gap = e->adc.held;
    }
    avr_core_watch_write(avr, address, value);
}

static uint8_t read_low(avr_t *avr, avr_io_addr_t address, void *param)
{
    ((struct emulator *)param)->adc.locked = true;
    return avr_core_watch_read(avr, address);
}

static uint8_t read_high(avr_t *avr, avr_io_addr_t address, void *param)
{
    ((struct emulator *)param)->adc.locked = false;
    return avr_core_watch_read(avr, address);
}

/* Disable the analog comparator, which the firmware does not use. libsimavr notifies the comparator
 * of every bit of these registers at each access, which took a third of the time because the
 * firmware polls for the end of a conversion. */
static void disable_comparator(struct emulator *e)
{
    avr_io_t *comparator = module(e, "ac");
    avr_io_t **at = &e->avr->io_port;
    while (*at != comparator)
        at = &(*at)->next;
    *at = comparator->next;
    const uint16_t watched[] = {PRR, ADCSRA, ADCSRB, ADMUX};
    for (unsigned i = 0; i < sizeof watched / sizeof *watched; i++)
        e->avr->io[AVR_DATA_TO_IO(watched[i])].irq = NULL;
}

void adc_attach(struct emulator *e)
{
    disable_comparator(e);
    e->adc.core = (avr_adc_t *)module(e, "adc");
    on_write(e, ADCSRA, write_adcsra);
    on_write(e, ADMUX, write_admux);
    on_read(e, ADCL, read_low);
    on_read(e, ADCH, read_high);
}

void adc_restart(struct emulator *e)
{
    e->adc.locked = false;
}
