#include "calibration.h"

void calibration_default(struct calibration *calibration)
{
    uint8_t threshold = sees_colours() ? USUAL_ON_COLOURS : USUAL_ON_PRESENCE;
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration->sensors[square] = (struct sensor){.rest = 0, .threshold = threshold};
}
