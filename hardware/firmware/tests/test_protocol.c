/* Tests for frames, with the vectors shared with the computer's tests and a million random bytes.
 *
 *     test_protocol wire_vectors.txt */
#include <string.h>

#include "crc.h"
#include "expect.h"
#include "geometry.h"
#include "protocol.h"

struct bytes {
    uint8_t at[2 * MAX_FRAME];
    int count;
};

static struct bytes read_hex(const char *text)
{
    struct bytes bytes = {.count = 0};
    unsigned byte;
    int length;
    while (sscanf(text, "%x%n", &byte, &length) == 1) {
        bytes.at[bytes.count++] = (uint8_t)byte;
        text += length;
    }
    return bytes;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static uint16_t word(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static void test_framing(const char *name, const struct bytes *payload, const struct bytes *frame)
{
    struct frame made;
    frame_open(&made);
    for (int i = 0; i < payload->count; i++)
        frame_put(&made, payload->at[i]);
    frame_close(&made);
    EXPECT(made.length == frame->count && memcmp(made.bytes, frame->at, made.length) == 0, "%s",
           name);
}

static void rewrite_state(struct frame *made, uint8_t sequence, const uint8_t *body,
                          const uint8_t *end)
{
    static const uint8_t none[SQUARE_SET];
    uint32_t at_ms = word(body) | (uint32_t)word(body + 2) << 16;
    const uint8_t *next = body + 4 + PACKED_STATE;
    struct changes changes = {.count = *next++};
    for (uint8_t i = 0; i < changes.count; i++, next += 2)
        changes.list[i] = (struct change){next[0], (uint16_t)((at_ms - next[1]) * TICKS_PER_MS)};
    write_state(made, sequence, at_ms, body + 4, &changes, next < end ? next : none);
}

/* Write a payload again with the function for its message type. */
static void rewrite(struct frame *made, const struct bytes *payload)
{
    uint8_t sequence = payload->at[1];
    const uint8_t *body = payload->at + 2;
    switch (payload->at[0]) {
    case HELLO: {
        struct hello hello = {{body[1], body[2], body[3]}, body[4], body[5], word(body + 6),
                              body[8], word(body + 9) | (uint32_t)word(body + 11) << 16};
        write_hello(made, sequence, &hello);
        break;
    }
    case STATE:
        rewrite_state(made, sequence, body, body + payload->count - 2);
        break;
    case FAULT:
        write_fault(made, sequence, body[0], body[1], word(body + 2));
        break;
    case RAW: {
        uint16_t readings[CHANNELS];
        for (int i = 0; i < CHANNELS; i++)
            readings[i] = word(body + 1 + 2 * i);
        write_raw(made, sequence, body[0], readings);
        break;
    }
    case LEARNED: {
        struct calibration_reply reply = {.step = body[0]};
        for (int at = 1; at < payload->count - 2; at += 1 + SQUARE_SET)
            calibration_reply_add(&reply, body[at], body + at + 1);
        write_learned(made, sequence, &reply);
        break;
    }
    case STATUS:
        write_status(made, sequence, word(body));
        break;
    case CONFIGURED: {
        struct settings settings = {body[1], body[2], body[3], word(body + 4)};
        write_configured(made, sequence, body[0], &settings);
        break;
    }
    case FELT:
        write_felt(made, sequence, body[0], (const int8_t *)body + 1);
        break;
    default:
        EXPECT(false, "type %d", payload->at[0]);
    }
}

static void test_writing(const char *name, const struct bytes *payload, const struct bytes *frame)
{
    struct frame made;
    rewrite(&made, payload);
    EXPECT(made.length == frame->count && memcmp(made.bytes, frame->at, made.length) == 0, "%s",
           name);
}

static bool receive(struct collector *collector, const struct bytes *frame, struct command *command)
{
    bool any = false;
    for (int i = 0; i < frame->count; i++) {
        uint8_t length = collect(collector, frame->at[i]);
        EXPECT(length == 0 || i == frame->count - 1, "completed before its end");
        if (length > 0)
            any = read_command(command, collector->bytes + 1, length);
    }
    return any;
}

static void test_reading(const char *name, const struct bytes *payload, const struct bytes *frame,
                         const char *meaning)
{
    static struct collector collector;
    struct command command;
    bool any = receive(&collector, frame, &command);
    if (payload->at[0] < 0x80 || begins(meaning, "FrameError.")) {
        EXPECT(!any, "%s", name);
        return;
    }
    EXPECT(any && command.type == payload->at[0], "%s", name);
    static const char *const steps[] = {"ABORT", "EMPTY", "ARMIES", "SAVE", "FORGET"};
    char expected[64] = "";
    switch (command.type) {
    case IDENTIFY:
        strcpy(expected, "Identify()");
        break;
    case SEND_RAW:
        strcpy(expected, "RequestRaw()");
        break;
    case SEND_FELT:
        strcpy(expected, "RequestField()");
        break;
    case LEARN:
        snprintf(expected, sizeof expected, "Calibrate(step=CalibrationStep.%s)", steps[command.step]);
        break;
    case LAMPS:
        strcpy(expected, "Lamps(squares=");
        EXPECT(memcmp(command.squares, payload->at + 2, SQUARE_SET) == 0, "%s", name);
        break;
    case CONFIGURE: {
        const uint8_t *body = payload->at + 2;
        strcpy(expected, "Configure(");
        EXPECT(command.requested.kind == body[0] && command.requested.geometry == body[1] &&
               command.requested.on_per_cent == body[2] && command.requested.band_gap_mv == word(body + 3),
               "%s", name);
        break;
    }
    }
    EXPECT(begins(meaning, expected), "%s: %s", name, expected);
}

static void test_test_vectors(const char *path)
{
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL, "%s", path);
    char line[2048];
    int written = 0, commands = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *name = strtok(line, "|");
        struct bytes payload = read_hex(strtok(NULL, "|"));
        struct bytes frame = read_hex(strtok(NULL, "|"));
        const char *meaning = strtok(NULL, "\n") + 1;
        test_framing(name, &payload, &frame);
        test_reading(name, &payload, &frame, meaning);
        commands += payload.at[0] >= 0x80;
        if (payload.at[0] < 0x80 && !begins(meaning, "FrameError.") && !begins(meaning, "Foreign")) {
            test_writing(name, &payload, &frame);
            written++;
        }
    }
    fclose(file);
    EXPECT(written >= 12 && commands >= 8, "only %d messages and %d commands", written, commands);
}

