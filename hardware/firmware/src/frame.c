#include "frame.h"

#include "crc.h"

void frame_open(struct frame *frame)
{
    frame->length = 1;
}

void frame_put(struct frame *frame, uint8_t byte)
{
    frame->bytes[frame->length++] = byte;
}

void frame_put_word(struct frame *frame, uint16_t word)
{
    frame_put(frame, (uint8_t)word);
    frame_put(frame, (uint8_t)(word >> 8));
}

/* Encode in place: every zero becomes the distance to the next zero. A frame is shorter than 255
 * bytes, so COBS adds only one byte. */
void frame_close(struct frame *frame)
{
    uint16_t crc = CRC_START;
    for (uint8_t i = 1; i < frame->length; i++)
        crc = crc_add(crc, frame->bytes[i]);
    frame_put(frame, (uint8_t)(crc >> 8));
    frame_put(frame, (uint8_t)crc);

    uint8_t zero = 0;
    for (uint8_t i = 1; i < frame->length; i++) {
        if (frame->bytes[i] == 0) {
            frame->bytes[zero] = i - zero;
            zero = i;
        }
    }
    frame->bytes[zero] = frame->length - zero;
    frame_put(frame, 0);
}

/* Decode in place. A distance may lead to the end of the data, but not beyond it. */
static bool decode(uint8_t *bytes, uint8_t length)
{
    uint8_t zero = 0;
    while (zero < length) {
        uint8_t distance = bytes[zero];
        bytes[zero] = 0;
        if (distance > length - zero)
            return false;
        zero += distance;
    }
    return true;
}

/* The CRC over payload and checksum together is 0. */
static bool is_good(struct collector *collector)
{
    if (collector->length < SHORTEST_PAYLOAD + 1 || !decode(collector->bytes, collector->length))
        return false;
    uint16_t crc = CRC_START;
    for (uint8_t i = 1; i < collector->length; i++)
        crc = crc_add(crc, collector->bytes[i]);
    return crc == 0;
}

uint8_t collect(struct collector *collector, uint8_t byte)
{
    if (byte == 0) {
        bool good = !collector->skipping && is_good(collector);
        uint8_t payload = good ? collector->length - 3 : 0;
        collector->length = 0;
        collector->skipping = false;
        return payload;
    }
    /* MAX_FRAME includes the final zero. */
    if (collector->length == MAX_FRAME - 1)
        collector->skipping = true;
    else
        collector->bytes[collector->length++] = byte;
    return 0;
}
