#include "calibration.h"

void calibration_usual(struct calibration *calibration)
{
    for (uint8_t square = 0; square < SQUARES; square++)
        calibration->sensors[square] = (struct sensor){.rest = 0, .on = USUAL_ON};
}
