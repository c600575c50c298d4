/* Changes that are small, or slower than those made by a hand.
 *
 * Each change of a reading is compared with the past reading, which was stored up to 40 ms before.
 * While the past reading is unknown, the change is compared with an empty square.
 *
 * Far: a change of at least 2.5 times the threshold, or 115 counts, which exceeds the peak-to-peak
 * value of a ripple of +-250 mV (102). It is caused by a hand that sets down or lifts a piece near
 * the middle of its square, and is accepted immediately.
 *
 * Jump: a smaller change, but at least five eighths of the threshold, or 36 counts. The cause may
 * be an off-centre piece, or ripple on top of crosstalk. Ripple of 50 Hz or more reverses within 10
 * ms, so JUMP_PASSES consecutive passes, which take at least 15 ms, must agree before the change is
 * accepted. The same applies to a quick fade, when a piece is lifted. The reading of a piece lifted
 * at 80 mm/s falls from twice the threshold to zero in less than FADE_FRAMES; that of a sensor that
 * takes 1.6 s or longer from one end of its range to the other takes 100 ms or more (calculated).
 *
 * Slow: any other change. The reading of a dying sensor moves to one end of its range, past the
 * readings of either colour. A sensor that takes 1.6 s or longer from end to end never jumps. Even
 * a piece lowered at 20 mm/s jumps, by 70 counts per millimetre at the end (8 x 2 mm magnet,
 * calculated). A slow change is therefore accepted only after the reading has come to rest; until
 * then, the square keeps its state.
 *
 * A hand also causes slow changes: it holds a piece 3 to 10 mm above its square, where the field is
 * near the threshold, and trembles. A hand and a dying sensor differ in the way in which the
 * reading leaves the resting level. The reading of a dying sensor moves evenly in one direction. A
 * hand moves in both directions, and even if it does not, the curve is not straight: between 40 and
 * 10 mm, the field of a magnet grows thirtyfold. A square that leaves its resting level is
 * therefore watched until it rests again. During this time
 *
 * - the reading turns if it moves by TURN_TRAVEL in both directions, which indicates a hand;
 * - the reading is uneven if one segment is faster than another by more than noise, or if it has
 *   jumped, which rules out a dying sensor.
 *
 * A square that differs from its state, has neither turned nor been uneven, and has travelled
 * DYING_TRAVEL is reported as dying. A sensor that dies within 5 s leaves its resting level so
 * early that the report takes at most 100 ms. While a piece is lifted (one was removed within the
 * last 10 s and none has been placed since), DYING_TRAVEL_PIECE_HELD is required: a hand may move
 * evenly by chance, but hardly through a third of a piece's field.
 *
 * The state of a square that has turned is accepted after HAND_REST_FRAMES within STILL_DEVIATION;
 * a hand that holds a piece usually moves by more. Any other arrival must rest for a second: a
 * sensor that takes 20 s to die stays within STEADY_COUNTS for half a second, and a slower one is
 * first reported as drift (faults.h). A removal must rest for only 0.3 s, because a square that is
 * released too early shows no wrong colour. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "calibration.h"
#include "debounce.h"
#include "protocol.h"
#include "squares.h"

#define FAR_COUNTS 115
#define JUMP_COUNTS 36
#define JUMP_PASSES 6
#define FADE_FRAMES 4
#define STEADY_COUNTS 12
#define ARRIVAL_REST_FRAMES 50
#define REMOVAL_REST_FRAMES 15
/* Number of squares watched at a time. A hand does not change more squares. */
#define MAX_WATCHED 4

/* The mean of a frame's passes, without the highest and lowest readings, rejects spikes and halves
 * noise of one count. Means and baselines are in quarter counts. */
#define PER_COUNT 4
/* Deviation of a single reading from the baseline above which a square is watched. */
#define START_DEVIATION (4 * PER_COUNT)
/* Deviation of a frame's mean above which a square has left its resting level: five times the
 * noise. */
#define LEAVE_DEVIATION (5 * PER_COUNT / 2)
/* The baseline moves by this fraction of the deviation every 40 ms. It follows changes of
 * temperature, but is slower than a hand. */
#define BASELINE_DIVISOR 8
/* Eight times the noise. No failing sensor turns by this much. */
#define TURN_TRAVEL (4 * PER_COUNT)
#define STILL_DEVIATION (5 * PER_COUNT / 2)
#define HAND_REST_FRAMES 6
/* A square that does not differ is watched until it has rested for this many frames, because a
 * hovering hand pauses now and then. */
#define END_WATCH_FRAMES 25

/* A segment is so long that noise is less than a tenth of it. It has at least three frames, in
 * which a sensor that dies within 2 s moves by 15 counts. A square that is within LEAVE_DEVIATION
 * after STALL_FRAMES is at rest. */
