/* Three chained 74HC595 (docs/hardware/lamps.svg): data on PD2, clock on PD3, latch on PD4, outputs
 * always enabled, registers never cleared.
 *
 * The registers have no reset. After power-on their contents are random until the firmware has
 * shifted something in; after any other reset they keep their outputs. Between a reset and the
 * start of the firmware the pins float. In this model they keep their levels, whereas on a real
 * board they may pick up noise. Setup and hold times are not modelled, because the firmware's times
 * are five times the minimum in the data sheet. */
#include "parts.h"

#include "avr_ioport.h"

enum { DATA = 2, CLOCK, LATCH };
enum { OUTPUTS = 0xffffff };

static void pin_changed(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct emulator *e = param;
    struct lamps *l = &e->lamps;
    unsigned pin = 1u << irq->irq;
    bool rises = value && !(l->pins & pin);
    l->pins = value ? l->pins | pin : l->pins & ~pin;
    if (rises && irq->irq == CLOCK)
        l->shifted = (l->shifted << 1 | (l->pins >> DATA & 1)) & OUTPUTS;
    if (rises && irq->irq == LATCH) {
        l->latched = l->shifted;
        l->latched_at = emulator_now(e);
    }
}

void lamps_attach(struct emulator *e)
{
    for (int pin = DATA; pin <= LATCH; pin++)
        avr_irq_register_notify(avr_io_getirq(e->avr, AVR_IOCTL_IOPORT_GETIRQ('D'),
                                              IOPORT_IRQ_PIN0 + pin), pin_changed, e);
}

void lamps_power_on(struct emulator *e)
{
    e->lamps.shifted = (uint32_t)next_random(e) & OUTPUTS;
    e->lamps.latched = (uint32_t)next_random(e) & OUTPUTS;
    e->lamps.latched_at = emulator_now(e);
}

uint32_t emulator_lamps(const struct emulator *e)
{
    return e->lamps.latched;
}

uint64_t emulator_lamps_latched_at(const struct emulator *e)
{
    return e->lamps.latched_at;
}
