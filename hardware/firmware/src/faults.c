#include "faults.h"

#include <string.h>

static void start_drift(struct faults *faults)
{
    faults->drift_frames = 0;
    faults->next_drifted = 0;
    memset(faults->drifted, 0xFF, sizeof faults->drifted);
}

void faults_start(struct faults *faults)
{
    memset(faults, 0, sizeof *faults);
    memset(faults->was_in_range, 0xFF, sizeof faults->was_in_range);
    start_drift(faults);
}

static void update_drift(struct faults *faults, const struct detection *detection,
                         const struct calibration *calibration, const uint16_t readings[READINGS])
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        const struct sensor *sensor = &calibration->sensors[square];
        uint16_t reading = readings[square];
        if (is_out_of_range(reading) || detection_state(detection, square) != NO_PIECE ||
            !exceeds_crosstalk(sensor, deflection(sensor, reading)))
            squares_remove(faults->drifted, square);
    }
    faults->drift_frames++;
}

static void find_bad(struct faults *faults, struct detection *detection)
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        faults->bad[i] = (uint8_t)~(detection->ever_in_range[i] | faults->was_in_range[i]);
        faults->was_in_range[i] = detection->ever_in_range[i];
        detection->ever_in_range[i] = 0;
    }
    for (uint8_t i = 0; i < detection->slow.count; i++) {
        uint8_t square = detection->slow.list[i].square;
        if (slow_change_is_dying(&detection->slow, square))
            squares_add(faults->bad, square);
    }
    for (uint8_t i = 0; i < SQUARE_SET; i++)
        faults->reported[i] &= faults->bad[i];
}

void faults_update(struct faults *faults, struct detection *detection,
                   const struct calibration *calibration, const uint16_t readings[READINGS])
{
    find_bad(faults, detection);
    if (faults->round_frames < REPEAT_FRAMES)
        faults->round_frames++;
    if (detection->sag != 0)
        start_drift(faults);
    else if (faults->drift_frames < FAULT_FRAMES)
        update_drift(faults, detection, calibration, readings);
}

static bool next_bad(struct faults *faults, const struct detection *detection, enum fault_code *code,
                     uint8_t *square)
{
    for (uint8_t n = 0; n < SQUARES; n++) {
        if (squares_has(faults->bad, n) && !squares_has(faults->reported, n)) {
            squares_add(faults->reported, n);
            *code = slow_change_is_dying(&detection->slow, n) ? DYING : STUCK_CHANNEL;
            *square = n;
            return true;
        }
    }
    if (faults->round_frames == REPEAT_FRAMES) {
        faults->round_frames = 0;
        memset(faults->reported, 0, sizeof faults->reported);
    }
    return false;
}

static bool next_drifted(struct faults *faults, uint8_t *square)
{
    if (faults->drift_frames < FAULT_FRAMES)
        return false;
    while (faults->next_drifted < SQUARES) {
        *square = faults->next_drifted++;
        if (squares_has(faults->drifted, *square))
            return true;
    }
    start_drift(faults);
    return false;
}

bool faults_next(struct faults *faults, const struct detection *detection, enum fault_code *code,
                 uint8_t *square)
{
    if (next_bad(faults, detection, code, square))
        return true;
    *code = DRIFT;
    return next_drifted(faults, square);
}
