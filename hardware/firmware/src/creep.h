/* Readings that go where a piece would bring them, but too slowly for a hand.
 *
 * A sensor that dies goes to one end of its range, past where a piece of either colour would bring it. A
 * piece that is set down, pushed or lifted changes its sensor by JUMP counts within the 40 ms since its
 * reading was last noted: even one that is lowered at 20 mm/s, by 60 counts a millimetre at the end
 * (8 x 4 mm magnet, calculated). So a change that jumps is a hand's, and is believed at once. A sensor that
 * takes a second or longer from one end of its range to the other never jumps.
 *
 * What has crept is believed when it has come to rest: a piece that a sleeve has pushed along slowly. A
 * piece that comes has to rest for a second, as a sensor on its way stays within STEADY for half a second
 * if it takes 20 s to die; slower still, it is told as drift first (faults.h). A piece that goes has to
 * rest for 0.3 s: a square that is taken for empty too early shows no wrong colour. Meanwhile the square
 * stays as it was, and is told to be dying. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

#define JUMP 48
#define STEADY 12
#define COMES_FRAMES 50
#define GOES_FRAMES 15
/* So many squares can creep at a time and still come to rest; more than that is no hand. */
#define MOST_CREEPING 4
/* Told to be dying after so many frames. */
#define DYING_FRAMES 2

struct creep {
    uint8_t past[SQUARES]; /* a quarter of what was read up to 40 ms ago; 0 if that is not known */
    uint8_t part;          /* the half of the squares that is noted next */
    uint8_t count;
    struct creeping {
        uint8_t square;
        uint8_t frames;    /* since it began */
        uint8_t rested;    /* frames for which it has not moved */
        uint16_t anchor;   /* where it stood when it moved last */
        bool is_going_on;
    } list[MOST_CREEPING];
};

/* Whether a change is to be believed: a hand's, or what has come to rest. */
bool creep_permits(struct creep *creep, uint8_t square, uint16_t reading, uint8_t rest_frames);
/* Once a frame, which squares may be noted: all but those where a change is under way. */
void creep_note(struct creep *creep, const uint16_t readings[INPUTS], const uint8_t changing[]);
bool creep_is_dying(const struct creep *creep, uint8_t square);
/* Forgets the past: whatever comes next is believed. */
void creep_forget(struct creep *creep);
