/* Frames: COBS(payload, CRC), zero. docs/protocol.md describes them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The longest frame in bytes, its zero included. */
#define MAX_FRAME 64
/* What COBS and the zero add to payload and checksum. */
#define FRAME_OVERHEAD 2
/* Type, sequence number, checksum. */
#define SHORTEST_PAYLOAD 4

/* A frame in the making. While it is open, the payload stands behind the byte that COBS will need. */
struct frame {
    uint8_t bytes[MAX_FRAME];
    uint8_t length;
};

void frame_open(struct frame *frame);
void frame_put(struct frame *frame, uint8_t byte);
void frame_put_word(struct frame *frame, uint16_t word);
/* Adds checksum, COBS and zero: bytes[0] to bytes[length - 1] can go out. */
void frame_close(struct frame *frame);

/* Collects the bytes of one direction up to a zero. Starts out all zeros. */
struct collector {
    uint8_t bytes[MAX_FRAME];
    uint8_t length;
    bool skipping;
};

/* Takes the next byte. Returns the length of type, sequence number and body if it completes a good
 * frame, else 0; they then stand at bytes[1] until the next call. */
uint8_t collect(struct collector *collector, uint8_t byte);
