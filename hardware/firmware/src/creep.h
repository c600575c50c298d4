/* Readings that go where a piece would bring them, but hardly far enough to be sure, or too slowly for a hand.
 *
 * Each change is compared with where the reading stood when it was last noted, up to 40 ms before. As long as
 * that is not known, with an empty square.
 *
 * Far: 2.5 times the threshold, but no more than 115 counts, which is above what a ripple of +-250 mV has
 * from bottom to top (102). That is a piece that a hand sets down or lifts near the middle of its square, and is
 * believed at once.
 *
 * A jump: less than that, but five eighths of the threshold at least, and no more than 36 counts. It may be a
 * piece beside the middle, or a ripple on top of what neighbours do. A ripple of 50 Hz or more goes back within
 * 10 ms; so PATIENT_LOOKS in a row have to see the change, 15 ms and more, before it is believed.
 *
 * So is what fades at once: a piece that is lifted. From twice the threshold to nothing it takes one that is
 * lifted at 80 mm/s less than FADES_FRAMES; a sensor that takes 1.6 s or longer from one end of its range to the
 * other, 100 ms and more (calculated).
 *
 * Less: it creeps. A sensor that dies goes to one end of its range, past where a piece of either colour would
 * bring it. One that takes 1.6 s or longer from one end of its range to the other never jumps. Even a piece
 * that is lowered at 20 mm/s does: by 70 counts a millimetre at the end (8 x 2 mm magnet, calculated). So
 * what has crept is believed only when it has come to rest: a piece that a sleeve has pushed along slowly, or
 * one that is lifted so slowly that it was seen to fade. A piece that comes has to rest for a second, as a sensor
 * on its way stays within STEADY for half a second if it takes 20 s to die; slower still, it is told as drift
 * first (faults.h). A piece that goes has to rest for 0.3 s: a square that is taken for empty too early shows
 * no wrong colour. Meanwhile the square stays as it was, and is told to be dying. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "squares.h"
#include "streaks.h"

#define MOST_FAR 115
#define MOST_JUMP 36
#define PATIENT_LOOKS 6
#define FADES_FRAMES 4
#define STEADY 12
#define COMES_FRAMES 50
#define GOES_FRAMES 15
/* So many squares can creep at a time and still come to rest; more than that is no hand. */
#define MOST_CREEPING 4

struct creep {
    uint8_t past[SQUARES];      /* a quarter of what was read up to 40 ms ago; 0 if that is not known */
    uint8_t part;               /* the half of the squares that is noted next */
    uint8_t jumped[SQUARE_SET]; /* the squares that are seen otherwise since they jumped */
    struct streaks weak;        /* for how many frames in a row no square has felt twice its threshold */
    uint8_t count;
    struct creeping {
        uint8_t square;
        uint8_t rested;    /* frames for which it has not moved */
        uint16_t anchor;   /* where it stood when it moved last */
        bool is_going_on;
    } list[MOST_CREEPING];
};

/* Whether a change is to be believed: not yet, at once, or because it has been watched. */
enum belief { NOT_YET, AT_ONCE, AFTER_ALL };

/* Of a square that was seen so by as many looks before this as its streak says. */
enum belief creep_believe(struct creep *creep, const struct streaks *streaks, uint8_t square,
                          const struct sensor *sensor, uint16_t reading, bool comes);
/* Notes where a square stands that has just changed: it may change back before the next frame. */
void creep_settle(struct creep *creep, uint8_t square, uint16_t reading);
/* Once a frame, which squares may be noted: all but those where a change is under way. */
void creep_note(struct creep *creep, const struct streaks *streaks, const struct sensor sensors[SQUARES],
                const uint16_t readings[READINGS], const uint8_t changing[SQUARE_SET]);
/* Whether a square creeps, and has been seen to by every look for some 20 ms. */
bool creep_is_dying(const struct creep *creep, const struct streaks *streaks, uint8_t square);
/* Forgets the past. */
void creep_forget(struct creep *creep);
