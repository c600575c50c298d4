#include "settings.h"

struct settings settings;

static uint8_t usual_share(uint8_t kind)
{
    return kind == PRESENCE ? ON_PER_CENT_PRESENCE : ON_PER_CENT_COLOURS;
}

void settings_usual(uint8_t kind)
{
    settings = (struct settings){kind, BY_HAND, usual_share(kind), USUAL_BAND_GAP_MV};
}

/* Tiles come with sensors that tell colours. */
static enum configure_result judge(const struct settings *wanted)
{
    if (wanted->kind != COLOURS && wanted->kind != PRESENCE)
        return NO_KIND;
    if (wanted->geometry != BY_HAND && (wanted->geometry != TILES || wanted->kind == PRESENCE))
        return NO_GEOMETRY;
    if (wanted->band_gap_mv < LEAST_BAND_GAP_MV || wanted->band_gap_mv > MOST_BAND_GAP_MV)
        return NO_BAND_GAP;
    if (wanted->on_per_cent < LEAST_ON_PER_CENT || wanted->on_per_cent > MOST_ON_PER_CENT)
        return NO_SHARE;
    return CONFIGURED_SO;
}

enum configure_result settings_complete(struct settings *wish)
{
    if (wish->on_per_cent == 0)
        wish->on_per_cent = wish->kind != 0 && wish->kind != settings.kind ? usual_share(wish->kind)
                                                                           : settings.on_per_cent;
    if (wish->kind == 0)
        wish->kind = settings.kind;
    if (wish->geometry == 0)
        wish->geometry = settings.geometry;
    if (wish->band_gap_mv == 0)
        wish->band_gap_mv = settings.band_gap_mv;
    return judge(wish);
}
