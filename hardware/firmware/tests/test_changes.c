/* Tests for the times of changes: capacity and expiry. */
#include <string.h>

#include "changes.h"
#include "expect.h"

#define MS(ms) ((uint16_t)((ms) * TICKS_PER_MS))

static struct changes changes;

static void start(void)
{
    memset(&changes, 0, sizeof changes);
}

/* Record a change whose old state was read 3 ms before. */
static void note(uint8_t square, uint16_t first_new)
{
    changes_record(&changes, square, first_new - MS(3), first_new);
}

static void expect(const char *name, size_t count, const uint8_t *squares)
{
    EXPECT(changes.count == count, "%s: %d", name, changes.count);
    for (size_t i = 0; i < count; i++)
        EXPECT(changes.list[i].square == squares[i], "%s: %d", name, changes.list[i].square);
}

#define EXPECT_SQUARES(name, ...)                                                                  \
    do {                                                                                           \
        const uint8_t squares[] = {__VA_ARGS__};                                                   \
        expect(name, ROWS(squares), squares);                                                      \
    } while (0)

static void test_changes_expire(void)
{
    start();
    note(34, MS(103));
    note(64, MS(111));
    changes_expire(&changes, MS(103 + CHANGE_REPORT_MS));
    EXPECT_SQUARES("both", 34, 64);
    changes_expire(&changes, MS(103 + CHANGE_REPORT_MS) + 1);
    EXPECT_SQUARES("the later one", 64);
    changes_expire(&changes, MS(500));
    EXPECT(changes.count == 0, "none: %d", changes.count);
}

static void test_times_wrap(void)
{
    start();
    note(34, MS(4090));
    changes_expire(&changes, MS(4100));
    EXPECT_SQUARES("after the wrap", 34);
    note(64, MS(4099));
    changes_expire(&changes, MS(4090 + CHANGE_REPORT_MS + 1));
    EXPECT_SQUARES("the later one", 64);
}

static void test_latest_change_of_a_square(void)
{
    start();
    note(34, MS(103));
    note(64, MS(105));
    note(34, MS(111));
    EXPECT_SQUARES("again", 64, 34);
    EXPECT(changes.list[1].time == MS(111), "%d", changes.list[1].time);
}

static void test_no_time_after_a_gap(void)
{
    start();
    changes_record(&changes, 34, MS(100), MS(100 + SAMPLING_MS - 1));
    EXPECT_SQUARES("no gap", 34);
    changes_record(&changes, 34, MS(110), MS(110 + SAMPLING_MS - 1) + 1);
    EXPECT(changes.count == 0, "the time of the previous change is outdated");
}

static void test_latest_changes_are_kept(void)
{
    start();
    for (uint8_t square = 0; square < MOST_CHANGES + 2; square++)
        note(square, MS(100 + square));
    EXPECT_SQUARES("the latest", 2, 3, 4, 5, 6, 7, 8);
}

int main(void)
{
    test_changes_expire();
    test_times_wrap();
    test_latest_change_of_a_square();
    test_no_time_after_a_gap();
    test_latest_changes_are_kept();
    return 0;
}
