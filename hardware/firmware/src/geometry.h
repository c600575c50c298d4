/* How the sensors hang on the multiplexers: by hand or on tiles, as hardware/wiring.toml and
 * hardware/pcb/wiring.toml have it. Both are in the program; the settings say which of them counts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Called by how many multiplexers it has. */
enum geometry { BY_HAND = 7, TILES = 8 };

struct wiring {
    uint8_t multiplexers;
    bool is_red_low;                /* sensors on tiles lie on their marked faces */
    uint8_t ground;                 /* an input of every multiplexer that is connected to ground */
    uint8_t input_count;              /* so many inputs read squares on any multiplexer */
    uint8_t inputs[CHANNELS];       /* those inputs in ascending order */
    uint8_t places[CHANNELS];       /* and for each of them its place among them */
    uint8_t input_time;                   /* from one of them to the next it takes this / 256 milliseconds */
    uint8_t channels[SQUARES];      /* 16 * multiplexer + input, of square 0 (a1) to 99 (k10) */
    uint8_t squares[MOST_CHANNELS]; /* the other way round; NO_READING where no square is */
};

/* The one in use. */
extern const __flash struct wiring *wiring;

/* From now on the sensors hang so. */
void geometry_use(enum geometry geometry);

static inline uint8_t channel_of(uint8_t square)
{
    return wiring->channels[square];
}
