/* The board: looks, says what it sees, and answers the computer in the time between. */
#include <avr/interrupt.h>
#include <string.h>

#include "calibration.h"
#include "faults.h"
#include "field_reading.h"
#include "geometry.h"
#include "build_id.h"
#include "lamps.h"
#include "guided_calibration.h"
#include "protocol.h"
#include "reset.h"
#include "scan.h"
#include "detection.h"
#include "shift.h"
#include "store.h"
#include "supply.h"
#include "timer.h"
#include "drift_tracking.h"
#include "uart.h"

#define STATUS_FRAMES (1000 / STATE_INTERVAL_MS)
/* What an answer to IDENTIFY takes, and the longest STATE. Whatever is sent leaves room for a STATE in the
 * queue, so none is ever lost. */
#define HELLO_BYTES 19
#define STATE_BYTES 63
#define FAULT_BYTES 10
/* What else may be due in the same frame: RAW or FELT, STATUS, and that the supply is low or an input not at ground. */
#define OTHER_BYTES (39 + 8 + 2 * FAULT_BYTES)
/* Bytes that are read from the queue in every frame, even if looks leave no time between them. It is the number that
 * a computer may send in a frame (docs/protocol.md): with fewer the queue would overflow when whole armies come and
 * go for long. */
#define MAX_RECEIVED 30

static uint16_t readings[READINGS];
static struct calibration calibration;
static uint16_t calibration_checksum;
static struct detection detection;
static struct faults faults;
static struct drift_tracking tracking;
static struct guided_calibration guided;
static struct store_job job;
static struct collector collector;
static uint8_t sequence;
static uint8_t next_raw = MOST_MULTIPLEXERS; /* the multiplexer whose readings go out next */
static uint8_t next_band = FELT_BANDS; /* the band that is told next of what is felt */
static bool has_step_request;
static enum calibration_step requested_step; /* of a LEARN that is still to be obeyed */
static enum { CONFIGURE_IDLE, CONFIGURE_REQUESTED, CONFIGURE_SAVING } configure_state; /* of a CONFIGURE: nothing, still to be obeyed, being saved */
static struct settings requested_settings;

static void send(const struct frame *frame)
{
    uart_send(frame->bytes, frame->length);
    sequence++;
}

/* A reset may have cut a frame short: its beginning would swallow the HELLO. */
static void end_truncated_frame(void)
{
    const uint8_t end = 0;
    uart_send(&end, 1);
}

static void send_hello(void)
{
    const struct hello hello = {{FIRMWARE_MAJOR, FIRMWARE_MINOR, FIRMWARE_PATCH},
                                settings.kind,
                                reset_cause(),
                                calibration_checksum,
                                settings.geometry,
                                build_id()};
    struct frame frame;
    write_hello(&frame, sequence, &hello);
    send(&frame);
}

static void send_fault(enum fault_code code, uint8_t square, uint16_t value)
{
    struct frame frame;
    write_fault(&frame, sequence, code, square, value);
    send(&frame);
}

static void send_reply(const struct calibration_reply *reply)
{
    struct frame frame;
    write_learned(&frame, sequence, reply);
    send(&frame);
}

static void execute(const struct command *command)
{
    switch (command->type) {
    case IDENTIFY:
        send_hello();
        break;
    case SEND_RAW:
        next_raw = 0;
        break;
    case SEND_FELT:
        if (sees_colours()) {
            next_band = 0;
            drift_hold(&tracking);
        }
        break;
    case LEARN:
        has_step_request = true;
        requested_step = command->step;
        break;
    case LAMPS:
        shift_out(lamps_of(command->squares));
        break;
    case CONFIGURE:
        configure_state = CONFIGURE_REQUESTED;
        requested_settings = command->requested;
        break;
    }
}

/* Takes a byte of what the computer has sent. Returns false if there is nothing to take: no byte, no
 * room for an answer, or a LEARN or CONFIGURE that comes first. */
