#include "calibration.h"

void calibration_usual(struct calibration *calibration)
{
    uint8_t on = sees_colours() ? USUAL_ON_COLOURS : USUAL_ON_PRESENCE;
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration->sensors[square] = (struct sensor){.rest = 0, .on = on};
}
