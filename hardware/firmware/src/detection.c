#include "detection.h"

#include <stdlib.h>
#include <string.h>

#include "crosstalk.h"
#include "geometry.h"
#include "scan.h"

static inline uint8_t colour(int16_t delta)
{
    if (!sees_colours())
        return UNKNOWN;
    return delta > 0 ? HIGH : LOW;
}

/* Hysteresis: between the release threshold (14 %) and the detection threshold (17 %), a piece
 * keeps its state. From the release threshold to 21 %, the piece is faint. */
static inline uint8_t classify(uint8_t before, int16_t delta, uint8_t threshold, bool *faint)
{
    uint16_t strength = delta < 0 ? (uint16_t)-delta : (uint16_t)delta;
    *faint = false;
    if (strength < release_threshold(threshold))
        return NO_PIECE;
    *faint = strength < (uint16_t)(threshold + threshold / 4);
    if (strength >= threshold || colour(delta) == before)
        return colour(delta);
    return NO_PIECE;
}

/* Set both bits of every square in which two bytes of packed states agree. */
static inline uint8_t agreement(uint8_t one, uint8_t other)
{
    uint8_t differ = one ^ other;
    differ = (differ | differ >> 1) & 0x55;
    return (uint8_t)~(differ | differ << 1);
}

/* Set both bits of every square that changes from one colour to the other. */
static inline uint8_t colour_swaps(uint8_t before, uint8_t now)
{
    uint8_t both = before ^ now;
    both &= both >> 1 & 0x55;
    return sees_colours() ? (uint8_t)(both | both << 1) : 0;
}

static uint16_t read_time(const struct pass *pass, uint8_t square)
{
    return pass->start + scan_offset(channel_of(square), pass->backwards);
}

/* Record the changes of up to four squares, and return the number of changed squares. The first
 * pass of the current count read the new state, and the pass before that read the old state. */
static uint8_t record_changes(struct detection *detection, uint8_t first, uint8_t differ)
{
    uint8_t recorded = 0;
    for (uint8_t square = first; differ != 0; square++, differ >>= 2) {
        if ((differ & 3) == 0)
            continue;
        uint8_t count = debounce_passes(&detection->debounce, square);
        const struct pass *last_old = detection->passes + count;
        if (count == 0 || count == MAX_COUNT)
            changes_drop(&detection->changes, square);
        else
            changes_record(&detection->changes, square, read_time(last_old, square),
                           read_time(last_old - 1, square));
        recorded++;
    }
    return recorded;
}

/* Of four squares, set both bits of those that differed in the two previous passes. */
static uint8_t differed_twice(const struct detection *detection, uint8_t first)
{
    uint8_t twice = 0;
    for (uint8_t n = 0; n < 4; n++) {
        if (debounce_passes(&detection->debounce, first + n) >= 2)
            twice |= (uint8_t)(3 << 2 * n);
    }
    return twice;
}

/* Convert the packed states of four squares to a set of the squares with any bit set. */
static uint8_t squares_of(uint8_t differ)
{
    differ = (differ | differ >> 1) & 0x55;
    differ = (differ | differ >> 1) & 0x33;
    return (differ | differ >> 2) & 0x0F;
}

/* Result of one pass. */
struct pass_result {
    uint8_t now[PACKED_STATE];
    uint8_t faint[SQUARE_SET];
    uint8_t out_of_range[SQUARE_SET];
    uint8_t differing[SQUARE_SET]; /* squares that differ from the debounced state, accepted or not
                                    * */
    uint8_t rising[SQUARE_SET];    /* differing squares that read higher, not lower */
    uint8_t sudden;                /* changes accepted immediately, and squares that just left the
                                    * range */
    uint8_t large_rereads;         /* number of second readings after large changes */
    uint8_t small_rereads;         /* number of second readings after small changes */
    uint8_t crosstalk_checks;      /* number of squares checked with crosstalk */
    uint8_t wire_checks;           /* number of squares whose wires were checked */
};

static bool is_burst(const struct pass_result *result, const struct detection *detection)
{
    return result->sudden > MAX_SUDDEN && detection->skipped < MAX_SKIPPED;
}

/* If time permits, read a square that differs from its debounced state a second time. Without a
 * second reading, a large change is accepted, but a small change has to wait. Return the new state,
 * or the old state if the change has not been accepted. */
