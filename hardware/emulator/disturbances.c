/* Disturbances added to the sensor outputs: spikes, bursts and ripple.
 *
 * Disturbances are in counts of 1024, like the outputs. Spikes affect single conversions. Bursts
 * are periodic. All conversions in a burst are off by the same amount, up or down; in a rough
 * burst, each conversion has its own sign. Ripple is a sine wave. These disturbances are a model,
 * not measured. */
#include "parts.h"

#include <math.h>

static double sign(struct emulator *e)
{
    return next_random(e) >> 63 ? 1 : -1;
}

static double spike(struct emulator *e)
{
    const struct disturbances *d = &e->disturbances;
    if (d->spike_share <= 0 || (double)(next_random(e) >> 11) / (1ull << 53) >= d->spike_share)
        return 0;
    return sign(e) * d->spike;
}

static double burst(struct emulator *e)
{
    struct disturbances *d = &e->disturbances;
    if (d->burst_cycles == 0)
        return 0;
    uint64_t since = emulator_now(e) - d->since;
    if (since % d->burst_period >= d->burst_cycles)
        return 0;
    if (since / d->burst_period != d->burst_number) {
        d->burst_number = since / d->burst_period;
        d->burst_sign = sign(e);
    }
    return (d->is_rough ? sign(e) : d->burst_sign) * d->burst;
}

static double ripple(const struct emulator *e)
{
    const struct disturbances *d = &e->disturbances;
    return d->ripple * sin(2 * M_PI * d->ripple_hertz * (double)emulator_now(e) / FREQUENCY);
}

double disturbances_now(struct emulator *e)
{
    return spike(e) + burst(e) + ripple(e);
}

void emulator_set_spikes(struct emulator *e, double counts, double share)
{
    e->disturbances.spike = counts;
    e->disturbances.spike_share = share;
}

void emulator_set_bursts(struct emulator *e, double counts, uint64_t cycles, uint64_t period, int is_rough)
{
    struct disturbances *d = &e->disturbances;
    d->burst = counts;
    d->burst_cycles = period ? cycles : 0;
    d->burst_period = period;
    d->is_rough = is_rough;
    d->since = emulator_now(e);
    d->burst_number = UINT64_MAX;
}

void emulator_set_ripple(struct emulator *e, double counts, double hertz)
{
    e->disturbances.ripple = counts;
    e->disturbances.ripple_hertz = hertz;
}
