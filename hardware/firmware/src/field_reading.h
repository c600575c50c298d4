/* Field readings far below the thresholds, with which the computer locates a piece between
 * squares. */
#pragma once

#include <stdint.h>

#include "calibration.h"
#include "protocol.h"

/* Return the field at a sensor in 1/FELT_PIECE of a piece, positive for a red piece. Values are
 * limited to +-127, a third of a piece. Return NOT_FELT for a reading at an end of the range. */
int8_t field_reading(const struct sensor *sensor, uint16_t reading);
