#include "sense.h"

#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "lean.h"
#include "scan.h"

static inline uint8_t colour(int16_t deflected)
{
    if (!sees_colours())
        return UNKNOWN;
    return deflected > 0 ? HIGH : LOW;
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

/* Of squares that go from one colour to the other, both bits are set; elsewhere none. */
static inline uint8_t flips(uint8_t before, uint8_t now)
{
    uint8_t both = before ^ now;
    both &= both >> 1 & 0x55;
    return sees_colours() ? (uint8_t)(both | both << 1) : 0;
}

static uint16_t moment(const struct look *look, uint8_t square)
{
    return look->at + scan_moment(channel_of(square), look->backwards);
}

/* A square was first seen so by the first look of its streak, and otherwise by the one before. Returns how
 * many squares have changed, of four. */
static uint8_t note_changes(struct senses *senses, uint8_t first, uint8_t differ)
{
    uint8_t noted = 0;
    for (uint8_t square = first; differ != 0; square++, differ >>= 2) {
        if ((differ & 3) == 0)
            continue;
        uint8_t streak = streaks_of(&senses->streaks, square);
        const struct look *otherwise = senses->looks + streak;
        if (streak == 0 || streak == MOST_STREAK)
            changes_drop(&senses->changes, square);
        else
            changes_note(&senses->changes, square, moment(otherwise, square),
                         moment(otherwise - 1, square));
        noted++;
    }
    return noted;
}

/* Of four squares, those that two looks before this have seen otherwise: both of their bits are set. */
static uint8_t seen_twice(const struct senses *senses, uint8_t first)
{
    uint8_t twice = 0;
    for (uint8_t n = 0; n < 4; n++) {
        if (streaks_of(&senses->streaks, first + n) >= 2)
            twice |= (uint8_t)(3 << 2 * n);
    }
    return twice;
}

/* Of four squares, those whose two bits differ. */
static uint8_t squares_of(uint8_t differ)
{
    differ = (differ | differ >> 1) & 0x55;
    differ = (differ | differ >> 1) & 0x33;
    return (differ | differ >> 2) & 0x0F;
}

/* What one look makes of the squares. */
struct view {
    uint8_t now[PACKED_STATE];
    uint8_t faint[SQUARE_SET];
    uint8_t colourless[SQUARE_SET];
    uint8_t otherwise[SQUARE_SET]; /* than they are believed to be, whether or not that is believed yet */
    uint8_t rises[SQUARE_SET];     /* those of them that read higher, not lower */
    uint8_t odd;    /* squares that are not as they were */
    uint8_t asked;  /* squares that have changed by much */
    uint8_t small;  /* squares that have changed by little */
    uint8_t around; /* squares around which was looked */
};

static bool is_to_be_passed_over(const struct view *view, const struct senses *senses)
{
    return view->odd > MOST_ODD && senses->passed < MOST_PASSED;
}

/* Reads a square once more that was seen otherwise than it is believed to be, as long as there is time. A large change
 * is believed without that, a small one has to wait for its turn. Returns what is to be made of the square: that, or
 * what is believed. */
static uint8_t confirm(struct view *view, struct senses *senses, uint8_t square, uint8_t before,
                       uint8_t seen, const struct sensor *sensor, uint16_t reading, int16_t leant)
{
    enum belief belief =
        creep_believe(&senses->creep, &senses->streaks, square, sensor, reading, seen != NOTHING);
    if (belief == AT_ONCE ? view->asked++ < MOST_ODD : view->small++ < MOST_SMALL) {
        reading = scan_again(channel_of(square));
        bool is_faint;
        if (is_colourless(reading) ||
            classify(before, deflection(sensor, reading) + leant, sensor->on, &is_faint) != seen)
            return before;
    } else if (belief == AFTER_ALL) {
        belief = NOT_YET;
    }
    squares_add(view->otherwise, square);
    if (seen == HIGH || before == LOW)
        squares_add(view->rises, square);
    if (belief == AT_ONCE) /* what has been watched is no burst */
        view->odd++;
    return belief == NOT_YET ? before : seen;
}

/* Whether what is around a square decides what it is. */
static inline bool is_doubtful(int16_t deflected, uint8_t on)
{
    uint16_t strength = (uint16_t)abs(deflected);
    return strength >= on / 2 && strength < on + on / 2;
}

/* Views a square that is perhaps otherwise than it is believed to be, with what those around it do to it. */
static __attribute__((noinline)) void view_closely(struct view *view, struct senses *senses,
                                                   uint8_t square, const struct sensor *sensor,
                                                   uint16_t reading)
{
    if (is_to_be_passed_over(view, senses))
        return;
    uint8_t was = sense_settled(senses, square);
    bool is_faint;
    int16_t deflected = deflection(sensor, reading), leant = 0;
    if (is_doubtful(deflected, sensor->on) && view->around < MOST_AROUND) {
        view->around++;
        leant = lean(senses->settled, square, sensor->on);
    }
    uint8_t seen = classify(was, deflected + leant, sensor->on, &is_faint);
    uint8_t confirmed = was;
    if (seen != was)
        confirmed = confirm(view, senses, square, was, seen, sensor, reading, leant);
    view->now[square / 4] ^= (uint8_t)((confirmed ^ was) << 2 * (square % 4));
    if (is_faint || confirmed != seen)
        squares_add(view->faint, square);
}

/* Whether a square stays what it was, whatever those around it do. */
static inline bool stays(uint8_t was, int16_t deflected, uint8_t on, bool *is_faint)
{
    if (was == NOTHING || was == UNKNOWN) {
        if (deflected < 0)
            deflected = -deflected;
    } else if (was == LOW) {
        deflected = -deflected;
    }
    *is_faint = was != NOTHING && deflected < on + on / 4;
    return was == NOTHING ? deflected < doubtful_from(on) : deflected >= on;
}

/* This is in a hurry: what it takes goes by between a magnet's arrival and the frame. So what depends on the kind of
 * sensors is found out beforehand. */
static void view_squares(struct view *view, struct senses *senses, const struct sensor *sensor,
                         const uint16_t readings[READINGS])
{
    uint8_t square = 0, byte = 0, bit = 1;
    const int16_t rest = resting();
    const uint16_t lowest = sees_colours() ? STUCK_WITHIN + 1 : 0;
    const uint16_t span = FULL_SCALE - 2 * lowest;
    memset(view, 0, sizeof *view);
    memcpy(view->now, senses->settled, sizeof view->now);
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = senses->settled[i];
        for (uint8_t n = 0; n < 4; n++, square++, sensor++, before >>= 2) {
            uint16_t reading = *readings++;
            bool is_faint = true;
            if ((uint16_t)(reading - lowest) > span) { /* is_colourless() */
                view->colourless[byte] |= bit;
                if (!(senses->colourless[byte] & bit))
                    view->odd++;
            } else if (!stays(before & 3, (int16_t)reading - rest - sensor->rest, sensor->on, &is_faint)) {
                is_faint = false;
                view_closely(view, senses, square, sensor, reading);
            }
            if (is_faint)
                view->faint[byte] |= bit;
            bit = (uint8_t)(bit << 1);
            if (bit == 0) {
                bit = 1;
                byte++;
            }
        }
    }
}

