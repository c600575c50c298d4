/* Main loop: scan the board, send STATE every 20 ms, and reply to the computer in between. */
#include <avr/interrupt.h>
#include <string.h>

#include "build_id.h"
#include "calibration.h"
#include "detection.h"
#include "drift_tracking.h"
#include "faults.h"
#include "field_reading.h"
#include "geometry.h"
#include "guided_calibration.h"
#include "lamps.h"
#include "open_wires.h"
#include "protocol.h"
#include "recognition.h"
#include "reset.h"
#include "scan.h"
#include "shift.h"
#include "store.h"
#include "supply.h"
#include "timer.h"
#include "uart.h"

#define STATUS_FRAMES (1000 / STATE_INTERVAL_MS)
/* Sizes in bytes of the reply to IDENTIFY, the longest STATE and a FAULT. All messages leave room
 * for a STATE in the transmit buffer, so no STATE is ever lost. */
#define HELLO_BYTES 19
#define STATE_BYTES 63
#define FAULT_BYTES 10
/* Size of other messages in the same frame: RAW or FELT, STATUS, and the FAULTs LOW_SUPPLY and
 * NO_GROUND. */
#define OTHER_BYTES (39 + 8 + 2 * FAULT_BYTES)
/* Number of received bytes processed in every frame, even if scan passes leave no time between
 * them. The computer may send this many in a frame (docs/protocol.md). If fewer were processed, the
 * receive buffer would overflow when whole armies are set up and removed for a long time. */
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
static uint8_t next_raw = MOST_MULTIPLEXERS; /* multiplexer whose RAW is sent next */
static uint8_t next_band = FELT_BANDS;       /* band whose FELT is sent next */
static bool has_step_request;
static enum calibration_step requested_step; /* step of a LEARN not yet processed */
static enum { CONFIGURE_IDLE, CONFIGURE_REQUESTED, CONFIGURE_SAVING } configure_state;
static struct settings requested_settings;
static bool knows_parts; /* the settings were saved or recognised */

static void send(const struct frame *frame)
{
    uart_send(frame->bytes, frame->length);
    sequence++;
}

/* End a frame that a reset has truncated, because its beginning would make the HELLO unreadable. */
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

/* Process a received byte. Return false if nothing can be processed because there is no byte or no
 * room for the reply, or because a LEARN or CONFIGURE has to be processed first. */
static bool receive(uint8_t reply_bytes)
{
    uint8_t byte;
    if (has_step_request || configure_state != CONFIGURE_IDLE || uart_free() < reply_bytes ||
        !uart_receive(&byte))
        return false;
    struct command command;
    uint8_t length = collect(&collector, byte);
    if (length > 0 && read_command(&command, collector.bytes + 1, length))
        execute(&command);
    return true;
}

/* Process the bytes that have accumulated. While whole armies are set up or removed, passes leave
 * no time between them. A full transmit buffer is empty again after 5 ms, long before the next
 * STATE. */
static void receive_backlog(void)
{
    for (uint8_t received = 0; received < MAX_RECEIVED && receive(HELLO_BYTES); received++)
        continue;
}

/* Disable the calibration. The next ABORT, SAVE or start restores the saved calibration. The states
 * are also reset, because the default release threshold could keep them. */
static void forget_calibration(void)
{
    calibration_default(&calibration);
    calibration_checksum = 0;
    memset(&detection, 0, sizeof detection);
}

static void load_calibration(void)
{
    calibration_checksum = store_load(CALIBRATION, &calibration);
    /* Readings that are too weak for the old thresholds may exceed the new thresholds. */
    slow_change_reset(&detection.slow);
}

/* Continue an EEPROM write, if one is in progress. Return true if the write is not finished. */
static bool continue_saving(void)
{
    return (guided.active_step == SAVE || configure_state == CONFIGURE_SAVING) && !store_step(&job);
}

