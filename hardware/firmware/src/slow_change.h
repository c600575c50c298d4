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
 * what has crept is believed only when it has come to rest. Until then the square stays as it was.
 *
 * A hand creeps, too: it holds a piece 3 to 10 mm above its square, where the field is near the threshold, and
 * trembles. What tells them apart is the way from rest. A sensor that dies leaves its rest and goes one way, evenly. A
 * hand goes both ways, and even where it does not its line is bent: between 40 and 10 mm the field of a magnet grows
 * thirtyfold. So each square that leaves its rest is followed until it has rested again. Until then
 *
 * - it turns if it goes TURN both ways: that is a hand;
 * - it is bent if it goes faster in one stretch than in another by more than noise, or has jumped: no dying sensor.
 *
 * What is seen to be something else, has never turned or bent, and has gone LINE_WAY by then is told to be dying. A sensor
 * that dies within 5 s leaves its rest so early that this is within 100 ms. While a piece is in a hand, one was lifted
 * within the last 10 s and none was set down since, it has to go IN_HAND_WAY: a hand may go evenly by chance, but
 * hardly through a third of a piece's field.
 *
 * What turns and comes to rest stands: within STILL for HAND_FRAMES. A hand that holds a piece moves by more as a rule. Anything
 * else that comes has to rest for a second, as a sensor on its way stays within STEADY for half a second if it takes
 * 20 s to die; slower still, it is told as drift first (faults.h). What goes has to rest for 0.3 s: a square that
 * is taken for empty too early shows no wrong colour. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "protocol.h"
#include "squares.h"
#include "debounce.h"

#define FAR_COUNTS 115
#define JUMP_COUNTS 36
#define JUMP_PASSES 6
#define FADE_FRAMES 4
#define STEADY_COUNTS 12
#define ARRIVAL_REST_FRAMES 50
#define REMOVAL_REST_FRAMES 15
/* So many squares are followed at a time; more than that is no hand. */
#define MAX_WATCHED 4

/* What is followed is averaged over the looks of a frame but the highest and the lowest, so that a spike changes
 * nothing, and noise of a count leaves half a count of itself. In quarters of a count, as all of these. */
#define PER_COUNT 4
/* So far beside what a square usually reads a single look begins to follow it, */
#define START_DEVIATION (4 * PER_COUNT)
/* and so far the average of a frame takes it as having left: five times the noise. */
#define LEAVE_DEVIATION (5 * PER_COUNT / 2)
/* What is usual goes by one part of so many towards each reading, one every 40 ms: with warmth, and with no hand. */
#define BASELINE_DIVISOR 8
/* Eight times the noise: no sensor on its way turns by so much. */
#define TURN_TRAVEL (4 * PER_COUNT)
#define STILL_DEVIATION (5 * PER_COUNT / 2)
#define HAND_REST_FRAMES 6
/* What shows nothing new is followed until it has rested for so many frames: a hand that hovers is still once in a
 * while. */
#define END_WATCH_FRAMES 25

/* A stretch of a line is so long that noise is less than a tenth of it, and three frames, 15 counts of a sensor that dies
 * within 2 s. What takes RESTS_FRAMES and has not left where the stretch began rests there. */
#define SEGMENT_FRAMES 3
#define SEGMENT_TRAVEL (8 * PER_COUNT)
#define STALL_FRAMES 8
/* Rates are in so many parts of a quarter of a count a frame. */
#define RATE_SCALE 16
/* Their product fits 16 bits. A sensor that takes 1.6 s goes by 820 parts a frame at most. */
#define MAX_RATE 2000
#define MAX_SEGMENT_FRAMES 30
/* By so much a stretch may be off, by one part of so many of its way, and by PER_STRETCH for each stretch before it, as
 * extremes grow: two to three times the noise of both ends. Tighter, 3 % of the sensors that die within 5 s were told
 * late; wider, a hand that goes evenly by chance is taken for one (calculated, 500 of each). */
#define TOLERANCE 7
#define TOLERANCE_DIVISOR 8
#define TOLERANCE_PER_SEGMENT 2
#define MAX_SEGMENTS 12
/* A line of two stretches, and by 30 counts. With more, sensors that begin on the way to the threshold, where neighbours
 * lean on them, are told too late. */
#define DYING_SEGMENTS 2
#define DYING_TRAVEL (30 * PER_COUNT)
#define DYING_TRAVEL_PIECE_HELD (96 * PER_COUNT)
#define HELD_PIECE_FRAMES (10000 / STATE_INTERVAL_MS)

struct watched_square {
    uint8_t square;
    uint8_t rest_frames;  /* frames for which it has not moved */
    uint16_t anchor; /* where it was when it moved last */
    /* The looks of this frame. */
    uint16_t sum, lowest, highest;
    uint8_t passes;
    /* Since it has left its rest. */
    uint16_t bottom, top; /* how far it went */
    uint16_t segment_start;        /* where this stretch began */
    uint8_t segment_frames;       /* of this stretch */
    uint8_t segments;    /* that are over */
    uint16_t min_rate, max_rate; /* by how much it moved in one of them */
    bool differs : 1; /* some look of this frame has seen it otherwise than it is believed to be */
    bool differs_steadily : 1;     /* every look of the latest frames has */
    bool has_left : 1;    /* a line is under way */
    bool has_risen : 1, has_fallen : 1;
    bool has_turned : 1; /* it has done both */
    bool is_uneven : 1;
    bool is_behind : 1; /* it stays behind its line */
};

struct slow_changes {
    union {
        struct {
            uint8_t past[SQUARES];  /* a quarter of what was read up to 40 ms ago; 0 if that is not known */
            uint8_t baseline[SQUARES]; /* what is read as a rule, in quarters of a count, modulo 256; if past is known */
        };
        uint16_t sums[SQUARES]; /* while a calibration has borrowed the room */
    };
    bool is_lent;
    uint16_t held_piece_frames;            /* frames for which a piece may still be in a hand */
    uint8_t next_part;               /* the half of the squares that is noted next */
    uint8_t jumped[SQUARE_SET]; /* the squares that are seen otherwise since they jumped */
    struct debounce weak;        /* for how many frames in a row no square has felt twice its threshold */
    uint8_t count;
    struct watched_square list[MAX_WATCHED];
};

/* Whether a change is to be believed: not yet, at once, or because it has been watched. */
enum acceptance { ACCEPT_LATER, ACCEPT_NOW, ACCEPT_WATCHED };

/* Of a square that was seen so by as many looks before this as its streak says. */
enum acceptance slow_change_accept(struct slow_changes *slow, const struct debounce *debounce, uint8_t square,
                          const struct sensor *sensor, uint16_t reading, bool comes);
/* Notes where a square stands that has just changed: it may change back before the next frame. */
void slow_change_rebase(struct slow_changes *slow, uint8_t square, uint16_t reading, bool comes);
/* Takes a look at the squares that are followed. */
void slow_change_add_pass(struct slow_changes *slow, const uint16_t readings[READINGS]);
/* Once a frame, which squares may be noted: all but those where a change is under way. */
void slow_change_end_frame(struct slow_changes *slow, const struct debounce *debounce, const struct sensor sensors[SQUARES],
                const uint16_t readings[READINGS], const uint8_t changing[SQUARE_SET]);
/* Whether a followed square goes evenly one way, to where it shows something else. */
bool slow_change_is_dying(const struct slow_changes *slow, uint8_t square);
/* Forgets the past, and lends the room for it to a calibration, all zeros, until it is forgotten once more. */
uint16_t *slow_change_lend(struct slow_changes *slow);
/* Forgets the past. */
void slow_change_reset(struct slow_changes *slow);