static void settle(struct senses *senses, uint8_t first, uint8_t differ, uint8_t settled,
                   const uint16_t readings[READINGS])
{
    for (uint8_t square = first; differ != 0; square++, differ >>= 2, settled >>= 2) {
        if (differ & 3)
            creep_settle(&senses->creep, square, readings[square], (settled & 3) != NOTHING);
    }
}

static void believe(struct senses *senses, struct view *view, const uint16_t readings[READINGS])
{
    uint8_t changes = 0;
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = senses->settled[i], now = view->now[i];
        if (now == before && now == senses->latest[i])
            continue;
        uint8_t flip = flips(before, now);
        uint8_t agreed = agreement(now, senses->latest[i]);
        if (flip & agreed)
            agreed &= (uint8_t)~flip | seen_twice(senses, 4 * i);
        uint8_t settled = (before & (uint8_t)~agreed) | (now & agreed);
        if (settled != before) {
            view->otherwise[i / 2] &= (uint8_t)~(squares_of(settled ^ before) << 4 * (i % 2));
            settle(senses, 4 * i, settled ^ before, settled, readings);
            if (changes <= MOST_CHANGES)
                changes += note_changes(senses, 4 * i, settled ^ before);
        }
        if (settled != now)
            view->faint[i / 2] |= (uint8_t)(squares_of(settled ^ now) << 4 * (i % 2));
        senses->settled[i] = settled;
        senses->latest[i] = now;
    }
    if (changes > MOST_CHANGES)
        senses->changes.count = 0;
}

void sense_start(struct senses *senses)
{
    memset(senses, 0, sizeof *senses);
    senses->passed = MOST_PASSED;
}

void sense_look(struct senses *senses, const struct calibration *calibration,
                const uint16_t readings[READINGS], uint16_t at, bool backwards)
{
    struct view view;
    view_squares(&view, senses, calibration->sensors, readings);
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        senses->ever_coloured[i] |= (uint8_t)~view.colourless[i];
        senses->colourless[i] = view.colourless[i];
    }
    senses->backwards = !backwards;
    if (is_to_be_passed_over(&view, senses)) {
        senses->passed++;
        return;
    }
    if (view.odd <= MOST_ODD)
        senses->passed = 0;
    creep_look(&senses->creep, readings);
    believe(senses, &view, readings);
    memcpy(senses->faint, view.faint, sizeof view.faint);
    streaks_turn(&senses->streaks, view.otherwise, senses->rising, view.rises);
    streaks_look(&senses->streaks, view.otherwise);
    memmove(senses->looks + 1, senses->looks, (LOOKS_KEPT - 1) * sizeof *senses->looks);
    senses->looks[0] = (struct look){at, backwards};
}

/* While looks are passed over, whatever brings them about is under way. */
void sense_frame(struct senses *senses, const struct calibration *calibration,
                 const uint16_t readings[READINGS])
{
    if (senses->passed > 0)
        return;
    uint8_t changing[SQUARE_SET];
    memset(changing, 0, sizeof changing);
    for (uint8_t i = 0; i < PACKED_STATE; i++)
        changing[i / 2] |= (uint8_t)(squares_of(senses->settled[i] ^ senses->latest[i]) << 4 * (i % 2));
    creep_note(&senses->creep, &senses->streaks, calibration->sensors, readings, changing);
}

enum seen sense_settled(const struct senses *senses, uint8_t square)
{
    return senses->settled[square / 4] >> 2 * (square % 4) & 3;
}
