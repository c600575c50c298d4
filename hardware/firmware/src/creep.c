#include "creep.h"

#include <stdlib.h>
#include <string.h>


#define PARTS 2
#define PER_PAST 4

/* Never 0, which would be no reading at all. */
static uint8_t past_of(uint16_t reading)
{
    return (uint8_t)(reading < PER_PAST ? 1 : reading / PER_PAST);
}

static struct creeping *find(const struct creep *creep, uint8_t square)
{
    for (uint8_t i = 0; i < creep->count; i++) {
        if (creep->list[i].square == square)
            return (struct creeping *)creep->list + i;
    }
    return NULL;
}

static void drop(struct creep *creep, struct creeping *creeping)
{
    *creeping = creep->list[--creep->count];
}

/* By how much a reading has changed since it was noted. */
static uint16_t change(const struct creep *creep, uint8_t square, const struct sensor *sensor,
                       uint16_t reading)
{
    uint8_t past = creep->past[square];
    int16_t changed = past == 0 ? deflection(sensor, reading) : (int16_t)reading - PER_PAST * past;
    return (uint16_t)abs(changed);
}

static bool is_far(uint16_t changed, uint8_t on)
{
    return changed >= MOST_FAR || 2 * changed >= 5U * on;
}

static bool is_jump(uint16_t changed, uint8_t on)
{
    return changed >= MOST_JUMP || 8 * changed >= 5U * on;
}

/* Goes on with a creeping square, or begins to. */
static bool has_rested(struct creep *creep, uint8_t square, uint16_t reading, uint8_t rest_frames)
{
    struct creeping *creeping = find(creep, square);
    if (creeping)
        creeping->is_going_on = true;
    else if (creep->count < MOST_CREEPING)
        creep->list[creep->count++] = (struct creeping){square, 0, reading, true};
    return creeping && creeping->rested >= rest_frames;
}

enum belief creep_believe(struct creep *creep, const struct streaks *streaks, uint8_t square,
                          const struct sensor *sensor, uint16_t reading, bool comes)
{
    uint16_t changed = change(creep, square, sensor, reading);
    bool is_watched;
    if (!sees_colours() || is_far(changed, sensor->on))
        return AT_ONCE;
    if (is_jump(changed, sensor->on) || (!comes && streaks_of(&creep->weak, square) <= FADES_FRAMES))
        squares_add(creep->jumped, square);
    if (squares_has(creep->jumped, square))
        is_watched = streaks_of(streaks, square) + 1 >= PATIENT_LOOKS;
    else
        is_watched = has_rested(creep, square, reading, comes ? COMES_FRAMES : GOES_FRAMES);
    return is_watched ? AFTER_ALL : NOT_YET;
}

void creep_settle(struct creep *creep, uint8_t square, uint16_t reading)
{
    creep->past[square] = past_of(reading);
}

/* A ripple may meet each frame alike, but not each look. */
static void watch(struct creeping *creeping, uint16_t reading, uint8_t streak)
{
    creeping->is_going_on = false;
    if (abs((int16_t)reading - (int16_t)creeping->anchor) > STEADY || streak < MOST_STREAK) {
        creeping->anchor = reading;
        creeping->rested = 0;
    } else if (creeping->rested < UINT8_MAX) {
        creeping->rested++;
    }
}

/* What has jumped and is seen so no more has been taken back, or is believed by now. */
static void forget_jumps(struct creep *creep, const struct streaks *streaks)
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        uint8_t going_on = 0;
        for (uint8_t bit = 0; bit < STREAK_BITS; bit++)
            going_on |= streaks->bits[bit][i];
        creep->jumped[i] &= going_on;
    }
}

static void watch_weak(struct creep *creep, const struct sensor *sensor, const uint16_t readings[READINGS])
{
    uint8_t weak[SQUARE_SET];
    for (uint8_t i = 0, square = 0; i < SQUARE_SET; i++) {
        weak[i] = 0;
        for (uint8_t bit = 1; bit != 0 && square < SQUARES; bit = (uint8_t)(bit << 1), square++, sensor++) {
            int16_t deflected = deflection(sensor, readings[square]);
            if ((uint16_t)abs(deflected) < 2U * sensor->on)
                weak[i] |= bit;
        }
    }
    streaks_look(&creep->weak, weak);
}

void creep_note(struct creep *creep, const struct streaks *streaks, const struct sensor sensors[SQUARES],
                const uint16_t readings[READINGS], const uint8_t changing[SQUARE_SET])
{
    if (sees_colours())
        watch_weak(creep, sensors, readings);
    for (uint8_t i = creep->count; i-- > 0;) {
        struct creeping *creeping = creep->list + i;
        if (creeping->is_going_on)
            watch(creeping, readings[creeping->square], streaks_of(streaks, creeping->square));
        else
            drop(creep, creeping);
    }
    forget_jumps(creep, streaks);
    uint8_t first = creep->part * (SQUARES / PARTS);
    for (uint8_t square = first; square < first + SQUARES / PARTS; square++) {
        if (!squares_has(changing, square))
            creep->past[square] = past_of(readings[square]);
    }
    creep->part = (creep->part + 1) % PARTS;
}

bool creep_is_dying(const struct creep *creep, const struct streaks *streaks, uint8_t square)
{
    return find(creep, square) && streaks_of(streaks, square) == MOST_STREAK;
}

void creep_forget(struct creep *creep)
{
    memset(creep, 0, sizeof *creep);
}
