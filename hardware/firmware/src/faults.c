#include "faults.h"

#include <string.h>


static void start_watch(struct faults *faults)
{
    faults->watched = 0;
    faults->next_drifted = 0;
    memset(faults->drifted, 0xFF, sizeof faults->drifted);
}

void faults_start(struct faults *faults)
{
    memset(faults, 0, sizeof *faults);
    memset(faults->coloured, 0xFF, sizeof faults->coloured);
    start_watch(faults);
}

static void watch_drift(struct faults *faults, const struct senses *senses,
                        const struct calibration *calibration, const uint16_t readings[READINGS])
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        const struct sensor *sensor = &calibration->sensors[square];
        uint16_t reading = readings[square];
        if (is_colourless(reading) || sense_settled(senses, square) != NOTHING ||
            !is_beyond_neighbours(sensor, deflection(sensor, reading)))
            squares_remove(faults->drifted, square);
    }
    faults->watched++;
}

static void find_bad(struct faults *faults, struct senses *senses)
{
    for (uint8_t i = 0; i < SQUARE_SET; i++) {
        faults->bad[i] = (uint8_t)~(senses->ever_coloured[i] | faults->coloured[i]);
        faults->coloured[i] = senses->ever_coloured[i];
        senses->ever_coloured[i] = 0;
    }
    for (uint8_t i = 0; i < senses->creep.count; i++) {
        uint8_t square = senses->creep.list[i].square;
        if (creep_is_dying(&senses->creep, square))
            squares_add(faults->bad, square);
    }
    for (uint8_t i = 0; i < SQUARE_SET; i++)
        faults->told[i] &= faults->bad[i];
}

void faults_look(struct faults *faults, struct senses *senses,
                 const struct calibration *calibration, const uint16_t readings[READINGS])
{
    find_bad(faults, senses);
    if (faults->round_frames < AGAIN_FRAMES)
        faults->round_frames++;
    if (faults->watched < FAULT_FRAMES)
        watch_drift(faults, senses, calibration, readings);
}

static bool next_bad(struct faults *faults, const struct senses *senses, enum fault_code *code,
                     uint8_t *square)
{
    for (uint8_t n = 0; n < SQUARES; n++) {
        if (squares_has(faults->bad, n) && !squares_has(faults->told, n)) {
            squares_add(faults->told, n);
            *code = creep_is_dying(&senses->creep, n) ? DYING : STUCK_CHANNEL;
            *square = n;
            return true;
        }
    }
    if (faults->round_frames == AGAIN_FRAMES) {
        faults->round_frames = 0;
        memset(faults->told, 0, sizeof faults->told);
    }
    return false;
}

static bool next_drifted(struct faults *faults, uint8_t *square)
{
    if (faults->watched < FAULT_FRAMES)
        return false;
    while (faults->next_drifted < SQUARES) {
        *square = faults->next_drifted++;
        if (squares_has(faults->drifted, *square))
            return true;
    }
    start_watch(faults);
    return false;
}

bool faults_next(struct faults *faults, const struct senses *senses, enum fault_code *code,
                 uint8_t *square)
{
    if (next_bad(faults, senses, code, square))
        return true;
    *code = DRIFT;
    return next_drifted(faults, square);
}
