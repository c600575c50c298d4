#include "geometry.h"

#include "wiring.h"

static const __flash struct wiring by_hand = {
    .multiplexers = BY_HAND,
    .is_red_low = false,
    .ground = HAND_GROUND,
    .input_count = HAND_INPUT_COUNT,
    .inputs = HAND_INPUTS,
    .places = HAND_PLACES,
    .input_time = 33,
    .channels = HAND_CHANNELS,
    .squares = HAND_SQUARES,
};
static const __flash struct wiring tiles = {
    .multiplexers = TILES,
    .is_red_low = true,
    .ground = TILE_GROUND,
    .input_count = TILE_INPUT_COUNT,
    .inputs = TILE_INPUTS,
    .places = TILE_PLACES,
    .input_time = 38,
    .channels = TILE_CHANNELS,
    .squares = TILE_SQUARES,
};

const __flash struct wiring *wiring = &by_hand;

void geometry_use(enum geometry geometry)
{
    wiring = geometry == TILES ? &tiles : &by_hand;
}
