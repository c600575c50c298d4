/* Sensors and multiplexers (seven, or eight on tiles): voltages at the analog pins.
 *
 * S0 to S3 are PB0 to PB3. After a change, the outputs settle on the new inputs in about a
 * microsecond (70 ohms, and the capacitance of wires and converter; a model, not measured).
 * Firmware that does not wait reads the previous inputs.
 *
 * If the wire is open, nothing drives the output, which keeps the charge of the previous input.
 * Each conversion shares that charge with the converter's own capacitor, which still holds the last
 * sample of any pin. The capacitances are 14 pF (data sheet, ADC input circuitry) and 56 pF for the
 * multiplexer's output with a short wire, so the converter's share is a fifth (a model, not
 * measured). Because an open wire acts as an antenna, mains hum is added. */
#include "parts.h"

#include <math.h>
#include <string.h>

#include "avr_ioport.h"

#define SETTLING_CYCLES (FREQUENCY / 1000000.0)
#define CONVERTERS_SHARE 0.2 /* 14 pF of 14 pF + 56 pF */

static double output(const struct emulator *e, unsigned multiplexer)
{
    const struct sensors *s = &e->sensors;
    unsigned channel = INPUTS * multiplexer + s->select;
    if (s->open[channel])
        return s->before[multiplexer];
    double target = s->level[channel];
    double cycles = (double)(emulator_now(e) - s->selected_at);
    return target + (s->before[multiplexer] - target) * exp(-cycles / SETTLING_CYCLES);
}

static void select_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct emulator *e = param;
    struct sensors *s = &e->sensors;
    unsigned select = (s->select & ~(1u << irq->irq)) | (value & 1) << irq->irq;
    if (select == s->select)
        return;
    for (unsigned m = 0; m < MULTIPLEXERS; m++)
        s->before[m] = output(e, m);
    s->select = select;
    s->selected_at = emulator_now(e);
}

/* Return an approximately normal number. The sum of twelve uniform numbers between 0 and 1 has mean
 * 6 and standard deviation 1. */
static double normal(struct emulator *e)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(next_random(e) >> 40) / (1 << 24);
    return sum;
}

double sensors_sample(struct emulator *e, unsigned pin)
{
    struct sensors *s = &e->sensors;
    if (pin >= MULTIPLEXERS)
        return 0;
    double counts = output(e, pin);
    if (s->open[INPUTS * pin + s->select]) {
        counts += CONVERTERS_SHARE * (e->adc.held * 1024 / e->supply - counts);
        s->before[pin] = counts;
        counts += s->hum * sin(2 * M_PI * 50 * (double)emulator_now(e) / FREQUENCY);
    }
    return (counts + s->noise * normal(e) + disturbances_now(e)) / 1024 * e->supply;
}

void sensors_attach(struct emulator *e)
{
    for (int pin = 0; pin < 4; pin++)
        avr_irq_register_notify(
            avr_io_getirq(e->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_PIN0 + pin), select_pin, e);
}

void emulator_set_levels(struct emulator *e, const double levels[CHANNELS])
{
    memcpy(e->sensors.level, levels, sizeof e->sensors.level);
}

void emulator_set_open(struct emulator *e, const uint8_t open[CHANNELS])
{
    for (unsigned m = 0; m < MULTIPLEXERS; m++)
        e->sensors.before[m] = output(e, m);
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        e->sensors.open[channel] = open[channel];
}

void emulator_set_hum(struct emulator *e, double counts)
{
    e->sensors.hum = counts;
}

void emulator_set_noise(struct emulator *e, double counts)
{
    e->sensors.noise = counts;
}
