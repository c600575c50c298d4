/* What the board cannot know by itself: what it was built of. Its maker says so once, with the calibration, and it is
 * kept beside that (store.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "geometry.h"

struct settings {
    uint8_t kind;
    uint8_t geometry;
    uint8_t on_per_cent;   /* from this share of what a piece was learned to give on its square it counts as there */
    uint16_t band_gap_mv;  /* the chip's own reference, by which it tells the supply */
};

/* Those in use. */
extern struct settings settings;

/* The share is as low as neighbours allow, so that a piece is seen that does not stand on the middle:
 * hardware/magnetics has found it together with magnet and gap. A switch goes all the way, and noise may go far. */
#define ON_PER_CENT_COLOURS 17
#define ON_PER_CENT_PRESENCE 40
/* Below the least a square would not be let go of beside pieces, which take away 8 %; above the most a piece is seen
 * in the middle alone. */
#define LEAST_ON_PER_CENT 13
#define MOST_ON_PER_CENT 60
#define USUAL_BAND_GAP_MV 1100
/* A chip has 1000 to 1200 (data sheet), and a poor meter may be off by as much again. */
#define LEAST_BAND_GAP_MV 950
#define MOST_BAND_GAP_MV 1250

/* What came of a change of them: the first of them that makes no sense. */
enum configure_result {
    CONFIGURED_SO = 0,
    NO_KIND = 1,
    NO_GEOMETRY = 2,
    NO_BAND_GAP = 3,
    NO_SHARE = 4,
    NOT_NOW = 5,
};

/* From now on those of a board of this kind that nobody has said anything about: it is wired by hand. */
void settings_default(uint8_t kind);

/* Completes what is wished for: 0 leaves what is in use as it is; another kind brings its usual share. Says whether
 * all of it makes sense. */
enum configure_result settings_complete(struct settings *requested);

static inline bool sees_colours(void)
{
    return settings.kind == COLOURS;
}

/* What a sensor reads without a magnet, before anything is learned: a linear Hall sensor half of its supply, an open
 * switch all of it. */
static inline int16_t resting(void)
{
    return sees_colours() ? RESTING_COLOURS : RESTING_PRESENCE;
}
