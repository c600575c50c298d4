/* Dimensions of the board and version of its firmware. */
#pragma once

/* Names and values are the same as in firmware_bridge/wire; tests/hardware/test_firmware_build.py
 * compares them. */
#define MOST_MULTIPLEXERS 8
#define CHANNELS 16
#define FULL_SCALE 1023

#define SQUARES 100
#define WIDTH 10
#define MOST_CHANNELS (MOST_MULTIPLEXERS * CHANNELS)
/* Readings are indexed by square. The reading of an input without a square goes to the unused last
 * entry. */
#define NO_READING SQUARES
#define READINGS (SQUARES + 1)

#define FIRMWARE_MAJOR 5
#define FIRMWARE_MINOR 4
#define FIRMWARE_PATCH 0

enum board_kind { COLOURS = 1, PRESENCE = 2 };

#define RESTING_COLOURS 512
#define RESTING_PRESENCE FULL_SCALE
