/* Times of the latest changes, for the STATE messages.
 *
 * A change is sent in the frame that first shows it and in at least two more, so one lost frame
 * does not lose it. It is sent only if the pass before it read the old state at most SAMPLING_MS
 * earlier, which bounds the error of its time. Changes after a longer gap have no time. If more
 * squares change at once than fit, none has: no hand moves that fast, and there is no time to
 * record them. Every frame contains all squares in any case.
 *
 * Times are in ticks of 1/16 ms and wrap after 4 s (timer.h). */
#pragma once

#include <stdint.h>

#include "board.h"

/* Capacity; the latest changes are kept. With as many, and with faint squares, a STATE just fits
 * into a frame. */
#define MOST_CHANGES 7
/* Uncertainty of a change time, in milliseconds: at most this long before it the square had its old
 * state. Scan passes alternate their direction, so the first input is read again after up to 5.9
 * ms, and after slightly more than 6 ms in the code of some compilers. */
#define SAMPLING_MS 8
/* Maximum age at which a change is sent, in milliseconds. A change is read for the first time up to
 * 24 ms before its first frame. */
#define CHANGE_REPORT_MS 70

#define TICKS_PER_MS 16

struct change {
    uint8_t square;
    uint16_t time; /* first reading in the new state */
};

/* Initialise with zeros. */
struct changes {
    uint8_t count;
    struct change list[MOST_CHANGES]; /* oldest first */
};

/* Record a change: one pass read the old state at last_old, the next the new one at first_new. */
void changes_record(struct changes *changes, uint8_t square, uint16_t last_old, uint16_t first_new);

/* Remove a square whose latest change has no known time. */
void changes_drop(struct changes *changes, uint8_t square);

/* Remove changes older than CHANGE_REPORT_MS. */
void changes_expire(struct changes *changes, uint16_t now);
