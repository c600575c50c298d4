/* The board: looks, says what it sees, and answers the computer in the time between. */
#include <avr/interrupt.h>
#include <string.h>

#include "calibration.h"
#include "faults.h"
#include "felt.h"
#include "geometry.h"
#include "label.h"
#include "lamps.h"
#include "learn.h"
#include "protocol.h"
#include "reset.h"
#include "scan.h"
#include "sense.h"
#include "shift.h"
#include "store.h"
#include "supply.h"
#include "timer.h"
#include "track.h"
#include "uart.h"

#define STATUS_FRAMES (1000 / STATE_INTERVAL_MS)
/* What an answer to IDENTIFY takes, and the longest STATE. Whatever is sent leaves room for a STATE in the
 * queue, so none is ever lost. */
#define ROOM_FOR_HELLO 19
#define ROOM_FOR_STATE 63
#define ROOM_FOR_FAULT 10
/* What else may be due in the same frame: RAW or FELT, STATUS, and that the supply is low or an input not at ground. */
#define ROOM_FOR_REST (39 + 8 + 2 * ROOM_FOR_FAULT)
/* Bytes that are read from the queue in every frame, even if looks leave no time between them. It is the number that
 * a computer may send in a frame (docs/protocol.md): with fewer the queue would overflow when whole armies come and
 * go for long. */
#define MOST_HEARD 30

static uint16_t readings[READINGS];
static struct calibration calibration;
static uint16_t calibration_checksum;
static struct senses senses;
static struct faults faults;
static struct tracking tracking;
static struct learning learning;
static struct saving saving;
static struct collector collector;
static uint8_t sequence;
static uint8_t next_raw = MOST_MULTIPLEXERS; /* the multiplexer whose readings go out next */
static uint8_t next_felt = FELT_BANDS; /* the band that is told next of what is felt */
static bool step_asked;
static enum learn_step asked_step; /* of a LEARN that is still to be obeyed */
static enum { NO_WISH, ASKED, KEPT } wish_is; /* of a CONFIGURE: nothing, still to be obeyed, being saved */
static struct settings wish;

static void send(const struct frame *frame)
{
    uart_send(frame->bytes, frame->length);
    sequence++;
}

/* A reset may have cut a frame short: its beginning would swallow the HELLO. */
static void end_cut_frame(void)
{
    const uint8_t end = 0;
    uart_send(&end, 1);
}

static void say_hello(void)
{
    const struct hello hello = {{FIRMWARE_MAJOR, FIRMWARE_MINOR, FIRMWARE_PATCH},
                                settings.kind,
                                reset_cause(),
                                calibration_checksum,
                                settings.geometry,
                                label_build()};
    struct frame frame;
    write_hello(&frame, sequence, &hello);
    send(&frame);
}

static void say_fault(enum fault_code code, uint8_t square, uint16_t value)
{
    struct frame frame;
    write_fault(&frame, sequence, code, square, value);
    send(&frame);
}

static void say_learned(const struct learned *learned)
{
    struct frame frame;
    write_learned(&frame, sequence, learned);
    send(&frame);
}

static void obey(const struct command *command)
{
    switch (command->type) {
    case IDENTIFY:
        say_hello();
        break;
    case SEND_RAW:
        next_raw = 0;
        break;
    case SEND_FELT:
        if (sees_colours()) {
            next_felt = 0;
            track_hold(&tracking);
        }
        break;
    case LEARN:
        step_asked = true;
        asked_step = command->step;
        break;
    case LAMPS:
        shift_out(lamps_of(command->squares));
        break;
    case CONFIGURE:
        wish_is = ASKED;
        wish = command->wish;
        break;
    }
}

/* Takes a byte of what the computer has sent. Returns false if there is nothing to take: no byte, no
 * room for an answer, or a LEARN or CONFIGURE that comes first. */
static bool listen(uint8_t room)
{
    uint8_t byte;
    if (step_asked || wish_is != NO_WISH || uart_room() < room || !uart_take(&byte))
        return false;
    struct command command;
    uint8_t length = collect(&collector, byte);
    if (length > 0 && read_command(&command, collector.bytes + 1, length))
        obey(&command);
    return true;
}

/* When whole armies come and go, looks leave no time between them. A full queue of what is sent is empty again 5 ms
 * later, long before the next STATE. */