static bool receive(uint8_t reply_bytes)
{
    uint8_t byte;
    if (has_step_request || configure_state != CONFIGURE_IDLE || uart_free() < reply_bytes || !uart_receive(&byte))
        return false;
    struct command command;
    uint8_t length = collect(&collector, byte);
    if (length > 0 && read_command(&command, collector.bytes + 1, length))
        execute(&command);
    return true;
}

/* When whole armies come and go, looks leave no time between them. A full queue of what is sent is empty again 5 ms
 * later, long before the next STATE. */
static void receive_backlog(void)
{
    for (uint8_t received = 0; received < MAX_RECEIVED && receive(HELLO_BYTES); received++)
        continue;
}

/* What was saved comes back with the next ABORT, SAVE or start. What was believed is forgotten too, or the
 * lower threshold would hold on to it. */
static void forget_calibration(void)
{
    calibration_default(&calibration);
    calibration_checksum = 0;
    memset(&detection, 0, sizeof detection);
}

static void load_calibration(void)
{
    calibration_checksum = store_load(CALIBRATION, &calibration);
    slow_change_reset(&detection.slow); /* what was too weak by the old thresholds may be felt by the new */
}

/* Goes on with what is being saved, if anything is. */
static bool continue_saving(void)
{
    return (guided.active_step == SAVE || configure_state == CONFIGURE_SAVING) && !store_step(&job);
}

static void scan(void)
{
    uint16_t at = timer_now();
    bool backwards = detection.backwards;
    scan_pass(readings, backwards);
    continue_saving(); /* a byte takes 3.4 ms, and looks leave little time to begin one */
    detection_add_pass(&detection, &calibration, readings, at, backwards);
}

static void send_result(enum calibration_step step, enum calibration_result result)
{
    const uint8_t no_squares[SQUARE_SET] = {0};
    struct calibration_reply reply = {.step = step};
    calibration_reply_add(&reply, result, no_squares);
    send_reply(&reply);
}

static void finish_step(void)
{
    struct calibration_reply reply;
    calibrate_finish(&guided, &reply);
    slow_change_reset(&detection.slow); /* it was lent */
    send_reply(&reply);
}

static void begin_step(enum calibration_step step)
{
    enum calibration_result result = calibrate_begin(&guided, step);
    if (result == DONE && step == SAVE)
        store_begin(&job, CALIBRATION, &guided.copy);
    if (result == DONE && step == ABORT)
        load_calibration();
    if (result == DONE && step == FORGET)
        forget_calibration();
    if (result != DONE || guided.active_step == ABORT)
        send_result(step, result);
}

/* What was written is read back and used; if the EEPROM has failed, nothing was done. */
static void finish_save(void)
{
    load_calibration();
    calibrate_saved(&guided);
    send_result(SAVE, calibration_checksum == job.checksum ? DONE : OUT_OF_ORDER);
}

static void calibrate(void)
{
    if (guided.active_step == SAVE && store_step(&job))
        finish_save();
    if (calibrate_add_pass(&guided, &detection, readings))
        finish_step();
    if (has_step_request)
        begin_step(requested_step);
    has_step_request = false;
}

/* The board begins anew, with other settings. */
static void restart_with_settings(void)
{
    store_load_settings();
    memset(&guided, 0, sizeof guided);
    memset(&tracking, 0, sizeof tracking);
    forget_calibration();
    load_calibration();
    detection_start(&detection);
    faults_start(&faults);
    next_raw = MOST_MULTIPLEXERS;
    next_band = FELT_BANDS;
}

static void send_configured(enum configure_result result)
{
    struct frame frame;
    write_configured(&frame, sequence, result, &settings);
    send(&frame);
    configure_state = CONFIGURE_IDLE;
}

