#include "protocol.h"

#include <string.h>

#include "geometry.h"

#define HEADER 2 /* type, sequence number */

static void start(struct frame *frame, uint8_t type, uint8_t sequence)
{
    frame_open(frame);
    frame_put(frame, type);
    frame_put(frame, sequence);
}

static void put_all(struct frame *frame, const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++)
        frame_put(frame, bytes[i]);
}

void write_hello(struct frame *frame, uint8_t sequence, const struct hello *hello)
{
    start(frame, HELLO, sequence);
    frame_put(frame, PROTOCOL);
    put_all(frame, hello->firmware, sizeof hello->firmware);
    frame_put(frame, hello->kind);
    frame_put(frame, hello->reset_cause);
    frame_put_word(frame, hello->calibration);
    frame_put(frame, hello->geometry);
    frame_put_word(frame, (uint16_t)hello->build);
    frame_put_word(frame, (uint16_t)(hello->build >> 16));
    frame_close(frame);
}

/* Swap the two bits of each square where red reads low. */
static void put_squares(struct frame *frame, const uint8_t squares[PACKED_STATE])
{
    if (!wiring->is_red_low) {
        put_all(frame, squares, PACKED_STATE);
        return;
    }
    for (uint8_t i = 0; i < PACKED_STATE; i++)
        frame_put(frame, (uint8_t)((squares[i] & 0x55) << 1 | (squares[i] >> 1 & 0x55)));
}

/* Ages are rounded down to milliseconds, so a reported time is never before the actual time. */
static void put_changes(struct frame *frame, uint16_t now, const struct changes *changes)
{
    frame_put(frame, changes->count);
    for (uint8_t i = 0; i < changes->count; i++) {
        frame_put(frame, changes->list[i].square);
        frame_put(frame, (uint8_t)((uint16_t)(now - changes->list[i].time) / TICKS_PER_MS));
    }
}

void write_state(struct frame *frame, uint8_t sequence, uint32_t at_ms,
                 const uint8_t squares[PACKED_STATE], const struct changes *changes,
                 const uint8_t faint[SQUARE_SET])
{
    start(frame, STATE, sequence);
    frame_put_word(frame, (uint16_t)at_ms);
    frame_put_word(frame, (uint16_t)(at_ms >> 16));
    put_squares(frame, squares);
    put_changes(frame, (uint16_t)(at_ms * TICKS_PER_MS), changes);
    if (squares_any(faint))
        put_all(frame, faint, SQUARE_SET);
    frame_close(frame);
}

void write_fault(struct frame *frame, uint8_t sequence, uint8_t code, uint8_t square,
                 uint16_t value)
{
    start(frame, FAULT, sequence);
    frame_put(frame, code);
    frame_put(frame, square);
    frame_put_word(frame, value);
    frame_close(frame);
}

void write_raw(struct frame *frame, uint8_t sequence, uint8_t multiplexer,
               const uint16_t readings[CHANNELS])
{
    start(frame, RAW, sequence);
    frame_put(frame, multiplexer);
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        frame_put_word(frame, readings[channel]);
    frame_close(frame);
}

void calibration_reply_add(struct calibration_reply *reply, enum calibration_result result,
                           const uint8_t squares[SQUARE_SET])
{
    reply->results[reply->count].result = result;
    memcpy(reply->results[reply->count].squares, squares, SQUARE_SET);
    reply->count++;
}

void write_learned(struct frame *frame, uint8_t sequence, const struct calibration_reply *reply)
{
    start(frame, LEARNED, sequence);
    frame_put(frame, reply->step);
    for (uint8_t i = 0; i < reply->count; i++) {
        frame_put(frame, reply->results[i].result);
        put_all(frame, reply->results[i].squares, SQUARE_SET);
    }
    frame_close(frame);
}

void write_status(struct frame *frame, uint8_t sequence, uint16_t supply_mv)
{
    start(frame, STATUS, sequence);
    frame_put_word(frame, supply_mv);
    frame_close(frame);
}

void write_configured(struct frame *frame, uint8_t sequence, enum configure_result result,
                      const struct settings *settings)
{
    start(frame, CONFIGURED, sequence);
    frame_put(frame, result);
    frame_put(frame, settings->kind);
    frame_put(frame, settings->geometry);
    frame_put(frame, settings->on_per_cent);
    frame_put_word(frame, settings->band_gap_mv);
    frame_close(frame);
}

void write_felt(struct frame *frame, uint8_t sequence, uint8_t band,
                const int8_t values[FELT_SQUARES])
{
    start(frame, FELT, sequence);
    frame_put(frame, band);
    put_all(frame, (const uint8_t *)values, FELT_SQUARES);
    frame_close(frame);
}

bool read_command(struct command *command, const uint8_t *payload, uint8_t length)
{
    if (length < HEADER)
        return false;
    const uint8_t *body = payload + HEADER;
    length -= HEADER;
    command->type = payload[0];
    switch (command->type) {
    case IDENTIFY:
    case SEND_RAW:
    case SEND_FELT:
        return length == 0;
    case LEARN:
        if (length != 1 || body[0] > FORGET)
            return false;
        command->step = body[0];
        return true;
    case LAMPS:
        /* The last byte has bits only for squares 96 to 99. */
        if (length != SQUARE_SET || body[SQUARE_SET - 1] > 0x0F)
            return false;
        memcpy(command->squares, body, SQUARE_SET);
        return true;
    case CONFIGURE:
        if (length != 5)
            return false;
        command->requested =
            (struct settings){body[0], body[1], body[2], (uint16_t)(body[3] | body[4] << 8)};
        return true;
    default:
        return false;
    }
}
