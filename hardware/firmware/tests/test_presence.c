/* Tests for a board with switches, which detects pieces but not their colours. */
#include <string.h>

#include "detection.h"
#include "expect.h"
#include "faults.h"
#include "guided_calibration.h"
#include "readings.h"

#define OPEN 1020
#define CLOSED 3

static struct calibration calibration;
static struct detection detection;
static struct guided_calibration guided;
static struct calibration_reply reply;

static void set_switches(bool armies)
{
    for (uint8_t square = 0; square < SQUARES; square++)
        readings[square] = armies && (square < 40 || square >= 60) ? CLOSED : OPEN;
    for (int n = 0; n < MAX_SKIPPED + 2; n++)
        detection_add_pass(&detection, &calibration, readings, 0, detection.backwards);
}

static void expect_states(void)
{
    set_switches(true);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(detection_state(&detection, square) == (square < 40 || square >= 60 ? UNKNOWN : NO_PIECE),
               "square %d", square);
    EXPECT(!squares_any(detection.faint), "switches are never faint");
    set_switches(false);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(detection_state(&detection, square) == NO_PIECE, "square %d", square);
}

static enum calibration_result step(enum calibration_step which)
{
    EXPECT(calibrate_begin(&guided, which) == DONE, "step %d", which);
    while (!calibrate_add_pass(&guided, &detection, readings))
        ;
    calibrate_finish(&guided, &reply);
    EXPECT(reply.count == 1, "%d results", reply.count);
    return reply.results[0].result;
}

static void test_states_before_and_after_calibration(void)
{
    calibration_default(&calibration);
    expect_states();
    EXPECT(step(EMPTY) == DONE, "empty");
    set_switches(true);
    EXPECT(step(EMPTY) == OCCUPIED, "not empty");
    readings[12] = OPEN;
    EXPECT(step(ARMIES) == MISSING, "a switch that stays open");
    set_switches(true);
    EXPECT(step(ARMIES) == DONE, "switches have no flipped magnets");
    calibration = guided.copy;
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(calibration.sensors[square].threshold == USUAL_ON_PRESENCE, "square %d: %d", square,
               calibration.sensors[square].threshold);
    expect_states();
}

static void test_closed_switch_is_not_stuck(void)
{
    struct faults faults;
    enum fault_code code;
    uint8_t square;
    calibration_default(&calibration);
    faults_start(&faults);
    set_switches(true);
    for (int n = 0; n < 2 * FAULT_FRAMES; n++) {
        faults_update(&faults, &detection, &calibration, readings);
        set_switches(true);
        EXPECT(!faults_next(&faults, &detection, &code, &square), "%d", n);
    }
}

int main(void)
{
    settings_default(PRESENCE, BY_HAND);
    test_states_before_and_after_calibration();
    test_closed_switch_is_not_stuck();
    return 0;
}
