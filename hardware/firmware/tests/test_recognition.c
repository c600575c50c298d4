/* Tests for the recognition of a board's construction. */
#include "recognition.h"

#include "detection.h"
#include "expect.h"
#include "geometry.h"
#include "readings.h"

#define GROUND 3
#define EMPTY 505
#define RED 806
#define BLUE 210
#define OPEN 1020
#define CLOSED 300 /* through a bad contact */

/* Return the reading of a connected channel on a board without pieces. */
static uint16_t hall(uint8_t channel, bool is_tiles)
{
    geometry_use(is_tiles ? TILES : BY_HAND);
    return wiring->squares[channel] == NO_READING ? GROUND : EMPTY;
}

static uint16_t hall_with_armies(uint8_t channel, bool is_tiles)
{
    uint8_t square = (hall(channel, is_tiles), wiring->squares[channel]);
    return square == NO_READING ? GROUND : square < 40 ? RED : square < 60 ? EMPTY : BLUE;
}

/* Only the first 25 squares have sensors. */
static uint16_t part_of_hall(uint8_t channel, bool is_tiles)
{
    uint8_t square = (hall(channel, is_tiles), wiring->squares[channel]);
    return square < 25 ? EMPTY : GROUND;
}

static uint16_t switches(uint8_t channel, bool is_tiles)
{
    (void)is_tiles;
    return hall(channel, false) == GROUND ? GROUND : OPEN;
}

static uint16_t switches_with_armies(uint8_t channel, bool is_tiles)
{
    (void)is_tiles;
    uint8_t square = (hall(channel, false), wiring->squares[channel]);
    return square != NO_READING && square >= 40 && square < 60 ? OPEN : CLOSED;
}

static uint16_t nothing(uint8_t channel, bool is_tiles)
{
    (void)channel, (void)is_tiles;
    return GROUND;
}

static bool find(uint16_t (*reading)(uint8_t, bool), bool is_tiles, uint8_t *kind, uint8_t *geometry)
{
    struct recognition recognition = {0};
    for (uint8_t channel = 0; channel < MOST_CHANNELS; channel++)
        recognition_add(&recognition, channel, reading(channel, is_tiles));
    return recognition_find(&recognition, kind, geometry);
}

int main(void)
{
    static const struct {
        const char *name;
        uint16_t (*reading)(uint8_t, bool);
        bool is_tiles;
        uint8_t kind, geometry;
    } boards[] = {
        {"tiles", hall, true, COLOURS, TILES},
        {"tiles with armies", hall_with_armies, true, COLOURS, TILES},
        {"by hand", hall, false, COLOURS, BY_HAND},
        {"by hand with armies", hall_with_armies, false, COLOURS, BY_HAND},
        {"two rows and a half by hand", part_of_hall, false, COLOURS, BY_HAND},
        {"switches", switches, false, PRESENCE, BY_HAND},
        {"switches with armies", switches_with_armies, false, PRESENCE, BY_HAND},
    };
    uint8_t kind, geometry;
    for (unsigned n = 0; n < ROWS(boards); n++) {
        EXPECT(find(boards[n].reading, boards[n].is_tiles, &kind, &geometry), "%s", boards[n].name);
        EXPECT(kind == boards[n].kind, "%s", boards[n].name);
        EXPECT(geometry == boards[n].geometry, "%s", boards[n].name);
    }
    EXPECT(find(part_of_hall, true, &kind, &geometry) && geometry == TILES, "a part of the tiles");
    EXPECT(!find(nothing, false, &kind, &geometry), "a Nano without sensors");
    return 0;
}
