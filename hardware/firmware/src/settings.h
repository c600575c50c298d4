/* Settings that describe the board's construction. They are set once, at calibration, and stored
 * beside it (store.h). Without saved settings, the board recognises its kind of sensors and its
 * wiring (recognition.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "geometry.h"

struct settings {
    uint8_t kind;
    uint8_t geometry;
    uint8_t on_per_cent;  /* detection threshold in % of the deflection calibrated for the square */
    uint16_t band_gap_mv; /* reference voltage of the chip, for measuring the supply */
};

/* Settings in use. */
extern struct settings settings;

/* Default detection threshold in per cent. It is as low as crosstalk permits, so that off-centre
 * pieces are detected; hardware/magnetics determined it together with the magnet and the gap. The
 * reading of a switch changes from one end of the range to the other, so its threshold can be
 * higher and reject more noise. */
#define ON_PER_CENT_COLOURS 17
#define ON_PER_CENT_PRESENCE 40
/* Below the minimum, a square beside pieces would not be released, because their crosstalk is 8 %.
 * Above the maximum, a piece would be detected only in the middle. */
#define LEAST_ON_PER_CENT 13
#define MOST_ON_PER_CENT 60
#define USUAL_BAND_GAP_MV 1100
/* The chip's reference is 1000 to 1200 mV (data sheet). A poor meter may add a further error. */
#define LEAST_BAND_GAP_MV 950
#define MOST_BAND_GAP_MV 1250

/* Result of CONFIGURE: ACCEPTED, or the first value that was rejected. */
enum configure_result {
    ACCEPTED = 0,
    NO_KIND = 1,
    NO_GEOMETRY = 2,
    NO_BAND_GAP = 3,
    NO_SHARE = 4,
    NOT_NOW = 5,
};

/* Use the default settings for a board with this kind of sensors and this wiring. */
void settings_default(uint8_t kind, uint8_t geometry);

/* Complete the requested settings. 0 keeps the current value; a different kind also sets its
 * default threshold. Return ACCEPTED if all settings are valid. */
enum configure_result settings_complete(struct settings *requested);

static inline bool sees_colours(void)
{
    return settings.kind == COLOURS;
}

/* Reading without a magnet, before any calibration. A linear Hall sensor outputs half its supply,
 * and an open switch all of it. */
static inline int16_t resting(void)
{
    return sees_colours() ? RESTING_COLOURS : RESTING_PRESENCE;
}
