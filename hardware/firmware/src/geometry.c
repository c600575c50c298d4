#include "geometry.h"

#include "wiring.h"

static const __flash struct wiring by_hand = {
    .multiplexers = BY_HAND,
    .is_red_low = false,
    .ground = HAND_GROUND,
    .looked_at = HAND_LOOKED_AT,
    .inputs = HAND_INPUTS,
    .places = HAND_PLACES,
    .pace = 33,
    .channels = HAND_CHANNELS,
    .squares = HAND_SQUARES,
};
static const __flash struct wiring tiles = {
    .multiplexers = TILES,
    .is_red_low = true,
    .ground = TILE_GROUND,
    .looked_at = TILE_LOOKED_AT,
    .inputs = TILE_INPUTS,
    .places = TILE_PLACES,
    .pace = 38,
    .channels = TILE_CHANNELS,
    .squares = TILE_SQUARES,
};

const __flash struct wiring *wiring = &by_hand;

void geometry_use(enum geometry geometry)
{
    wiring = geometry == TILES ? &tiles : &by_hand;
}
