/* Recognition of a board's construction, for a board without saved settings.
 *
 * Every input of every multiplexer is read once. Readings of linear Hall sensors lie between the
 * ends of the range, with and without a magnet; those of open switches are at the upper end.
 *
 * - Switches: about as many readings are at the upper end as a set-up board has empty squares.
 * - Tiles: there are Hall sensors, and inputs 7 and 15 of all multiplexers are at ground. On a
 *   board wired by hand, input 7 has a sensor.
 * - Otherwise, the board has Hall sensors wired by hand.
 *
 * An input that nothing drives reads as ground (scan.h), so an incomplete board is recognised too:
 * one tile, or two rows wired by hand. With fewer parts, or while the sensors have no supply,
 * nothing is recognised. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Minimum number of Hall sensors. A tile has 25, some of which may be broken. Chosen by judgement,
 * not measured. */
#define LEAST_SENSORS 20
/* Minimum number of open switches. With both armies set up, 20 squares are empty, and a few wires
 * may be broken. Chosen by judgement, not measured. */
#define LEAST_OPEN 12

/* Numbers of inputs by reading. Initialise with zeros. */
struct recognition {
    uint8_t between;        /* between the ends of the range */
    uint8_t at_top;         /* at the upper end */
    uint8_t spare_grounded; /* inputs 7 and 15 that are at ground */
};

void recognition_add(struct recognition *recognition, uint8_t channel, uint16_t reading);

/* Return true and set the kind of sensors and the geometry if a board is recognised. Call after all
 * inputs have been added. */
bool recognition_find(const struct recognition *recognition, uint8_t *kind, uint8_t *geometry);
