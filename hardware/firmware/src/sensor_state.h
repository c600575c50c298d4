/* What is felt on a square: a piece that reads high or low, or one of which nobody knows. */
#pragma once

enum sensor_state { NO_PIECE = 0, HIGH = 1, LOW = 2, UNKNOWN = 3 };
