#include "settings.h"

struct settings settings;

static uint8_t default_threshold(uint8_t kind)
{
    return kind == PRESENCE ? ON_PER_CENT_PRESENCE : ON_PER_CENT_COLOURS;
}

void settings_default(uint8_t kind, uint8_t geometry)
{
    settings = (struct settings){kind, geometry, default_threshold(kind), USUAL_BAND_GAP_MV};
    geometry_use(geometry);
}

/* Tiles always have Hall sensors. */
static enum configure_result validate(const struct settings *requested)
{
    if (requested->kind != COLOURS && requested->kind != PRESENCE)
        return NO_KIND;
    if (requested->geometry != BY_HAND && (requested->geometry != TILES || requested->kind == PRESENCE))
        return NO_GEOMETRY;
    if (requested->band_gap_mv < LEAST_BAND_GAP_MV || requested->band_gap_mv > MOST_BAND_GAP_MV)
        return NO_BAND_GAP;
    if (requested->on_per_cent < LEAST_ON_PER_CENT || requested->on_per_cent > MOST_ON_PER_CENT)
        return NO_SHARE;
    return ACCEPTED;
}

enum configure_result settings_complete(struct settings *requested)
{
    if (requested->on_per_cent == 0)
        requested->on_per_cent = requested->kind != 0 && requested->kind != settings.kind
                                     ? default_threshold(requested->kind)
                                     : settings.on_per_cent;
    if (requested->kind == 0)
        requested->kind = settings.kind;
    if (requested->geometry == 0)
        requested->geometry = settings.geometry;
    if (requested->band_gap_mv == 0)
        requested->band_gap_mv = settings.band_gap_mv;
    return validate(requested);
}
