/* A board with switches: occupied or not, and never a colour. */
#include <string.h>

#include "expect.h"
#include "readings.h"
#include "faults.h"
#include "learn.h"
#include "sense.h"

#define OPEN 1020
#define CLOSED 3

static struct calibration calibration;
static struct senses senses;
static struct learning learning;
static struct learned learned;

static void switches(bool armies)
{
    for (uint8_t square = 0; square < SQUARES; square++)
        readings[square] = armies && (square < 40 || square >= 60) ? CLOSED : OPEN;
    for (int n = 0; n < MOST_PASSED + 2; n++)
        sense_look(&senses, &calibration, readings, 0, senses.backwards);
}

static void expect_squares(void)
{
    switches(true);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(sense_settled(&senses, square) == (square < 40 || square >= 60 ? UNKNOWN : NOTHING),
               "square %d", square);
    EXPECT(!squares_any(senses.faint), "a switch is open or closed");
    switches(false);
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(sense_settled(&senses, square) == NOTHING, "square %d", square);
}

static enum learn_result step(enum learn_step which)
{
    EXPECT(learn_begin(&learning, which) == DONE, "step %d", which);
    while (!learn_look(&learning, &senses, readings))
        ;
    learn_conclude(&learning, &learned);
    EXPECT(learned.count == 1, "%d results", learned.count);
    return learned.results[0].result;
}

static void test_squares_before_and_after_learning(void)
{
    calibration_usual(&calibration);
    expect_squares();
    EXPECT(step(EMPTY) == DONE, "empty");
    switches(true);
    EXPECT(step(EMPTY) == OCCUPIED, "not empty");
    readings[12] = OPEN;
    EXPECT(step(ARMIES) == MISSING, "a switch that nothing closes");
    switches(true);
    EXPECT(step(ARMIES) == DONE, "no magnet is the wrong way round for a switch");
    calibration = learning.copy;
    for (uint8_t square = 0; square < SQUARES; square++)
        EXPECT(calibration.sensors[square].on == USUAL_ON_PRESENCE, "square %d: %d", square,
               calibration.sensors[square].on);
    expect_squares();
}

static void test_a_closed_switch_is_not_stuck(void)
{
    struct faults faults;
    enum fault_code code;
    uint8_t square;
    calibration_usual(&calibration);
    faults_start(&faults);
    switches(true);
    for (int n = 0; n < 2 * FAULT_FRAMES; n++) {
        faults_look(&faults, &senses, &calibration, readings);
        switches(true);
        EXPECT(!faults_next(&faults, &senses, &code, &square), "%d", n);
    }
}

int main(void)
{
    settings_usual(PRESENCE);
    test_squares_before_and_after_learning();
    test_a_closed_switch_is_not_stuck();
    return 0;
}
