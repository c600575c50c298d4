/* Tests for sensor faults, with tables of readings over time. */
#include <string.h>

#include "expect.h"
#include "faults.h"
#include "readings.h"

#define E4 34

static struct calibration calibration;
static struct detection detection;
static struct faults faults;

static void start(void)
{
    memset(&detection, 0, sizeof detection);
    for (uint8_t square = 0; square < SQUARES; square++) /* a piece deflects by 300 counts */
        calibration.sensors[square] = (struct sensor){.rest = 0, .threshold = 51};
    faults_start(&faults);
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 512;
}

static bool frame(enum fault_code *code, uint8_t *square)
{
    for (int n = 0; n < 6; n++)
        detection_add_pass(&detection, &calibration, readings, 0, detection.backwards);
    detection_end_frame(&detection, &calibration, readings);
    faults_update(&faults, &detection, &calibration, readings);
    return faults_next(&faults, &detection, code, square);
}

#define NONE 0

/* Fault reported for a constant reading of e4's sensor. */
static const struct {
    const char *name;
    uint16_t reading;
    int code;
} steady[] = {
    {"an empty square", 512, NONE},
    {"a red piece", 800, NONE},
    {"a blue piece", 200, NONE},
    {"the strongest magnet that a sensor can show", 983, NONE},
    {"crosstalk, 8 %", 512 - 24, NONE},
    {"10 %", 512 + 30, NONE},
    {"more than 10 %", 512 + 31, DRIFT},
    {"more than 10 % below", 512 - 31, DRIFT},
    {"almost a piece", 512 + 50, DRIFT},
    {"a short to ground", 0, STUCK_CHANNEL},
    {"a short to ground, with noise", 39, STUCK_CHANNEL},
    {"not quite", 40, NONE},
    {"a short to the supply", 1023, STUCK_CHANNEL},
    {"a short to the supply, with noise", 984, STUCK_CHANNEL},
    {"not quite", 983, NONE},
};

static void test_steady_readings(void)
{
    for (size_t i = 0; i < ROWS(steady); i++) {
        enum fault_code code;
        uint8_t square;
        int reported = 0;
        bool is_stuck = steady[i].code == STUCK_CHANNEL;
        start();
        readings[E4] = steady[i].reading;
        /* A single frame may be a burst. Drift is observed for three seconds. */
        for (int n = 0; n < (is_stuck ? 1 : FAULT_FRAMES - 1); n++)
            EXPECT(!frame(&code, &square), "%s: too early, %d", steady[i].name, n);
        for (int n = 0; n < (is_stuck ? 2 * REPEAT_FRAMES - 2 : 2 * FAULT_FRAMES); n++) {
            if (frame(&code, &square)) {
                EXPECT(code == (enum fault_code)steady[i].code && square == E4, "%s: %d on %d",
                       steady[i].name, code, square);
                reported++;
            }
        }
        /* The report is repeated as long as the fault lasts. */
        EXPECT(reported == (steady[i].code == NONE ? 0 : 2), "%s: %d times", steady[i].name, reported);
    }
}

static void test_dying_sensor_is_reported_until_it_rests(void)
{
    enum fault_code code;
    uint8_t square;
    uint16_t *reading = readings + E4;
    start();
    while (*reading < 512 + 51) {
        EXPECT(!frame(&code, &square), "at %d", *reading);
        *reading += 3;
    }
    int frames = 1;
    while (!frame(&code, &square)) {
        *reading += 3;
        frames++;
    }
    EXPECT(code == DYING && square == E4 && frames <= 3, "after %d frames", frames);
    for (int n = 0; n < ARRIVAL_REST_FRAMES + 2; n++)
        frame(&code, &square);
    for (int n = 0; n < FAULT_FRAMES; n++)
        EXPECT(!frame(&code, &square), "at rest");
}

static void test_hovering_piece_is_no_fault(void)
{
    enum fault_code code;
    uint8_t square;
    start();
    for (int n = 0; n < 5 * FAULT_FRAMES; n++) {
        /* A hand holds a piece above the square and removes it once in a while. */
        readings[E4] = n % FAULT_FRAMES == 50 ? 512 : 560;
        EXPECT(!frame(&code, &square), "at frame %d", n);
    }
}

static void test_many_faults_in_turn(void)
{
    enum fault_code code;
    uint8_t square;
    start();
    for (int square = 0; square < SQUARES; square++)
        readings[square] = 1023;
    EXPECT(!frame(&code, &square), "too early");
    for (int round = 0; round < 2; round++) {
        for (uint8_t n = 0; n < SQUARES; n++)
            EXPECT(frame(&code, &square) && code == STUCK_CHANNEL && square == n, "square %d", n);
        EXPECT(!frame(&code, &square), "end of the round");
    }
}

int main(void)
{
    test_steady_readings();
    test_hovering_piece_is_no_fault();
    test_dying_sensor_is_reported_until_it_rests();
    test_many_faults_in_turn();
    return 0;
}
