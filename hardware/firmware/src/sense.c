#include "sense.h"

#include "channels.h"

static inline uint8_t colour(int16_t deflected)
{
    if (BOARD_KIND == PRESENCE)
        return UNKNOWN;
    return deflected > 0 ? RED : BLUE;
}

/* Between the thresholds of 40 % and 20 % a piece stays what it was. */
static inline uint8_t classify(uint8_t before, const struct sensor *sensor, uint16_t reading)
{
    int16_t deflected = deflection(sensor, reading);
    uint16_t strength = deflected < 0 ? (uint16_t)-deflected : (uint16_t)deflected;
    if (strength >= sensor->on)
        return colour(deflected);
    if (before != NOTHING && strength >= sensor->on / 2 && colour(deflected) == before)
        return before;
    return NOTHING;
}

/* Where two bytes agree about a square, both of its bits are set. */
static inline uint8_t agreement(uint8_t one, uint8_t other)
{
    uint8_t differ = one ^ other;
    differ = (differ | differ >> 1) & 0x55;
    return (uint8_t)~(differ | differ << 1);
}

/* Four squares share a byte; they are shifted out below and in again above. This is in a hurry: what
 * it takes goes by between a magnet's arrival and the frame. */
void sense_look(struct senses *senses, const struct calibration *calibration,
                const uint16_t readings[INPUTS])
{
    const struct sensor *sensor = calibration->sensors;
    uint8_t square = 0;
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = senses->settled[i];
        uint8_t now = 0;
        for (uint8_t n = 0; n < 4; n++) {
            uint8_t seen = classify(before & 3, sensor++, readings[channel_of(square++)]);
            now = (uint8_t)(now >> 2 | seen << 6);
            before >>= 2;
        }
        uint8_t agreed = agreement(now, senses->latest[i]);
        senses->settled[i] = (senses->settled[i] & (uint8_t)~agreed) | (now & agreed);
        senses->latest[i] = now;
    }
}

enum seen sense_settled(const struct senses *senses, uint8_t square)
{
    return senses->settled[square / 4] >> 2 * (square % 4) & 3;
}
