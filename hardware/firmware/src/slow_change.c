#include "slow_change.h"

#include <stdlib.h>
#include <string.h>

#define PARTS 2
#define PAST_DIVISOR 4
/* Largest change of a reading within 40 ms, in counts, that is neither a jump nor a spike. The
 * reading of a sensor that takes 1.6 s from one end of its range to the other changes by 26. */
#define MAX_STEP 30

/* Never 0, because 0 means unknown. */
static uint8_t to_past(uint16_t reading)
{
    reading = (reading + PAST_DIVISOR / 2) / PAST_DIVISOR;
    return reading == 0 ? 1 : reading > UINT8_MAX ? UINT8_MAX : (uint8_t)reading;
}

static struct watched_square *find(const struct slow_changes *slow, uint8_t square)
{
    for (uint8_t i = 0; i < slow->count; i++) {
        if (slow->list[i].square == square)
            return (struct watched_square *)slow->list + i;
    }
    return NULL;
}

static void drop(struct slow_changes *slow, struct watched_square *watched)
{
    *watched = slow->list[--slow->count];
}

/* Return the change, in counts, since the past reading was stored. */
static uint16_t change_of(const struct slow_changes *slow, uint8_t square, const struct sensor *sensor,
                          uint16_t reading)
{
    uint8_t past = slow->is_lent ? 0 : slow->past[square];
    int16_t change = past == 0 ? deflection(sensor, reading) : (int16_t)reading - PAST_DIVISOR * past;
    return (uint16_t)abs(change);
}

static bool is_far(uint16_t change, uint8_t threshold)
{
    return change >= FAR_COUNTS || 2 * change >= 5U * threshold;
}

static bool is_jump(uint16_t change, uint8_t threshold)
{
    return change >= JUMP_COUNTS || 8 * change >= 5U * threshold;
}

/* Start watching a square. If all entries are in use, replace one that does not differ and has not
 * left its resting level, or one that moves as if by a hand. Return NULL if no entry can be
 * replaced. */
static struct watched_square *start_watching(struct slow_changes *slow, uint8_t square)
{
    struct watched_square *slot = slow->list + slow->count;
    if (slow->count < MAX_WATCHED) {
        slow->count++;
    } else {
        do {
            if (slot-- == slow->list)
                return NULL;
        } while (slot->differs || (slot->has_left && !slot->has_turned && !slot->is_uneven));
    }
    *slot = (struct watched_square){.square = square, .lowest = UINT16_MAX};
    return slot;
}

/* Watch a square. Return true if it has rested for long enough. */
static bool has_come_to_rest(struct slow_changes *slow, uint8_t square, uint8_t rest_frames)
{
    struct watched_square *watched = find(slow, square);
    if (!watched)
        watched = start_watching(slow, square);
    if (!watched)
        return false;
    watched->differs = true;
    return watched->rest_frames >= (watched->has_turned ? HAND_REST_FRAMES : rest_frames);
}

enum acceptance slow_change_accept(struct slow_changes *slow, const struct debounce *debounce,
                                   uint8_t square, const struct sensor *sensor, uint16_t reading,
                                   bool is_arrival)
{
    uint16_t change = change_of(slow, square, sensor, reading);
    bool is_accepted;
    if (!sees_colours() || is_far(change, sensor->threshold))
        return ACCEPT_NOW;
    if (is_jump(change, sensor->threshold) ||
        (!is_arrival && debounce_passes(&slow->weak, square) <= FADE_FRAMES))
        squares_add(slow->jumped, square);
    if (squares_has(slow->jumped, square))
        is_accepted = debounce_passes(debounce, square) + 1 >= JUMP_PASSES;
    else
        is_accepted =
            has_come_to_rest(slow, square, is_arrival ? ARRIVAL_REST_FRAMES : REMOVAL_REST_FRAMES);
    return is_accepted ? ACCEPT_WATCHED : ACCEPT_LATER;
}

void slow_change_rebase(struct slow_changes *slow, uint8_t square, uint16_t reading, bool is_arrival)
{
    slow->held_piece_frames = is_arrival ? 0 : HELD_PIECE_FRAMES;
    if (!slow->is_lent) {
        slow->past[square] = to_past(reading);
        slow->baseline[square] = (uint8_t)(PER_COUNT * reading);
    }
}

void slow_change_add_pass(struct slow_changes *slow, const uint16_t readings[READINGS])
{
    for (uint8_t i = 0; i < slow->count; i++) {
        struct watched_square *watched = slow->list + i;
        uint16_t reading = readings[watched->square];
        watched->sum += reading;
        if (reading < watched->lowest)
            watched->lowest = reading;
        if (reading > watched->highest)
            watched->highest = reading;
        watched->passes++;
    }
}