static uint8_t confirm(struct pass_result *result, struct detection *detection, uint8_t square,
                       uint8_t before, uint8_t state, const struct sensor *sensor, uint16_t reading,
                       int16_t crosstalk)
{
    enum acceptance acceptance = slow_change_accept(&detection->slow, &detection->debounce, square,
                                                    sensor, reading, state != NO_PIECE);
    if (acceptance == ACCEPT_NOW ? result->large_rereads++ < MAX_SUDDEN
                                 : result->small_rereads++ < MAX_SMALL) {
        reading = scan_channel(channel_of(square));
        bool is_faint;
        if (is_out_of_range(reading) ||
            classify(before, deflection(sensor, reading) + crosstalk, sensor->threshold,
                     &is_faint) != state)
            return before;
        uint8_t channel = channel_of(square);
        if (result->wire_checks++ < MAX_WIRE_CHECKS &&
            scan_is_open(channel, scan_neighbour(channel), reading)) {
            detection->suspect = square;
            return before;
        }
    } else if (acceptance == ACCEPT_WATCHED) {
        acceptance = ACCEPT_LATER;
    }
    squares_add(result->differing, square);
    if (state == HIGH || before == LOW)
        squares_add(result->rising, square);
    if (acceptance == ACCEPT_NOW) /* a watched change is not a burst */
        result->sudden++;
    return acceptance == ACCEPT_LATER ? before : state;
}

/* Return true if crosstalk can decide the state of a square. */
static inline bool depends_on_neighbours(int16_t delta, uint8_t threshold)
{
    uint16_t strength = (uint16_t)abs(delta);
    return strength >= threshold / 2 && strength < threshold + threshold / 2;
}

/* Evaluate a square that may have changed, taking crosstalk from its neighbours into account. */
static __attribute__((noinline)) void
evaluate_change(struct pass_result *result, struct detection *detection, uint8_t square,
                const struct sensor *sensor, uint16_t reading)
{
    if (is_burst(result, detection))
        return;
    uint8_t was = detection_state(detection, square);
    bool is_faint;
    int16_t delta = deflection(sensor, reading), crosstalk = 0;
    if (depends_on_neighbours(delta, sensor->threshold) &&
        result->crosstalk_checks < MAX_CROSSTALK_CHECKS) {
        result->crosstalk_checks++;
        crosstalk = crosstalk_at(detection->debounced, square, sensor->threshold);
    }
    uint8_t state = classify(was, delta + crosstalk, sensor->threshold, &is_faint);
    uint8_t confirmed = was;
    if (state != was)
        confirmed = confirm(result, detection, square, was, state, sensor, reading, crosstalk);
    result->now[square / 4] ^= (uint8_t)((confirmed ^ was) << 2 * (square % 4));
    if (is_faint || confirmed != state)
        squares_add(result->faint, square);
}

/* Return true if a square keeps its state regardless of the pieces beside it. */
static inline bool keeps_state(uint8_t was, int16_t delta, uint8_t threshold, bool *is_faint)
{
    if (was == NO_PIECE || was == UNKNOWN) {
        if (delta < 0)
            delta = -delta;
    } else if (was == LOW) {
        delta = -delta;
    }
    *is_faint = was != NO_PIECE && delta < threshold + threshold / 4;
    return was == NO_PIECE ? delta < empty_threshold(threshold) : delta >= threshold;
}

/* Time-critical, because this function runs between a magnet's arrival and the frame. Everything
 * that depends on the kind of sensors is therefore computed before the loop. */
static void evaluate_squares(struct pass_result *result, struct detection *detection,
                             const struct sensor *sensor, const uint16_t readings[READINGS])
{
    uint8_t square = 0, byte = 0, bit = 1;
    const int16_t rest = resting();
    const uint16_t lowest = sees_colours() ? STUCK_WITHIN + 1 : 0;
    const uint16_t span = FULL_SCALE - 2 * lowest;
    memset(result, 0, sizeof *result);
    memcpy(result->now, detection->debounced, sizeof result->now);
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = detection->debounced[i];
        for (uint8_t n = 0; n < 4; n++, square++, sensor++, before >>= 2) {
            uint16_t reading = *readings++;
            bool is_faint = true;
            if ((uint16_t)(reading - lowest) > span) { /* like is_out_of_range() */
                result->out_of_range[byte] |= bit;
                if (!(detection->out_of_range[byte] & bit))
                    result->sudden++;
            } else if (!keeps_state(before & 3, (int16_t)reading - rest - sensor->rest,
                                    sensor->threshold, &is_faint)) {
                is_faint = false;
                evaluate_change(result, detection, square, sensor, reading);
            }
            if (is_faint)
                result->faint[byte] |= bit;
            bit = (uint8_t)(bit << 1);
            if (bit == 0) {
                bit = 1;
                byte++;
            }
        }
    }
}

static void rebase(struct detection *detection, uint8_t first, uint8_t differ, uint8_t debounced,
                   const uint16_t readings[READINGS])
{
    for (uint8_t square = first; differ != 0; square++, differ >>= 2, debounced >>= 2) {
        if (differ & 3)
            slow_change_rebase(&detection->slow, square, readings[square], (debounced & 3) != NO_PIECE);
    }
}

