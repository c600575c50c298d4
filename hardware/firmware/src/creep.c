#include "creep.h"

#include <stdlib.h>
#include <string.h>

#define PARTS 2
#define PER_PAST 4
/* What differs by more from one time that it is noted to the next has jumped, or is a spike: a sensor that takes 1.6 s
 * from one end of its range to the other goes by 26. */
#define UNMOVED 30

/* Never 0, which would be no reading at all. */
static uint8_t past_of(uint16_t reading)
{
    reading = (reading + PER_PAST / 2) / PER_PAST;
    return reading == 0 ? 1 : reading > UINT8_MAX ? UINT8_MAX : (uint8_t)reading;
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
    uint8_t past = creep->is_lent ? 0 : creep->past[square];
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

/* Begins to follow a square. Instead of one that is seen as it was, and rests or is by hand, if there are enough;
 * returns NULL if there is none. */
static struct creeping *follow(struct creep *creep, uint8_t square)
{
    struct creeping *place = creep->list + creep->count;
    if (creep->count < MOST_CREEPING) {
        creep->count++;
    } else {
        do {
            if (place-- == creep->list)
                return NULL;
        } while (place->is_going_on || (place->has_left && !place->is_by_hand && !place->is_bent));
    }
    *place = (struct creeping){.square = square, .lowest = UINT16_MAX};
    return place;
}

/* Goes on with a creeping square, or begins to. */
static bool has_rested(struct creep *creep, uint8_t square, uint8_t rest_frames)
{
    struct creeping *creeping = find(creep, square);
    if (!creeping)
        creeping = follow(creep, square);
    if (!creeping)
        return false;
    creeping->is_going_on = true;
    return creeping->rested >= (creeping->is_by_hand ? HAND_FRAMES : rest_frames);
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
        is_watched = has_rested(creep, square, comes ? COMES_FRAMES : GOES_FRAMES);
    return is_watched ? AFTER_ALL : NOT_YET;
}

void creep_settle(struct creep *creep, uint8_t square, uint16_t reading, bool comes)
{
    creep->in_hand = comes ? 0 : IN_HAND_FRAMES;
    if (!creep->is_lent) {
        creep->past[square] = past_of(reading);
        creep->usual[square] = (uint8_t)(FINE * reading);
    }
}

void creep_look(struct creep *creep, const uint16_t readings[READINGS])
{
    for (uint8_t i = 0; i < creep->count; i++) {
        struct creeping *creeping = creep->list + i;
        uint16_t reading = readings[creeping->square];
        creeping->sum += reading;
        if (reading < creeping->lowest)
            creeping->lowest = reading;
        if (reading > creeping->highest)
            creeping->highest = reading;
        creeping->looks++;
    }
}

/* The average of the looks of a frame but the lowest and the highest; 0 if there were too few. */
static uint16_t end_frame(struct creeping *creeping)
{
    uint16_t fine = 0;
    if (creeping->looks > 2) {
        uint16_t sum = creeping->sum - creeping->lowest - creeping->highest;
        fine = FINE * sum / (creeping->looks - 2);
    }
    creeping->sum = creeping->highest = creeping->looks = 0;
    creeping->lowest = UINT16_MAX;
    return fine;
}

static uint16_t apart(uint16_t one, uint16_t other)
{
    return one > other ? one - other : other - one;
}

/* By how much a line may be off a rate after the frames of this stretch. */
static uint16_t leeway(const struct creeping *creeping)
{
    uint16_t way = creeping->least * creeping->frames / PER_RATE;
    return EVEN + way / EVEN_PART + PER_STRETCH * creeping->stretches;
}

static void end_stretch(struct creeping *creeping, uint16_t fine)
{
    uint16_t rate = PER_RATE * apart(fine, creeping->mark) / creeping->frames;
    if (rate > MOST_RATE)
        rate = MOST_RATE;
    if (creeping->stretches == 0)
        creeping->least = creeping->most = rate;
    if (rate < creeping->least)
        creeping->least = rate;
    if (rate > creeping->most)
        creeping->most = rate;
    if ((creeping->most - creeping->least) * creeping->frames / PER_RATE > leeway(creeping))
        creeping->is_bent = true;
    creeping->mark = fine;
    creeping->frames = 0;
    if (creeping->stretches < MOST_STRETCHES)
        creeping->stretches++;
}

/* A line begins where the square leaves its rest. */
static void begin_line(struct creeping *creeping, uint16_t fine, bool has_left)
{
    creeping->mark = creeping->bottom = creeping->top = fine;
    creeping->frames = creeping->stretches = 0;
    creeping->has_left = has_left;
}

static void follow_line(struct creeping *creeping, uint16_t fine)
{
    if (creeping->mark == 0)
        creeping->mark = fine;
    uint16_t way = apart(fine, creeping->mark);
    if (!creeping->has_left) {
        if (way >= LEAVES)
            begin_line(creeping, fine, true);
        return;
    }
    if (fine > creeping->top)
        creeping->top = fine;
    if (fine < creeping->bottom)
        creeping->bottom = fine;
    creeping->has_risen |= fine - creeping->bottom >= TURN;
    creeping->has_fallen |= creeping->top - fine >= TURN;
    if (creeping->has_risen && creeping->has_fallen)
        creeping->is_by_hand = true;
    if (creeping->frames < MOST_FRAMES)
        creeping->frames++;
    uint16_t due = creeping->least * creeping->frames / PER_RATE;
    creeping->is_slow = due > way + leeway(creeping);
    if (creeping->frames >= STRETCH_FRAMES && way >= STRETCH_WAY)
        end_stretch(creeping, fine);
    else if (creeping->frames >= RESTS_FRAMES && way < LEAVES)
        begin_line(creeping, fine, false);
}

/* Whether it has not moved since it is followed: noise, and no more. */
static bool is_noise(const struct creeping *creeping)
{
    return !creeping->has_left && !creeping->has_risen && !creeping->has_fallen;
}

/* A ripple may meet each frame alike, but not each look. Returns where the square rests if it
 * need not be followed any more, and 0 otherwise. */
static uint16_t watch(struct creeping *creeping, uint8_t streak)
{
    bool is_otherwise = creeping->is_going_on, is_long = is_otherwise && streak == MOST_STREAK;
    creeping->is_seen = is_long;
    uint16_t fine = end_frame(creeping);
    creeping->is_going_on = false;
    if (fine == 0)
        return 0;
    uint8_t still = is_otherwise && !creeping->is_by_hand ? FINE * STEADY : STILL;
    if (apart(fine, creeping->anchor) > still || (is_otherwise && !is_long)) {
        creeping->anchor = fine;
        creeping->rested = 0;
    } else if (creeping->rested < UINT8_MAX) {
        creeping->rested++;
    }
    follow_line(creeping, fine);
    return !is_otherwise && (creeping->rested >= LEFT_FRAMES || is_noise(creeping)) ? fine : 0;
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

/* By how much a reading differs from what the square usually reads, in quarters of a count, if it is near. */
static int8_t off_usual(const struct creep *creep, uint8_t square, uint16_t fine)
{
    return (int8_t)(uint8_t)(fine - creep->usual[square]);
}

/* Notes what is read, and begins to follow a square that has left its rest. */
static void note(struct creep *creep, uint8_t square, uint16_t reading)
{
    uint16_t past = creep->past[square], before = PER_PAST * past, fine = FINE * reading;
    creep->past[square] = past_of(reading);
    if (past == 0) {
        creep->usual[square] = (uint8_t)fine;
        return;
    }
    bool has_jumped = apart(reading, before) > UNMOVED;
    int8_t off = off_usual(creep, square, fine);
    if (sees_colours() && (has_jumped || abs(off) >= STARTS) && !find(creep, square)) {
        struct creeping *creeping = follow(creep, square);
        if (creeping) {
            creeping->mark = has_jumped ? FINE * before : fine - (uint16_t)off;
            creeping->is_bent = has_jumped;
        }
    }
    if (has_jumped)
        return;
    creep->usual[square] += (uint8_t)((off + SLOWLY / 2) / SLOWLY);
}

void creep_note(struct creep *creep, const struct streaks *streaks, const struct sensor sensors[SQUARES],
                const uint16_t readings[READINGS], const uint8_t changing[SQUARE_SET])
{
    if (sees_colours())
        watch_weak(creep, sensors, readings);
    for (uint8_t i = creep->count; i-- > 0;) {
        struct creeping *creeping = creep->list + i;
        uint8_t square = creeping->square;
        uint16_t rest = watch(creeping, streaks_of(streaks, square));
        if (rest != 0) {
            if (!creep->is_lent)
                creep->usual[square] = (uint8_t)rest;
            drop(creep, creeping);
        }
    }
    forget_jumps(creep, streaks);
    if (creep->in_hand > 0)
        creep->in_hand--;
    if (creep->is_lent)
        return;
    uint8_t first = creep->part % PARTS * (SQUARES / PARTS);
    for (uint8_t square = first; square < first + SQUARES / PARTS; square++) {
        if (!squares_has(changing, square))
            note(creep, square, readings[square]);
    }
    creep->part++;
}

bool creep_is_dying(const struct creep *creep, uint8_t square)
{
    const struct creeping *creeping = find(creep, square);
    uint16_t least_way = creep->in_hand > 0 ? IN_HAND_WAY : LINE_WAY;
    return creeping && creeping->is_seen && !creeping->is_by_hand && !creeping->is_bent &&
           !creeping->is_slow && creeping->stretches >= LINE_STRETCHES &&
           creeping->top - creeping->bottom >= least_way;
}

uint16_t *creep_lend(struct creep *creep)
{
    creep_forget(creep);
    creep->is_lent = true;
    return creep->sums;
}

void creep_forget(struct creep *creep)
{
    memset(creep, 0, sizeof *creep);
}