/* Return the mean of the frame's passes in quarter counts, without the lowest and highest readings.
 * Return 0 if there were too few passes. */
static uint16_t end_frame(struct watched_square *watched)
{
    uint16_t mean = 0;
    if (watched->passes > 2) {
        uint16_t sum = watched->sum - watched->lowest - watched->highest;
        mean = PER_COUNT * sum / (watched->passes - 2);
    }
    watched->sum = watched->highest = watched->passes = 0;
    watched->lowest = UINT16_MAX;
    return mean;
}

static uint16_t distance(uint16_t one, uint16_t other)
{
    return one > other ? one - other : other - one;
}

/* Return the permitted deviation, in quarter counts, from a rate over the frames of this
 * segment. */
static uint16_t tolerance(const struct watched_square *watched)
{
    uint16_t travel = watched->min_rate * watched->segment_frames / RATE_SCALE;
    return TOLERANCE + travel / TOLERANCE_DIVISOR + TOLERANCE_PER_SEGMENT * watched->segments;
}

static void end_segment(struct watched_square *watched, uint16_t mean)
{
    uint16_t rate = RATE_SCALE * distance(mean, watched->segment_start) / watched->segment_frames;
    if (rate > MAX_RATE)
        rate = MAX_RATE;
    if (watched->segments == 0)
        watched->min_rate = watched->max_rate = rate;
    if (rate < watched->min_rate)
        watched->min_rate = rate;
    if (rate > watched->max_rate)
        watched->max_rate = rate;
    if ((watched->max_rate - watched->min_rate) * watched->segment_frames / RATE_SCALE >
        tolerance(watched))
        watched->is_uneven = true;
    watched->segment_start = mean;
    watched->segment_frames = 0;
    if (watched->segments < MAX_SEGMENTS)
        watched->segments++;
}

/* Start a line where the reading leaves its resting level. */
static void begin_line(struct watched_square *watched, uint16_t mean, bool has_left)
{
    watched->segment_start = watched->bottom = watched->top = mean;
    watched->segment_frames = watched->segments = 0;
    watched->has_left = has_left;
}

static void update_line(struct watched_square *watched, uint16_t mean)
{
    if (watched->segment_start == 0)
        watched->segment_start = mean;
    uint16_t travel = distance(mean, watched->segment_start);
    if (!watched->has_left) {
        if (travel >= LEAVE_DEVIATION)
            begin_line(watched, mean, true);
        return;
    }
    if (mean > watched->top)
        watched->top = mean;
    if (mean < watched->bottom)
        watched->bottom = mean;
    watched->has_risen |= mean - watched->bottom >= TURN_TRAVEL;
    watched->has_fallen |= watched->top - mean >= TURN_TRAVEL;
    if (watched->has_risen && watched->has_fallen)
        watched->has_turned = true;
    if (watched->segment_frames < MAX_SEGMENT_FRAMES)
        watched->segment_frames++;
    uint16_t expected = watched->min_rate * watched->segment_frames / RATE_SCALE;
    watched->is_behind = expected > travel + tolerance(watched);
    if (watched->segment_frames >= SEGMENT_FRAMES && travel >= SEGMENT_TRAVEL)
        end_segment(watched, mean);
    else if (watched->segment_frames >= STALL_FRAMES && travel < LEAVE_DEVIATION)
        begin_line(watched, mean, false);
}

/* Return true if only noise has been observed since the square has been watched. */
static bool is_noise(const struct watched_square *watched)
{
    return !watched->has_left && !watched->has_risen && !watched->has_fallen;
}

/* Update a watched square at the end of a frame. Ripple may be the same in each frame, but not in
 * each pass. Return the square's resting mean if it no longer needs to be watched, otherwise 0. */
static uint16_t update_watched(struct watched_square *watched, uint8_t count)
{
    bool differs = watched->differs, is_steady = differs && count == MAX_COUNT;
    watched->differs_steadily = is_steady;
    uint16_t mean = end_frame(watched);
    watched->differs = false;
    if (mean == 0)
        return 0;
    uint8_t limit = differs && !watched->has_turned ? PER_COUNT * STEADY_COUNTS : STILL_DEVIATION;
    if (distance(mean, watched->anchor) > limit || (differs && !is_steady)) {
        watched->anchor = mean;
        watched->rest_frames = 0;
    } else if (watched->rest_frames < UINT8_MAX) {
        watched->rest_frames++;
    }
    update_line(watched, mean);
    return !differs && (watched->rest_frames >= END_WATCH_FRAMES || is_noise(watched)) ? mean : 0;
}