static void apply_debounce(struct detection *detection, struct pass_result *result,
                           const uint16_t readings[READINGS])
{
    uint8_t changes = 0;
    for (uint8_t i = 0; i < PACKED_STATE; i++) {
        uint8_t before = detection->debounced[i], now = result->now[i];
        if (now == before && now == detection->latest[i])
            continue;
        uint8_t swaps = colour_swaps(before, now);
        uint8_t agreed = agreement(now, detection->latest[i]);
        if (swaps & agreed)
            agreed &= (uint8_t)~swaps | differed_twice(detection, 4 * i);
        uint8_t debounced = (before & (uint8_t)~agreed) | (now & agreed);
        if (debounced != before) {
            result->differing[i / 2] &= (uint8_t)~(squares_of(debounced ^ before) << 4 * (i % 2));
            rebase(detection, 4 * i, debounced ^ before, debounced, readings);
            if (changes <= MOST_CHANGES)
                changes += record_changes(detection, 4 * i, debounced ^ before);
        }
        if (debounced != now)
            result->faint[i / 2] |= (uint8_t)(squares_of(debounced ^ now) << 4 * (i % 2));
        detection->debounced[i] = debounced;
        detection->latest[i] = now;
    }
    if (changes > MOST_CHANGES)
        detection->changes.count = 0;
}

void detection_start(struct detection *detection)
{
    memset(detection, 0, sizeof *detection);
    detection->skipped = JUST_STARTED;
}

/* Return the number of counts by which a low supply lowers the resting levels, or 0 if the supply
 * is not low or has no effect. There is little time, but the search usually ends after a few
 * squares. */
static uint16_t supply_sag(const struct pass_result *result, const struct detection *detection,
                           const struct sensor *sensors, const uint16_t readings[READINGS])
{
    bool has_change = result->large_rereads > 0 || result->small_rereads > 0;
    if (!has_change || detection->skipped == JUST_STARTED || !sees_colours())
        return 0;
    uint8_t low = 0, others = 0;
    uint16_t sum = 0;
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (result->out_of_range[square / 8] == 0xFF) {
            square |= 7; /* skip a dead tile or board quickly */
            continue;
        }
        if (detection_state(detection, square) != NO_PIECE || squares_has(result->out_of_range, square))
            continue;
        const struct sensor *sensor = sensors + square;
        int16_t below = -deflection(sensor, readings[square]);
        if (below < sensor->threshold / 4 || below > MOST_SAG) {
            if (++others > MOST_OTHERS)
                return 0;
        } else if (below >= sensor->threshold - sensor->threshold / 8) {
            low++;
            sum += (uint16_t)below;
        }
    }
    return low > MAX_SUDDEN && others <= low / 8 ? sum / low : 0;
}

void detection_add_pass(struct detection *detection, const struct calibration *calibration,
                        const uint16_t readings[READINGS], uint16_t start, bool backwards)
{
    struct pass_result result;
    evaluate_squares(&result, detection, calibration->sensors, readings);
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        detection->ever_in_range[i] |= (uint8_t)~result.out_of_range[i];
        detection->out_of_range[i] = result.out_of_range[i];
    }
    detection->backwards = !backwards;
    detection->sag = supply_sag(&result, detection, calibration->sensors, readings);
    if (detection->sag != 0) {
        detection->skipped = 1;
        return;
    }
    if (is_burst(&result, detection)) {
        detection->skipped++;
        return;
    }
    if (result.sudden <= MAX_SUDDEN)
        detection->skipped = 0;
    slow_change_add_pass(&detection->slow, readings);
    apply_debounce(detection, &result, readings);
    memcpy(detection->faint, result.faint, sizeof result.faint);
    debounce_restart(&detection->debounce, result.differing, detection->rising, result.rising);
    debounce_count(&detection->debounce, result.differing);
    memmove(detection->passes + 1, detection->passes, (PASSES_KEPT - 1) * sizeof *detection->passes);
    detection->passes[0] = (struct pass){start, backwards};
}

/* Do not update the past readings while passes are skipped, because the disturbance may
 * continue. */
void detection_end_frame(struct detection *detection, const struct calibration *calibration,
                         const uint16_t readings[READINGS])
{
    if (detection->skipped > 0)
        return;
    uint8_t changing[SQUARE_SET];
    memset(changing, 0, sizeof changing);
    for (uint8_t i = 0; i < PACKED_STATE; i++)
        changing[i / 2] |=
            (uint8_t)(squares_of(detection->debounced[i] ^ detection->latest[i]) << 4 * (i % 2));
    slow_change_end_frame(&detection->slow, &detection->debounce, calibration->sensors, readings,
                          changing);
}

enum sensor_state detection_state(const struct detection *detection, uint8_t square)
{
    return detection->debounced[square / 4] >> 2 * (square % 4) & 3;
}