#define SEGMENT_FRAMES 3
#define SEGMENT_TRAVEL (8 * PER_COUNT)
#define STALL_FRAMES 8
/* Rates are in 1/16 of a quarter count per frame. */
#define RATE_SCALE 16
/* The product of these limits fits into 16 bits. A sensor that takes 1.6 s has a rate of at most
 * 820. */
#define MAX_RATE 2000
#define MAX_SEGMENT_FRAMES 30
/* Permitted deviation of a segment: TOLERANCE, plus 1/TOLERANCE_DIVISOR of its travel, plus
 * TOLERANCE_PER_SEGMENT for each earlier segment, because the extremes grow. The sum is two to
 * three times the noise at both ends. With less, 3 % of the sensors that die within 5 s were
 * reported late; with more, a hand that moves evenly by chance was taken for a dying sensor
 * (calculated for 500 of each). */
#define TOLERANCE 7
#define TOLERANCE_DIVISOR 8
#define TOLERANCE_PER_SEGMENT 2
#define MAX_SEGMENTS 12
/* Minimum line of a dying sensor: two segments and 45 counts. Of 3,200 pieces brought from beside
 * the board (tests/test_moves.c), 53 were taken for dying sensors with 30 counts, 19 with 45, and
 * 12 with 48. Sensors that die within 2 s and start near the threshold because of crosstalk were
 * reported after at most 88 ms with 45 counts and after 141 ms with 60; 100 ms is permitted. */
#define DYING_SEGMENTS 2
#define DYING_TRAVEL (45 * PER_COUNT)
#define DYING_TRAVEL_PIECE_HELD (96 * PER_COUNT)
#define HELD_PIECE_FRAMES (10000 / STATE_INTERVAL_MS)

struct watched_square {
    uint8_t square;
    uint8_t rest_frames; /* frames since the last movement */
    uint16_t anchor;     /* mean after the last movement */
    /* Passes in this frame. */
    uint16_t sum, lowest, highest;
    uint8_t passes;
    /* Since the square left its resting level. */
    uint16_t bottom, top;        /* extreme means */
    uint16_t segment_start;      /* mean at the start of this segment */
    uint8_t segment_frames;      /* number of frames in this segment */
    uint8_t segments;            /* number of finished segments */
    uint16_t min_rate, max_rate; /* rates of finished segments */
    bool differs : 1;            /* differs from the debounced state in some pass of this frame */
    bool differs_steadily : 1;   /* differs in every pass of the latest frames */
    bool has_left : 1;           /* a line is in progress */
    bool has_risen : 1, has_fallen : 1;
    bool has_turned : 1; /* the square has moved in both directions */
    bool is_uneven : 1;
    bool is_behind : 1; /* slower than its line */
};

struct slow_changes {
    union {
        struct {
            uint8_t past[SQUARES];     /* reading up to 40 ms ago, divided by 4; 0 if unknown */
            uint8_t baseline[SQUARES]; /* typical reading in quarter counts, modulo 256, if known */
        };
        uint16_t sums[SQUARES]; /* used while the memory is lent to a calibration */
    };
    bool is_lent;
    uint16_t held_piece_frames; /* number of frames for which a removed piece may still be in a hand
                                 * */
    uint8_t next_part;          /* half of the squares to be stored next */
    uint8_t jumped[SQUARE_SET]; /* squares that have differed since they jumped */
    struct debounce weak;       /* counts frames without a deflection of twice the threshold */
    uint8_t count;
    struct watched_square list[MAX_WATCHED];
};

/* Acceptance of a change: not yet, immediately, or after it was observed for some time. */
enum acceptance { ACCEPT_LATER, ACCEPT_NOW, ACCEPT_WATCHED };

/* Return whether a change is accepted. `debounce` counts the previous passes that saw the
 * change. */
enum acceptance slow_change_accept(struct slow_changes *slow, const struct debounce *debounce,
                                   uint8_t square, const struct sensor *sensor, uint16_t reading,
                                   bool is_arrival);
/* Store the reading of a square that has just changed, because it may change back before the next
 * frame. */
void slow_change_rebase(struct slow_changes *slow, uint8_t square, uint16_t reading, bool is_arrival);
/* Add a pass to the watched squares. */
void slow_change_add_pass(struct slow_changes *slow, const uint16_t readings[READINGS]);
/* End a frame: update the watched squares, and store the readings of all squares except those with
 * a change in progress. */
void slow_change_end_frame(struct slow_changes *slow, const struct debounce *debounce,
                           const struct sensor sensors[SQUARES], const uint16_t readings[READINGS],
                           const uint8_t changing[SQUARE_SET]);
/* Return true if the reading of a watched square has moved evenly in one direction until it shows
 * another state. */
bool slow_change_is_dying(const struct slow_changes *slow, uint8_t square);
/* Reset, and lend the cleared memory of the past readings to a calibration until the next reset. */
uint16_t *slow_change_lend(struct slow_changes *slow);
/* Reset, so that all past readings are unknown. */
void slow_change_reset(struct slow_changes *slow);
