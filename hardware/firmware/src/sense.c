#include "sense.h"

#include <stdbool.h>

#include "channels.h"
#include "scan.h"

static inline uint8_t colour(int16_t deflected)
{
    if (BOARD_KIND == PRESENCE)
        return UNKNOWN;
    return deflected > 0 ? RED : BLUE;
}

/* Between the thresholds of 17 % and 14 % a piece stays what it was. From there to 21 % it is faint. */
static inline uint8_t classify(uint8_t before, int16_t deflected, uint8_t on, bool *faint)
{
    uint16_t strength = deflected < 0 ? (uint16_t)-deflected : (uint16_t)deflected;
    *faint = false;
    if (strength < off_from(on))
        return NOTHING;
    *faint = strength < (uint16_t)(on + on / 4);
    if (strength >= on || colour(deflected) == before)
        return colour(deflected);
    return NOTHING;
}

/* Where two bytes agree about a square, both of its bits are set. */
static inline uint8_t agreement(uint8_t one, uint8_t other)
{
    uint8_t differ = one ^ other;
    differ = (differ | differ >> 1) & 0x55;
    return (uint8_t)~(differ | differ << 1);
}

/* The first of two looks that agree is the latest one before this, and it reads the square a little
 * after it began. Returns how many squares have changed, of four. */
static uint8_t note_changes(struct senses *senses, uint8_t first, uint8_t differ)
{
    uint8_t noted = 0;
    for (uint8_t square = first; differ != 0; square++, differ >>= 2) {
        if ((differ & 3) == 0)
            continue;
        uint8_t into = scan_moment(channel_of(square));
        changes_note(&senses->changes, square, senses->looked[1] + into, senses->looked[0] + into);
        noted++;
    }
    return noted;
}

/* Of four squares, those whose two bits differ. */
static uint8_t squares_of(uint8_t differ)
{
    differ = (differ | differ >> 1) & 0x55;
    differ = (differ | differ >> 1) & 0x33;
    return (differ | differ >> 2) & 0x0F;
}

/* Four squares share a byte; they are shifted out below and in again above. This is in a hurry: what
 * it takes goes by between a magnet's arrival and the frame. */
void sense_look(struct senses *senses, const struct calibration *calibration,
                const uint16_t readings[INPUTS], uint16_t at)
{
    const struct sensor *sensor = calibration->sensors;
    uint8_t square = 0, changes = 0;
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = senses->settled[i];
        uint8_t now = 0, faint = 0;
        for (uint8_t n = 0; n < 4; n++) {
            int16_t deflected = deflection(sensor, readings[channel_of(square++)]);
            bool is_faint;
            uint8_t seen = classify(before >> 2 * n & 3, deflected, sensor->on, &is_faint);
            sensor++;
            now = (uint8_t)(now >> 2 | seen << 6);
            if (is_faint)
                faint |= (uint8_t)(1 << n);
        }
        uint8_t agreed = agreement(now, senses->latest[i]);
        uint8_t settled = (before & (uint8_t)~agreed) | (now & agreed);
        if (settled != before && changes <= MOST_CHANGES)
            changes += note_changes(senses, square - 4, settled ^ before);
        if (settled != now)
            faint |= squares_of(settled ^ now);
        if (i % 2 == 0)
            senses->faint[i / 2] = faint;
        else
            senses->faint[i / 2] |= (uint8_t)(faint << 4);
        senses->settled[i] = settled;
        senses->latest[i] = now;
    }
    if (changes > MOST_CHANGES)
        senses->changes.count = 0;
    senses->looked[1] = senses->looked[0];
    senses->looked[0] = at;
}

enum seen sense_settled(const struct senses *senses, uint8_t square)
{
    return senses->settled[square / 4] >> 2 * (square % 4) & 3;
}
