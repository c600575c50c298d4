/* How much of a piece each sensor feels, far below the thresholds: by this the computer finds a piece that stands
 * between squares. */
#pragma once

#include <stdint.h>

#include "calibration.h"
#include "protocol.h"

/* What a sensor feels, positive of a red piece. What is more than a byte holds, a third of a piece, is as much as
 * it holds. */
int8_t field_reading(const struct sensor *sensor, uint16_t reading);
