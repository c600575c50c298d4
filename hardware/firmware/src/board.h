/* What this board is: its size, its kind, its version. */
#pragma once

/* Names and values as in firmware_bridge/wire; a test compares them. */
#define MULTIPLEXERS 7
#define CHANNELS 16
#define FULL_SCALE 1023

#define SQUARES 100
#define INPUTS (MULTIPLEXERS * CHANNELS)

#define FIRMWARE_MAJOR 3
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0

enum board_kind { COLOURS = 1, PRESENCE = 2 };

/* "make KIND=PRESENCE" builds for switches that pull their channel to ground when a piece stands. */
#ifndef BOARD_KIND
#define BOARD_KIND COLOURS
#endif

/* What a sensor reads without a magnet, before anything is learned: a linear Hall sensor half of its
 * supply, an open switch all of it. */
#define RESTING (BOARD_KIND == PRESENCE ? FULL_SCALE : 512)
