/* Connections between sensors and multiplexers, wired by hand (hardware/wiring.toml) or on tiles
 * (hardware/pcb/wiring.toml). The firmware contains both wirings; the settings select one of
 * them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* The value is the number of multiplexers. */
enum geometry { BY_HAND = 7, TILES = 8 };

struct wiring {
    uint8_t multiplexers;
    bool is_red_low;                /* sensors on tiles lie on their marked faces */
    uint8_t ground;                 /* input that is grounded on every multiplexer */
    uint8_t input_count;            /* number of inputs with a square on any multiplexer */
    uint8_t inputs[CHANNELS];       /* inputs with a square, in ascending order */
    uint8_t places[CHANNELS];       /* index of each input in `inputs` */
    uint8_t input_time;             /* time from one input of a pass to the next, in 1/256 ms */
    uint8_t channels[SQUARES];      /* channel of square 0 (a1) to 99 (k10): 16 * multiplexer +
                                     * input */
    uint8_t squares[MOST_CHANNELS]; /* inverse table; NO_READING for inputs without a square */
};

/* Wiring in use. */
extern const __flash struct wiring *wiring;

/* Select the wiring to use. */
void geometry_use(enum geometry geometry);

static inline uint8_t channel_of(uint8_t square)
{
    return wiring->channels[square];
}