/* A jump that no longer differs has reverted or was accepted. */
static void forget_jumps(struct slow_changes *slow, const struct debounce *debounce)
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        uint8_t counting = 0;
        for (uint8_t bit = 0; bit < COUNT_BITS; bit++)
            counting |= debounce->bits[bit][i];
        slow->jumped[i] &= counting;
    }
}

static void count_weak(struct slow_changes *slow, const struct sensor *sensor,
                       const uint16_t readings[READINGS])
{
    uint8_t weak[SQUARE_SET];
    for (uint8_t i = 0, square = 0; i < SQUARE_SET; i++) {
        weak[i] = 0;
        for (uint8_t bit = 1; bit != 0 && square < SQUARES;
             bit = (uint8_t)(bit << 1), square++, sensor++) {
            int16_t delta = deflection(sensor, readings[square]);
            if ((uint16_t)abs(delta) < 2U * sensor->threshold)
                weak[i] |= bit;
        }
    }
    debounce_count(&slow->weak, weak);
}

/* Return the deviation from the baseline in quarter counts. Only small deviations are valid. */
static int8_t off_baseline(const struct slow_changes *slow, uint8_t square, uint16_t mean)
{
    return (int8_t)(uint8_t)(mean - slow->baseline[square]);
}

/* Store a reading, and start watching a square that has left its resting level. */
static void note_reading(struct slow_changes *slow, uint8_t square, uint16_t reading)
{
    uint16_t past = slow->past[square], before = PAST_DIVISOR * past, mean = PER_COUNT * reading;
    slow->past[square] = to_past(reading);
    if (past == 0) {
        slow->baseline[square] = (uint8_t)mean;
        return;
    }
    bool has_jumped = distance(reading, before) > MAX_STEP;
    int8_t deviation = off_baseline(slow, square, mean);
    if (sees_colours() && (has_jumped || abs(deviation) >= START_DEVIATION) && !find(slow, square)) {
        struct watched_square *watched = start_watching(slow, square);
        if (watched) {
            watched->segment_start = has_jumped ? PER_COUNT * before : mean - (uint16_t)deviation;
            watched->is_uneven = has_jumped;
        }
    }
    if (has_jumped)
        return;
    slow->baseline[square] += (uint8_t)((deviation + BASELINE_DIVISOR / 2) / BASELINE_DIVISOR);
}

void slow_change_end_frame(struct slow_changes *slow, const struct debounce *debounce,
                           const struct sensor sensors[SQUARES], const uint16_t readings[READINGS],
                           const uint8_t changing[SQUARE_SET])
{
    if (sees_colours())
        count_weak(slow, sensors, readings);
    for (uint8_t i = slow->count; i-- > 0;) {
        struct watched_square *watched = slow->list + i;
        uint8_t square = watched->square;
        uint16_t rest = update_watched(watched, debounce_passes(debounce, square));
        if (rest != 0) {
            if (!slow->is_lent)
                slow->baseline[square] = (uint8_t)rest;
            drop(slow, watched);
        }
    }
    forget_jumps(slow, debounce);
    if (slow->held_piece_frames > 0)
        slow->held_piece_frames--;
    if (slow->is_lent)
        return;
    uint8_t first = slow->next_part % PARTS * (SQUARES / PARTS);
    for (uint8_t square = first; square < first + SQUARES / PARTS; square++) {
        if (!squares_has(changing, square))
            note_reading(slow, square, readings[square]);
    }
    slow->next_part++;
}

bool slow_change_is_dying(const struct slow_changes *slow, uint8_t square)
{
    const struct watched_square *watched = find(slow, square);
    uint16_t min_travel = slow->held_piece_frames > 0 ? DYING_TRAVEL_PIECE_HELD : DYING_TRAVEL;
    return watched && watched->differs_steadily && !watched->has_turned && !watched->is_uneven &&
           !watched->is_behind && watched->segments >= DYING_SEGMENTS &&
           watched->top - watched->bottom >= min_travel;
}

uint16_t *slow_change_lend(struct slow_changes *slow)
{
    slow_change_reset(slow);
    slow->is_lent = true;
    return slow->sums;
}

void slow_change_reset(struct slow_changes *slow)
{
    memset(slow, 0, sizeof *slow);
}
