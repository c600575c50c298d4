#include "faults.h"

#include <string.h>

#include "channels.h"

void faults_start(struct faults *faults)
{
    faults->frames = 0;
    faults->told = 0;
    memset(faults->stuck, 0xFF, sizeof faults->stuck);
    memset(faults->drifted, 0xFF, sizeof faults->drifted);
}

static bool is_stuck(uint16_t reading)
{
    return BOARD_KIND == COLOURS &&
           (reading <= STUCK_WITHIN || reading >= FULL_SCALE - STUCK_WITHIN);
}

static void watch(struct faults *faults, const struct senses *senses,
                  const struct calibration *calibration, const uint16_t readings[INPUTS])
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        const struct sensor *sensor = &calibration->sensors[square];
        uint16_t reading = readings[channel_of(square)];
        if (!is_stuck(reading))
            squares_remove(faults->stuck, square);
        if (sense_settled(senses, square) != NOTHING ||
            !is_beyond_neighbours(sensor, deflection(sensor, reading)))
            squares_remove(faults->drifted, square);
    }
}

bool faults_look(struct faults *faults, const struct senses *senses,
                 const struct calibration *calibration, const uint16_t readings[INPUTS],
                 enum fault_code *code, uint8_t *square)
{
    if (faults->frames < FAULT_FRAMES) {
        watch(faults, senses, calibration, readings);
        faults->frames++;
        return false;
    }
    while (faults->told < SQUARES) {
        *square = faults->told++;
        if (squares_has(faults->stuck, *square)) {
            *code = STUCK_CHANNEL;
            return true;
        }
        if (squares_has(faults->drifted, *square)) {
            *code = DRIFT;
            return true;
        }
    }
    faults_start(faults);
    return false;
}
