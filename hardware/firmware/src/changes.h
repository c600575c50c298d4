/* Times of the latest changes, for STATE messages.
 *
 * A change is sent in the frame that first shows it and in at least two more frames, so that it is
 * not lost with a single frame. To bound the error of its time, a change is sent only if the
 * previous pass read the old state at most SAMPLING_MS earlier. Changes after a longer gap have no
 * time. If more squares change at once than fit into the list, none of the changes has a time: no
 * hand moves that fast, and the firmware could not record them quickly enough. Every frame contains
 * the states of all squares in any case.
 *
 * Times are in ticks of 1/16 ms and wrap after 4 s (timer.h). */
#pragma once

#include <stdint.h>

#include "board.h"

/* Capacity of the list, which keeps the latest changes. With this many changes and with faint
 * squares, a STATE message just fits into a frame. */
#define MOST_CHANGES 7
/* Uncertainty of a change time in milliseconds: the square still had its old state at most this
 * long before. Scan passes alternate in direction, so the first input is read again after up to 5.9
 * ms, or slightly more than 6 ms in the code of some compilers. */
#define SAMPLING_MS 8
/* Maximum age, in milliseconds, at which a change is sent. The first reading of a change is up to
 * 24 ms before its first frame. */
#define CHANGE_REPORT_MS 70

#define TICKS_PER_MS 16

struct change {
    uint8_t square;
    uint16_t time; /* time of the first reading in the new state */
};

/* Initialise with zeros. */
struct changes {
    uint8_t count;
    struct change list[MOST_CHANGES]; /* oldest first */
};

/* Record a change. One pass read the old state at last_old, and the next pass read the new state at
 * first_new. */
void changes_record(struct changes *changes, uint8_t square, uint16_t last_old, uint16_t first_new);

/* Remove a square because the time of its latest change is unknown. */
void changes_drop(struct changes *changes, uint8_t square);

/* Remove changes older than CHANGE_REPORT_MS. */
void changes_expire(struct changes *changes, uint16_t now);
