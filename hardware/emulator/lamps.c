/* Three 74HC595 in a row, as docs/hardware/lamps.svg draws them: data on PD2, clock on PD3, latch on
 * PD4, the outputs always on, the registers never cleared.
 *
 * So they know nothing of resets. When power comes they hold anything, until the firmware has shifted
 * something in; after any other reset they go on showing what they did. Between a reset and the
 * firmware's start the pins float; here they then stay as they were, on a board they may pick something
 * up. Setup and hold times are not modelled: the firmware's are five times what the data sheet asks for.
 */
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

void lamps_take_power(struct emulator *e)
{
    e->lamps.shifted = (uint32_t)dice_roll(e) & OUTPUTS;
    e->lamps.latched = (uint32_t)dice_roll(e) & OUTPUTS;
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
