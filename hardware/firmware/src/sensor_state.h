/* State of a square: no piece, a piece that reads high or low, or a piece of unknown colour. */
#pragma once

enum sensor_state { NO_PIECE = 0, HIGH = 1, LOW = 2, UNKNOWN = 3 };
