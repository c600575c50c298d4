#include "learn.h"

#include <stdlib.h>
#include <string.h>

#include "geometry.h"

/* Red stands on the first forty squares, Blue on the last. */
#define ARMY 40
#define BLUE_FROM (SQUARES - ARMY)

enum learn_result learn_begin(struct learning *learning, enum learn_step step)
{
    if (learning->under_way != ABORT)
        return OUT_OF_ORDER;
    if (step == ABORT || step == FORGET) {
        learning->learned = ABORT;
        return DONE;
    }
    if (step != EMPTY && learning->learned < step - 1)
        return OUT_OF_ORDER;
    learning->under_way = step;
    learning->looks = 0;
    memset(learning->occupied, 0, sizeof learning->occupied);
    return DONE;
}

/* A square is believed occupied if the calibration in use says so, or if its sensor is further from
 * the middle than a resting one can be: an old calibration may be wrong, and there may be none. A
 * single look is enough, or a piece in passing would be averaged into the rest. */
bool learn_look(struct learning *learning, struct senses *senses,
                const uint16_t readings[READINGS])
{
    if (learning->under_way != EMPTY && learning->under_way != ARMIES)
        return false;
    if (learning->looks == 0)
        learning->sums = creep_lend(&senses->creep);
    for (uint8_t square = 0; square < SQUARES; square++) {
        uint16_t reading = readings[square];
        learning->sums[square] += reading;
        if (sense_settled(senses, square) != NOTHING ||
            abs((int16_t)reading - resting()) > REST_LIMIT)
            squares_add(learning->occupied, square);
    }
    return ++learning->looks == LEARN_LOOKS;
}

static int16_t mean(const struct learning *learning, uint8_t square)
{
    return (int16_t)((learning->sums[square] + LEARN_LOOKS / 2) / LEARN_LOOKS);
}

static void conclude_empty(struct learning *learning, struct learned *learned)
{
    if (squares_any(learning->occupied)) {
        learned_add(learned, OCCUPIED, learning->occupied);
        return;
    }
    for (uint8_t square = 0; square < SQUARES; square++)
        learning->copy.sensors[square].rest = (int8_t)(mean(learning, square) - resting());
    learning->learned = EMPTY;
    learned_add(learned, DONE, learning->occupied); /* no squares */
}

static bool in_armies(uint8_t square)
{
    return square < ARMY || square >= BLUE_FROM;
}

static int16_t deflected(const struct learning *learning, uint8_t square)
{
    return deflection(&learning->copy.sensors[square], (uint16_t)mean(learning, square));
}

/* In counts. */
static uint16_t strength(const struct learning *learning, uint8_t square)
{
    return (uint16_t)abs(deflected(learning, square));
}

/* Of a Hall sensor's half of the scale that fits a byte; of a switch's whole one it need not. */
static uint8_t on_from(uint16_t strength)
{
    uint16_t on = (uint16_t)((uint32_t)strength * settings.on_per_cent / 100);
    return on < UINT8_MAX ? (uint8_t)on : UINT8_MAX;
}

/* The smallest strength that at least half of the pieces do not exceed. Halving the scale ten times
 * needs no room for sorting. */
static uint16_t median_strength(const struct learning *learning)
{
    uint16_t low = 0, high = FULL_SCALE;
    while (low < high) {
        uint16_t middle = low + (high - low) / 2;
        uint8_t reached = 0;
        for (uint8_t square = 0; square < SQUARES; square++)
            reached += in_armies(square) && strength(learning, square) <= middle;
        if (reached >= ARMY)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool is_flipped(const struct learning *learning, uint8_t square)
{
    bool is_high = deflected(learning, square) > 0, is_red = square < ARMY;
    return sees_colours() && is_high != (is_red != wiring->is_red_low);
}

static enum learn_result judge(const struct learning *learning, uint8_t square, uint16_t median)
{
    uint16_t felt = strength(learning, square);
    if (felt < FAINTEST || felt < median / 8)
        return MISSING;
    if (felt < WEAKEST || felt < median / 2)
        return WEAK;
    return is_flipped(learning, square) ? FLIPPED : DONE;
}

static void conclude_armies(struct learning *learning, struct learned *learned)
{
    uint8_t judged[LEARN_RESULTS][SQUARE_SET] = {0};
    uint16_t median = median_strength(learning);
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (in_armies(square))
            squares_add(judged[judge(learning, square, median)], square);
    }
    for (uint8_t result = DONE + 1; result < LEARN_RESULTS; result++) {
        if (squares_any(judged[result]))
            learned_add(learned, result, judged[result]);
    }
    if (learned->count > 0)
        return;
    for (uint8_t square = 0; square < SQUARES; square++)
        learning->copy.sensors[square].on =
            on_from(in_armies(square) ? strength(learning, square) : median);
    learning->learned = ARMIES;
    learned_add(learned, DONE, judged[WEAK]); /* no squares */
}

void learn_conclude(struct learning *learning, struct learned *learned)
{
    learned->step = learning->under_way;
    learned->count = 0;
    if (learning->under_way == EMPTY)
        conclude_empty(learning, learned);
    else
        conclude_armies(learning, learned);
    learning->under_way = ABORT;
}

void learn_saved(struct learning *learning)
{
    learning->under_way = ABORT;
    learning->learned = ABORT;
}
