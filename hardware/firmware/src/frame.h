/* Frames: COBS(payload, CRC), zero (docs/protocol.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Maximum length of a frame in bytes, including its zero. */
#define MAX_FRAME 64
/* Number of bytes that COBS and the zero add to payload and checksum. */
#define FRAME_OVERHEAD 2
/* Type, sequence number, checksum. */
#define SHORTEST_PAYLOAD 4

/* Frame being written. Until frame_close() is called, the payload follows the byte reserved for
 * COBS. */
struct frame {
    uint8_t bytes[MAX_FRAME];
    uint8_t length;
};

void frame_open(struct frame *frame);
void frame_put(struct frame *frame, uint8_t byte);
void frame_put_word(struct frame *frame, uint16_t word);
/* Add checksum, COBS and zero. bytes[0] to bytes[length - 1] are then ready to be sent. */
void frame_close(struct frame *frame);

/* Collector of received bytes up to a zero. Initialise with zeros. */
struct collector {
    uint8_t bytes[MAX_FRAME];
    uint8_t length;
    bool skipping;
};

/* Add a received byte. If it completes a valid frame, return the length of type, sequence number
 * and body, which start at bytes[1] until the next call. Otherwise, return 0. */
uint8_t collect(struct collector *collector, uint8_t byte);
