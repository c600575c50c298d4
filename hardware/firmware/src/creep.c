#include "creep.h"

#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "squares.h"

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

static bool has_jumped(const struct creep *creep, uint8_t square, uint16_t reading)
{
    uint8_t past = creep->past[square];
    return past == 0 || abs((int16_t)reading - PER_PAST * past) >= JUMP;
}

bool creep_permits(struct creep *creep, uint8_t square, uint16_t reading, uint8_t rest_frames)
{
    struct creeping *creeping = find(creep, square);
    bool permits = has_jumped(creep, square, reading) || (creeping && creeping->rested >= rest_frames);
    if (creeping)
        creeping->is_going_on = true;
    else if (!permits && creep->count < MOST_CREEPING)
        creep->list[creep->count++] = (struct creeping){square, 0, 0, reading, true};
    return permits;
}

static void watch(struct creeping *creeping, uint16_t reading)
{
    creeping->is_going_on = false;
    if (creeping->frames < UINT8_MAX)
        creeping->frames++;
    if (abs((int16_t)reading - (int16_t)creeping->anchor) > STEADY) {
        creeping->anchor = reading;
        creeping->rested = 0;
    } else if (creeping->rested < UINT8_MAX) {
        creeping->rested++;
    }
}

void creep_note(struct creep *creep, const uint16_t readings[INPUTS], const uint8_t changing[])
{
    for (uint8_t i = creep->count; i-- > 0;) {
        struct creeping *creeping = creep->list + i;
        if (creeping->is_going_on)
            watch(creeping, readings[channel_of(creeping->square)]);
        else
            drop(creep, creeping);
    }
    uint8_t first = creep->part * (SQUARES / PARTS);
    for (uint8_t square = first; square < first + SQUARES / PARTS; square++) {
        if (!squares_has(changing, square))
            creep->past[square] = past_of(readings[channel_of(square)]);
    }
    creep->part = (creep->part + 1) % PARTS;
}

bool creep_is_dying(const struct creep *creep, uint8_t square)
{
    const struct creeping *creeping = find(creep, square);
    return creeping && creeping->frames >= DYING_FRAMES;
}

void creep_forget(struct creep *creep)
{
    memset(creep, 0, sizeof *creep);
}
