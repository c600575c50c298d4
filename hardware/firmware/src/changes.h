/* When squares have changed lately, for the frames to tell.
 *
 * A change is told in the frame that first shows it and in at least two more, so that no frame that is
 * lost takes it along. It is told only if the look before had seen the square otherwise no more than
 * LOOK_MS earlier: whoever hears of it then knows the moment to that span. After a longer gap nobody
 * hears of it, nor of any if more squares change at a time than there is room for: that is no hand that
 * plays, and there is no time to note it. The squares themselves are in every frame.
 *
 * Moments are in sixteenths of a millisecond and wrap after 4 s (timer.h). */
#pragma once

#include <stdint.h>

#include "board.h"

/* So many are kept, the latest; with as many, and with faint squares, STATE is no longer than a frame
 * may be. */
#define MOST_CHANGES 7
/* A square that is told to have changed had been seen otherwise at most so long before: looks go through
 * the inputs forwards and backwards, so the first of them is seen again after up to 5.9 ms. */
#define LOOK_MS 7
/* So long before the frame at most. A change is first seen up to 24 ms before its first frame. */
#define TOLD_MS 70

#define PER_MS 16

struct change {
    uint8_t square;
    uint16_t at; /* when it was first seen so */
};

/* All zeros is no change. */
struct changes {
    uint8_t count;
    struct change list[MOST_CHANGES]; /* the oldest first */
};

/* Notes that a square has changed: it was seen otherwise by one look, and so by the next. */
void changes_record(struct changes *changes, uint8_t square, uint16_t last_old, uint16_t first_new);

/* Forgets a square, as it has changed at nobody knows which moment. */
void changes_drop(struct changes *changes, uint8_t square);

/* Forgets what is too long ago to be told at a moment. */
void changes_expire(struct changes *changes, uint16_t now);
