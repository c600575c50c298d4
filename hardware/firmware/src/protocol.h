/* The messages of docs/protocol.md: those of the board written, those of the computer read.
 * Names and values are those of firmware_bridge/wire; a test compares them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "changes.h"
#include "frame.h"
#include "settings.h"
#include "squares.h"

#define PROTOCOL 5
#define BAUD 250000
#define STATE_INTERVAL_MS 20
#define NO_SQUARE 255

/* Two bits for each square. */
#define PACKED_STATE 25

/* In FELT so much is a whole piece, as it was learned on its square. A count is 1.3 of it on the usual board. */
#define FELT_PIECE 400
/* Of a square whose reading is no colour. */
#define NOT_FELT -128
/* Two rows are told at a time. */
#define FELT_SQUARES 20
#define FELT_BANDS 5

enum message_type {
    HELLO = 0x01,
    STATE = 0x02,
    FAULT = 0x03,
    RAW = 0x04,
    LEARNED = 0x05,
    STATUS = 0x06,
    CONFIGURED = 0x07,
    FELT = 0x08,
    IDENTIFY = 0x81,
    SEND_RAW = 0x82,
    LEARN = 0x83,
    LAMPS = 0x84,
    CONFIGURE = 0x85,
    SEND_FELT = 0x86
};

enum fault_code {
    STUCK_CHANNEL = 1,
    DRIFT = 2,
    LOW_SUPPLY = 3,
    OPEN_WIRE = 4,
    DYING = 5,
    NO_GROUND = 6
};

enum calibration_step { ABORT = 0, EMPTY = 1, ARMIES = 2, SAVE = 3, FORGET = 4 };

enum calibration_result {
    DONE = 0,
    OCCUPIED = 1,
    WEAK = 2,
    FLIPPED = 3,
    OUT_OF_ORDER = 4,
    MISSING = 5,
    CALIBRATION_RESULTS
};
/* ARMIES has the most in one answer: WEAK, FLIPPED and MISSING. */
#define MAX_RESULTS 3

struct hello {
    uint8_t firmware[3];
    uint8_t kind;
    uint8_t reset_cause;
    uint16_t calibration;
    uint8_t geometry;
    uint32_t build;
};

/* The answer to a step, with as many results as there are; each is about its squares. */
struct calibration_reply {
    uint8_t step;
    uint8_t count;
    struct {
        uint8_t result;
        uint8_t squares[SQUARE_SET];
    } results[MAX_RESULTS];
};

void calibration_reply_add(struct calibration_reply *reply, enum calibration_result result,
                 const uint8_t squares[SQUARE_SET]);

/* Each writes a whole frame. Squares are as they are felt (sense.h); STATE tells their colours. */
void write_hello(struct frame *frame, uint8_t sequence, const struct hello *hello);
void write_state(struct frame *frame, uint8_t sequence, uint32_t at_ms,
                 const uint8_t squares[PACKED_STATE], const struct changes *changes,
                 const uint8_t faint[SQUARE_SET]);
void write_fault(struct frame *frame, uint8_t sequence, uint8_t code, uint8_t square,
                 uint16_t value);
void write_raw(struct frame *frame, uint8_t sequence, uint8_t multiplexer,
               const uint16_t readings[CHANNELS]);
void write_learned(struct frame *frame, uint8_t sequence, const struct calibration_reply *reply);
void write_status(struct frame *frame, uint8_t sequence, uint16_t supply_mv);
void write_configured(struct frame *frame, uint8_t sequence, enum configure_result result,
                      const struct settings *settings);
void write_felt(struct frame *frame, uint8_t sequence, uint8_t band,
                const int8_t values[FELT_SQUARES]);

struct command {
    uint8_t type;
    union {
        uint8_t step;                /* of LEARN */
        uint8_t squares[SQUARE_SET]; /* of LAMPS */
        struct settings requested;        /* of CONFIGURE */
    };
};

/* Reads type, sequence number and body. False if nobody sends us that: an unknown type, the wrong
 * length, a number without a meaning. */
bool read_command(struct command *command, const uint8_t *payload, uint8_t length);