/* What was written is read back and used, as a calibration is. */
static void configure(void)
{
    if (configure_state == CONFIGURE_REQUESTED) {
        enum configure_result result = guided.active_step == ABORT ? settings_complete(&requested_settings) : NOT_NOW;
        if (result != CONFIGURED_SO || memcmp(&requested_settings, &settings, sizeof requested_settings) == 0) {
            send_configured(result);
            return;
        }
        store_begin(&job, SETTINGS, &requested_settings);
        configure_state = CONFIGURE_SAVING;
    } else if (configure_state == CONFIGURE_SAVING && store_step(&job)) {
        restart_with_settings();
        send_configured(memcmp(&requested_settings, &settings, sizeof requested_settings) == 0 ? CONFIGURED_SO : NOT_NOW);
    }
}

static void send_status(void)
{
    uint16_t supply = supply_mv(scan_band_gap(SUPPLY_READINGS));
    struct frame frame;
    write_status(&frame, sequence, supply);
    send(&frame);
    if (supply < LOW_SUPPLY_MV)
        send_fault(LOW_SUPPLY, NO_SQUARE, supply);
}

/* Looks whether the spare input of a multiplexer is at ground, one of them a second. */
static void check_ground(void)
{
    static uint8_t multiplexer;
    uint8_t first = multiplexer * CHANNELS;
    if (uart_free() < FAULT_BYTES)
        return;
    if (sees_colours() && scan_after(first + wiring->ground, first) > STUCK_WITHIN)
        send_fault(NO_GROUND, NO_SQUARE, multiplexer);
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
static bool report_fault(void)
{
    enum fault_code code;
    uint8_t square;
    if (!faults_next(&faults, &detection, &code, &square))
        return false;
    if (code == DRIFT && calibration_checksum == 0) /* from what nobody has learned */
        return true;
    uint16_t reading = readings[square];
    if (code == STUCK_CHANNEL && reading <= STUCK_WITHIN && is_open(square))
        code = OPEN_WIRE;
    send_fault(code, square, reading);
    return true;
}

static void check_sensors(void)
{
    detection_end_frame(&detection, &calibration, readings);
    faults_update(&faults, &detection, &calibration, readings);
    if (report_fault() && uart_free() >= FAULT_BYTES + OTHER_BYTES)
        report_fault();
}

/* From what nobody has learned nothing is followed; nor while it is learned anew. A switch does not wander. */
static void track_drift(void)
{
    if (sees_colours() && calibration_checksum != 0 && guided.active_step == ABORT)
        drift_track(&tracking, &calibration, &detection, readings);
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
    if (next_band >= FELT_BANDS)
        return;
    struct frame frame;
    int8_t values[FELT_SQUARES];
    uint8_t square = next_band * FELT_SQUARES;
    for (uint8_t i = 0; i < FELT_SQUARES; i++, square++)
        values[i] = field_reading(&calibration.sensors[square], readings[square]);
    write_felt(&frame, sequence, next_band, values);
    send(&frame);
    next_band++;
}

/* One of them a frame: there is room in the queue for one. */
static void send_next_readings(void)
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
    check_sensors(); /* first, as a new calibration forgets what the sensors have read before */
    continue_saving();
    calibrate();
    configure();
    track_drift();
    send_next_readings();
    if (++frames == STATUS_FRAMES) {
        frames = 0;
        send_status();
        check_ground();
    }
}

int main(void)
{
    scan_start();
    shift_start();
    uart_start();
    restart_with_settings();
    watchdog_start();
    timer_start();
    sei();
    end_truncated_frame();
    send_hello();
    for (;;) {
        while (!timer_last_passes_due()) {
            bool is_busy = continue_saving();
            if (timer_pass_due())
                scan();
            else if (!receive(HELLO_BYTES + STATE_BYTES) && !is_busy)
                timer_sleep();
        }
        scan();
        scan();
        watchdog_feed();
        struct frame state;
        uint32_t at_ms = timer_frame_ms();
        changes_expire(&detection.changes, (uint16_t)(at_ms * PER_MS));
        write_state(&state, sequence, at_ms, detection.debounced, &detection.changes, detection.faint);
        while (!timer_frame_due())
            timer_sleep();
        send(&state);
        continue_saving();
        scan();
        continue_saving();
        work();
        receive_backlog();
    }
}