static void listen_in_any_case(void)
{
    for (uint8_t heard = 0; heard < MOST_HEARD && listen(ROOM_FOR_HELLO); heard++)
        continue;
}

/* What was saved comes back with the next ABORT, SAVE or start. What was believed is forgotten too, or the
 * lower threshold would hold on to it. */
static void forget_calibration(void)
{
    calibration_usual(&calibration);
    calibration_checksum = 0;
    memset(&senses, 0, sizeof senses);
}

static void load_calibration(void)
{
    calibration_checksum = store_load(CALIBRATION, &calibration);
    creep_forget(&senses.creep); /* what was too weak by the old thresholds may be felt by the new */
}

/* Goes on with what is being saved, if anything is. */
static bool is_saving(void)
{
    return (learning.under_way == SAVE || wish_is == KEPT) && !store_step(&saving);
}

static void look(void)
{
    uint16_t at = timer_now();
    bool backwards = senses.backwards;
    scan_look(readings, backwards);
    is_saving(); /* a byte takes 3.4 ms, and looks leave little time to begin one */
    sense_look(&senses, &calibration, readings, at, backwards);
}

static void answer_step(enum learn_step step, enum learn_result result)
{
    const uint8_t no_squares[SQUARE_SET] = {0};
    struct learned learned = {.step = step};
    learned_add(&learned, result, no_squares);
    say_learned(&learned);
}

static void conclude_step(void)
{
    struct learned learned;
    learn_conclude(&learning, &learned);
    creep_forget(&senses.creep); /* it was lent */
    say_learned(&learned);
}

static void begin_step(enum learn_step step)
{
    enum learn_result result = learn_begin(&learning, step);
    if (result == DONE && step == SAVE)
        store_begin(&saving, CALIBRATION, &learning.copy);
    if (result == DONE && step == ABORT)
        load_calibration();
    if (result == DONE && step == FORGET)
        forget_calibration();
    if (result != DONE || learning.under_way == ABORT)
        answer_step(step, result);
}

/* What was written is read back and used; if the EEPROM has failed, nothing was done. */
static void conclude_save(void)
{
    load_calibration();
    learn_saved(&learning);
    answer_step(SAVE, calibration_checksum == saving.checksum ? DONE : OUT_OF_ORDER);
}

static void learn(void)
{
    if (learning.under_way == SAVE && store_step(&saving))
        conclude_save();
    if (learn_look(&learning, &senses, readings))
        conclude_step();
    if (step_asked)
        begin_step(asked_step);
    step_asked = false;
}

/* The board begins anew, with other settings. */
static void begin_with_settings(void)
{
    store_load_settings();
    memset(&learning, 0, sizeof learning);
    memset(&tracking, 0, sizeof tracking);
    forget_calibration();
    load_calibration();
    sense_start(&senses);
    faults_start(&faults);
    next_raw = MOST_MULTIPLEXERS;
    next_felt = FELT_BANDS;
}

static void say_configured(enum configure_result result)
{
    struct frame frame;
    write_configured(&frame, sequence, result, &settings);
    send(&frame);
    wish_is = NO_WISH;
}

/* What was written is read back and used, as a calibration is. */
static void configure(void)
{
    if (wish_is == ASKED) {
        enum configure_result result = learning.under_way == ABORT ? settings_complete(&wish) : NOT_NOW;
        if (result != CONFIGURED_SO || memcmp(&wish, &settings, sizeof wish) == 0) {
            say_configured(result);
            return;
        }
        store_begin(&saving, SETTINGS, &wish);
        wish_is = KEPT;
    } else if (wish_is == KEPT && store_step(&saving)) {
        begin_with_settings();
        say_configured(memcmp(&wish, &settings, sizeof wish) == 0 ? CONFIGURED_SO : NOT_NOW);
    }
}

static void say_status(void)
{
    uint16_t supply = supply_mv(scan_band_gap(SUPPLY_READINGS));
    struct frame frame;
    write_status(&frame, sequence, supply);
    send(&frame);
    if (supply < LOW_SUPPLY_MV)
        say_fault(LOW_SUPPLY, NO_SQUARE, supply);
}

/* Looks whether the spare input of a multiplexer is at ground, one of them a second. */
static void check_ground(void)
{
    static uint8_t multiplexer;
    uint8_t first = multiplexer * CHANNELS;
    if (uart_room() < ROOM_FOR_FAULT)
        return;
    if (sees_colours() && scan_after(first + wiring->ground, first) > STUCK_WITHIN)
        say_fault(NO_GROUND, NO_SQUARE, multiplexer);
    multiplexer = (uint8_t)(multiplexer + 1) >= wiring->multiplexers ? 0 : multiplexer + 1;
}

