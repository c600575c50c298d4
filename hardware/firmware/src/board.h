/* What every board has in common: its size, and the version of its firmware. */
#pragma once

/* Names and values as in firmware_bridge/wire; a test compares them. */
#define MOST_MULTIPLEXERS 8
#define CHANNELS 16
#define FULL_SCALE 1023

#define SQUARES 100
#define WIDTH 10
#define MOST_CHANNELS (MOST_MULTIPLEXERS * CHANNELS)
/* Readings are kept by square. What an input reads that has none goes behind them, and counts for nothing. */
#define NO_READING SQUARES
#define READINGS (SQUARES + 1)

#define FIRMWARE_MAJOR 5
#define FIRMWARE_MINOR 2
#define FIRMWARE_PATCH 0

enum board_kind { COLOURS = 1, PRESENCE = 2 };

#define RESTING_COLOURS 512
#define RESTING_PRESENCE FULL_SCALE
