#include "recognition.h"

#include "board.h"
#include "detection.h"
#include "geometry.h"

#define FIRST_SPARE 7
#define SPARE_INPUTS (2 * MOST_MULTIPLEXERS)

void recognition_add(struct recognition *recognition, uint8_t channel, uint16_t reading)
{
    if (reading >= FULL_SCALE - STUCK_WITHIN)
        recognition->at_top++;
    else if (reading > STUCK_WITHIN)
        recognition->between++;
    else if (channel % 8 == FIRST_SPARE)
        recognition->spare_grounded++;
}

bool recognition_find(const struct recognition *recognition, uint8_t *kind, uint8_t *geometry)
{
    bool has_switches = recognition->at_top >= LEAST_OPEN;
    *kind = has_switches ? PRESENCE : COLOURS;
    *geometry = !has_switches && recognition->spare_grounded == SPARE_INPUTS ? TILES : BY_HAND;
    return has_switches || recognition->between >= LEAST_SENSORS;
}
