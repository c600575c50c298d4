#include "felt.h"

#include "geometry.h"
#include "sense.h"

#define MOST 127

static int16_t within(int16_t value)
{
    return value > MOST ? MOST : value < -MOST ? -MOST : value;
}

/* A share of 60 % is the highest, so the product is 30480 at most. */
int8_t felt_of(const struct sensor *sensor, uint16_t reading)
{
    if (is_colourless(reading))
        return NOT_FELT;
    int16_t felt = within(deflection(sensor, reading)) * (int16_t)(settings.on_per_cent * (FELT_PIECE / 100));
    int16_t half = sensor->on / 2;
    felt = within((int16_t)((felt < 0 ? felt - half : felt + half) / sensor->on));
    return (int8_t)(wiring->is_red_low ? -felt : felt);
}