/* Whether a square that reads as ground does so because its wire is open: right after the highest of its
 * multiplexer's other inputs it then reads otherwise. */
static bool is_open(uint8_t square)
{
    uint8_t channel = channel_of(square), highest = square;
    uint8_t first = channel / CHANNELS * CHANNELS;
    for (uint8_t each = first; each < first + CHANNELS; each++) {
        uint8_t other = wiring->squares[each];
        if (other != NO_READING && readings[other] > readings[highest])
            highest = other;
    }
    return scan_after(channel, channel_of(highest)) > STUCK_WITHIN;
}

/* Tells the next fault of a sensor, if there is one. */
static bool tell_fault(void)
{
    enum fault_code code;
    uint8_t square;
    if (!faults_next(&faults, &senses, &code, &square))
        return false;
    if (code == DRIFT && calibration_checksum == 0) /* from what nobody has learned */
        return true;
    uint16_t reading = readings[square];
    if (code == STUCK_CHANNEL && reading <= STUCK_WITHIN && is_open(square))
        code = OPEN_WIRE;
    say_fault(code, square, reading);
    return true;
}

static void watch_sensors(void)
{
    sense_frame(&senses, &calibration, readings);
    faults_look(&faults, &senses, &calibration, readings);
    if (tell_fault() && uart_room() >= ROOM_FOR_FAULT + ROOM_FOR_REST)
        tell_fault();
}

/* From what nobody has learned nothing is followed; nor while it is learned anew. A switch does not wander. */
static void follow_drift(void)
{
    if (sees_colours() && calibration_checksum != 0 && learning.under_way == ABORT)
        track_look(&tracking, &calibration, &senses, readings);
}

static void send_raw(void)
{
    struct frame frame;
    uint16_t raw[CHANNELS];
    for (uint8_t input = 0; input < CHANNELS; input++) {
        uint8_t square = wiring->squares[CHANNELS * next_raw + input];
        raw[input] = square == NO_READING ? 0 : readings[square];
    }
    write_raw(&frame, sequence, next_raw, raw);
    send(&frame);
    next_raw++;
}

static void send_felt(void)
{
    if (next_felt >= FELT_BANDS)
        return;
    struct frame frame;
    int8_t felt[FELT_SQUARES];
    uint8_t square = next_felt * FELT_SQUARES;
    for (uint8_t i = 0; i < FELT_SQUARES; i++, square++)
        felt[i] = felt_of(&calibration.sensors[square], readings[square]);
    write_felt(&frame, sequence, next_felt, felt);
    send(&frame);
    next_felt++;
}

/* One of them a frame: there is room in the queue for one. */
static void send_readings(void)
{
    if (next_raw < wiring->multiplexers)
        send_raw();
    else
        send_felt();
}

/* All that has time, once a frame. It takes 5 ms at most, of the 15 until the last looks; those between
 * have to wait for it. */
static void work(void)
{
    static uint8_t frames;
    watch_sensors(); /* first, as a new calibration forgets what the sensors have read before */
    is_saving();
    learn();
    configure();
    follow_drift();
    send_readings();
    if (++frames == STATUS_FRAMES) {
        frames = 0;
        say_status();
        check_ground();
    }
}

int main(void)
{
    scan_start();
    shift_start();
    uart_start();
    begin_with_settings();
    reset_when_hung();
    timer_start();
    sei();
    end_cut_frame();
    say_hello();
    for (;;) {
        while (!timer_last_looks_due()) {
            bool saving = is_saving();
            if (timer_look_due())
                look();
            else if (!listen(ROOM_FOR_HELLO + ROOM_FOR_STATE) && !saving)
                timer_doze();
        }
        look();
        look();
        reset_not_yet();
        struct frame state;
        uint32_t at_ms = timer_frame_ms();
        changes_forget(&senses.changes, (uint16_t)(at_ms * PER_MS));
        write_state(&state, sequence, at_ms, senses.settled, &senses.changes, senses.faint);
        while (!timer_frame_due())
            timer_doze();
        send(&state);
        is_saving();
        look();
        is_saving();
        work();
        listen_in_any_case();
    }
}