/* One piece reads high, one reads low, and one has an unknown colour. */
static void test_red_reads_low_on_tiles(void)
{
    static const struct changes no_changes;
    static const uint8_t none[SQUARE_SET];
    uint8_t squares[PACKED_STATE] = {0x39};
    struct frame frame;
    geometry_use(TILES);
    write_state(&frame, 1, 1, squares, &no_changes, none);
    EXPECT(frame.bytes[7] == 0x36, "%02X", frame.bytes[7]);
    geometry_use(BY_HAND);
    write_state(&frame, 1, 1, squares, &no_changes, none);
    EXPECT(frame.bytes[7] == 0x39, "%02X", frame.bytes[7]);
}

static void test_checksum(void)
{
    uint16_t crc = CRC_START;
    for (const char *c = "123456789"; *c; c++)
        crc = crc_add(crc, (uint8_t)*c);
    EXPECT(crc == 0x29B1, "%04X", crc);
}

static const struct bytes identify = {{0x02, 0x81, 0x03, 0x35, 0xa6, 0x00}, 6};

static void test_flipped_bit_is_detected(void)
{
    for (int bit = 0; bit < 8 * (identify.count - 1); bit++) {
        struct bytes frame = identify;
        struct collector collector = {.length = 0};
        struct command command;
        frame.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (memchr(frame.at, 0, frame.count - 1) == NULL)
            EXPECT(!receive(&collector, &frame, &command), "bit %d", bit);
    }
}

static void test_overlong_frame_is_skipped(void)
{
    static const int lengths[] = {MAX_FRAME - 1, MAX_FRAME, MAX_FRAME + 1, 1000};
    for (size_t i = 0; i < ROWS(lengths); i++) {
        struct collector collector = {.length = 0};
        struct command command;
        for (int n = 0; n < lengths[i]; n++)
            EXPECT(collect(&collector, 0x55) == 0, "%d bytes", n);
        EXPECT(collect(&collector, 0) == 0, "%d bytes", lengths[i]);
        EXPECT(receive(&collector, &identify, &command), "after %d bytes", lengths[i]);
    }
}

static void test_longest_frame(void)
{
    struct frame frame;
    struct collector collector = {.length = 0};
    frame_open(&frame);
    while (frame.length < MAX_FRAME - 3)
        frame_put(&frame, frame.length % 5);
    frame_close(&frame);
    EXPECT(frame.length == MAX_FRAME, "%d", frame.length);
    uint8_t length = 0;
    for (int i = 0; i < MAX_FRAME; i++)
        length = collect(&collector, frame.bytes[i]);
    EXPECT(length == MAX_FRAME - 4, "%d", length);
    for (uint8_t i = 1; i <= length; i++)
        EXPECT(collector.bytes[i] == i % 5, "byte %d", i);
}

/* Read a million bytes from a fixed seed: noise, zeros, and complete, truncated and damaged
 * frames. */
static void test_random_bytes(void)
{
    struct collector collector = {.length = 0};
    struct command command;
    uint32_t random = 1;
    int read = 0;
    for (int sent = 0; sent < 1000000;) {
        random = random * 1664525 + 1013904223;
        if (random >> 24 < 16) {
            struct frame frame;
            frame_open(&frame);
            frame_put(&frame, 0x80 + (random >> 20 & 7));
            static const uint8_t lengths[] = {0, 1, SQUARE_SET, 5};
            for (unsigned n = lengths[random >> 18 & 3]; n > 0; n--)
                frame_put(&frame, (uint8_t)(random >> 12) / n);
            frame_close(&frame);
            if (random >> 11 & 1)
                frame.bytes[random % frame.length] ^= (uint8_t)(random >> 8);
            for (int i = 0; i < frame.length; i++, sent++) {
                uint8_t length = collect(&collector, frame.bytes[i]);
                EXPECT(length <= MAX_FRAME - 4, "%d", length);
                if (length > 0 && read_command(&command, collector.bytes + 1, length))
                    read++;
            }
        } else {
            uint8_t noise = random >> 16 & 3 ? (uint8_t)(random >> 8) : (uint8_t)(random >> 24 & 1);
            uint8_t length = collect(&collector, noise);
            if (length > 0 && read_command(&command, collector.bytes + 1, length))
                read++;
            sent++;
        }
        EXPECT(collector.length < MAX_FRAME, "%d", collector.length);
    }
    collect(&collector, 0);
    EXPECT(receive(&collector, &identify, &command), "after the random bytes");
    EXPECT(read > 100, "only %d commands", read);
}

int main(int count, char **arguments)
{
    EXPECT(count == 2, "usage: test_protocol wire_vectors.txt");
    test_checksum();
    test_red_reads_low_on_tiles();
    test_test_vectors(arguments[1]);
    test_flipped_bit_is_detected();
    test_overlong_frame_is_skipped();
    test_longest_frame();
    test_random_bytes();
    return 0;
}
