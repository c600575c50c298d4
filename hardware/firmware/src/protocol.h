/* Messages of docs/protocol.md: writers for the board's messages and a reader for the computer's
 * messages. Names and values are the same as in firmware_bridge/wire;
 * tests/hardware/test_firmware_build.py compares them. */
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

/* Two bits per square. */
#define PACKED_STATE 25

/* FELT value of a full piece, as calibrated for its square. On a typical board, one count is 1.3 of
 * these units. */
#define FELT_PIECE 400
/* FELT value of a square whose reading is at an end of the range. */
#define NOT_FELT -128
/* Number of squares in a FELT message: two rows. */
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
/* Largest number of results in one reply: WEAK, FLIPPED and MISSING after ARMIES. */
#define MAX_RESULTS 3

struct hello {
    uint8_t firmware[3];
    uint8_t kind;
    uint8_t reset_cause;
    uint16_t calibration;
    uint8_t geometry;
    uint32_t build;
};

/* Reply to a calibration step (LEARNED), with `count` results and the squares of each result. */
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

/* Each function writes a complete frame. Squares have the states in sensor_state.h, which
 * write_state() translates to colours. */
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
        struct settings requested;   /* of CONFIGURE */
    };
};

/* Read the type, sequence number and body of a command. Return false for an unknown type, a wrong
 * length or an invalid value. */
bool read_command(struct command *command, const uint8_t *payload, uint8_t length);