static void scan(void)
{
    uint16_t start = timer_now();
    bool backwards = detection.backwards;
    scan_pass(readings, backwards);
    open_wires_ground(readings);
    continue_saving(); /* a byte takes 3.4 ms, and passes leave little time to start writing */
    detection_add_pass(&detection, &calibration, readings, start, backwards);
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
    slow_change_reset(&detection.slow); /* return the borrowed memory */
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

/* Use the saved calibration, read back from the EEPROM. If the EEPROM has failed, nothing has
 * changed. */
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

/* Use the settings of the recognised parts. Return false if no parts are recognised. */
static bool recognise_parts(void)
{
    struct recognition recognition = {0};
    uint8_t kind, geometry;
    for (uint8_t channel = 0; channel < MOST_CHANNELS; channel++)
        recognition_add(&recognition, channel, scan_channel(channel));
    if (!recognition_find(&recognition, &kind, &geometry))
        return false;
    settings_default(kind, geometry);
    return true;
}

static void restart(void)
{
    memset(&guided, 0, sizeof guided);
    memset(&tracking, 0, sizeof tracking);
    open_wires_start();
    forget_calibration();
    load_calibration();
    detection_start(&detection);
    faults_start(&faults);
    next_raw = MOST_MULTIPLEXERS;
    next_band = FELT_BANDS;
}

/* Restart with the saved settings or, if there are none, those of the recognised parts. */
static void restart_with_settings(void)
{
    knows_parts = store_load_settings() || recognise_parts();
    restart();
}

/* Once a second, try again to recognise the board, because its sensors' supply may have been
 * connected after the Nano's. The attempt takes 6 ms and delays the passes of that frame. */
static void recognise_late(void)
{
    if (knows_parts || guided.active_step != ABORT || uart_free() < HELLO_BYTES)
        return;
    knows_parts = recognise_parts();
    if (knows_parts) {
        restart();
        send_hello();
    }
}

static void send_configured(enum configure_result result)
{
    struct frame frame;
    write_configured(&frame, sequence, result, &settings);
    send(&frame);
    configure_state = CONFIGURE_IDLE;
}

/* Process a CONFIGURE. Saved settings are read back from the EEPROM before use, as after a
 * calibration. */
static void configure(void)
{
    if (configure_state == CONFIGURE_REQUESTED) {
        enum configure_result result =
            guided.active_step == ABORT ? settings_complete(&requested_settings) : NOT_NOW;
        if (result != ACCEPTED ||
            memcmp(&requested_settings, &settings, sizeof requested_settings) == 0) {
            send_configured(result);
            return;
        }
        store_begin(&job, SETTINGS, &requested_settings);
        configure_state = CONFIGURE_SAVING;
    } else if (configure_state == CONFIGURE_SAVING && store_step(&job)) {
        restart_with_settings();
        send_configured(memcmp(&requested_settings, &settings, sizeof requested_settings) == 0
                        ? ACCEPTED
                        : NOT_NOW);
    }
}

static bool has_sensor_in_range(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        if (squares_has(faults.was_in_range, square))
            return true;
    }
    return false;
}

/* Return the lowest supply that matters to the players, given the board's supply. Tiles have their
 * own supply, which may be missing. */
static uint16_t lowest_supply(uint16_t supply)
{
    static uint8_t brown_out_reports;
    if (was_brown_out() && brown_out_reports < BROWN_OUT_REPORTS) {
        brown_out_reports++;
        return BROWN_OUT_MV;
    }
    if (settings.geometry == TILES && !has_sensor_in_range())
        return 0;
    return supply - (uint16_t)((uint32_t)supply * detection.sag / RESTING_COLOURS);
}

static void send_status(void)
{
    uint16_t supply = supply_mv(scan_band_gap(SUPPLY_READINGS));
    struct frame frame;
    write_status(&frame, sequence, supply);
    send(&frame);
    supply = lowest_supply(supply);
    if (supply < LOW_SUPPLY_MV)
        send_fault(LOW_SUPPLY, NO_SQUARE, supply);
}

/* Check whether the spare input of the next multiplexer is at ground. Call once per second. */
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

/* Report the next sensor fault. Return false if there are no more faults. */
static bool report_fault(void)
{
    enum fault_code code;
    uint8_t square;
    if (!faults_next(&faults, &detection, &code, &square))
        return false;
    if (code == DRIFT && calibration_checksum == 0) /* default resting levels are meaningless */
        return true;
    uint16_t reading = readings[square];
    if (code == STUCK_CHANNEL && (open_wires_has(square) ||
                                  (reading <= STUCK_WITHIN && seems_open(square, readings))))
        code = OPEN_WIRE;
    send_fault(code, square, reading);
    return true;
}

static void check_sensors(void)
{
    open_wires_check(readings, detection.suspect);
    detection.suspect = NO_READING;
    detection_end_frame(&detection, &calibration, readings);
    faults_update(&faults, &detection, &calibration, readings);
    if (report_fault() && uart_free() >= FAULT_BYTES + OTHER_BYTES)
        report_fault();
}

/* Track drift only with a calibration, and not during a new calibration. Switches do not drift. */
static void track_drift(void)
{
    bool is_calibrated = calibration_checksum != 0 && guided.active_step == ABORT;
    if (sees_colours() && is_calibrated && detection.sag == 0)
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

/* Send one message per frame, because the transmit buffer has no room for more. */
static void send_next_readings(void)
{
    if (next_raw < wiring->multiplexers)
        send_raw();
    else
        send_felt();
}

/* Remaining tasks in a frame. They take at most 5 ms of the 15 ms until the last passes, and delay
 * the passes in between. */
static void work(void)
{
    static uint8_t frames;
    check_sensors(); /* first, because a calibration resets the past readings */
    continue_saving();
    calibrate();
    configure();
    track_drift();
    send_next_readings();
    if (++frames == STATUS_FRAMES) {
        frames = 0;
        send_status();
        check_ground();
        recognise_late();
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
        changes_expire(&detection.changes, (uint16_t)(at_ms * TICKS_PER_MS));
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
