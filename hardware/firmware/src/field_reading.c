#include "field_reading.h"

#include "detection.h"
#include "geometry.h"

#define LIMIT 127

static int16_t limit(int16_t value)
{
    return value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value;
}

/* on_per_cent is at most 60, so the product is at most 127 * 240 = 30480 and fits into 16 bits. */
int8_t field_reading(const struct sensor *sensor, uint16_t reading)
{
    if (is_out_of_range(reading))
        return NOT_FELT;
    int16_t value =
        limit(deflection(sensor, reading)) * (int16_t)(settings.on_per_cent * (FELT_PIECE / 100));
    int16_t half = sensor->threshold / 2;
    value = limit((int16_t)((value < 0 ? value - half : value + half) / sensor->threshold));
    return (int8_t)(wiring->is_red_low ? -value : value);
}
