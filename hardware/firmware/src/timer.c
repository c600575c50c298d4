#include "timer.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/atomic.h>

#include "changes.h"
#include "protocol.h"

#define COUNTS_PER_MS (F_CPU / 8 / 1000)
#define FRAME_COUNTS (STATE_INTERVAL_MS * COUNTS_PER_MS)
#define COUNTS(us) ((uint16_t)((us) * (COUNTS_PER_MS / 1000)))
/* The last two passes of a frame (1.92 ms each), 0.5 ms of computation after each, and 0.25 ms to
 * write the frame take 5.1 ms. The value includes a small margin. */
#define LAST_PASSES_US (1000 * STATE_INTERVAL_MS - 5300)
/* A pass that begins later would not end before the last two passes. */
#define LATEST_PASS COUNTS(LAST_PASSES_US - 2600)
#define COUNTS_PER_TICK (COUNTS_PER_MS / TICKS_PER_MS)

/* Start times of the passes, in counts from the start of the frame. At the last time, two passes
 * begin in succession. Another pass begins as soon as the previous frame is sent, and leaves time
 * for the work in most frames. The gaps are at most 3.7 ms unless there is more work
 * (SAMPLING_MS). */
static const __flash uint16_t pass_times[] = {COUNTS(3700), COUNTS(7400), COUNTS(11100),
                                            COUNTS(LAST_PASSES_US)};
#define LAST_PASSES_INDEX (sizeof pass_times / sizeof *pass_times - 1)

#define PASS _BV(0)
#define LAST_PASSES _BV(1)
#define FRAME _BV(2)

static volatile uint8_t due;
static volatile uint32_t ms;
static uint8_t next_pass;

ISR(TIMER1_COMPA_vect)
{
    ms += STATE_INTERVAL_MS;
    due |= FRAME;
}

ISR(TIMER1_COMPB_vect)
{
    if (next_pass == LAST_PASSES_INDEX) {
        due |= LAST_PASSES;
        next_pass = 0;
    } else {
        due |= PASS;
        next_pass++;
    }
    OCR1B = pass_times[next_pass] - 1;
}

void timer_start(void)
{
    TCCR1B = 0; /* stopped */
    TCCR1A = 0;
    TCNT1 = 0;
    OCR1A = FRAME_COUNTS - 1;
    OCR1B = pass_times[0] - 1;
    TIFR1 = _BV(OCF1A) | _BV(OCF1B);
    TIMSK1 = _BV(OCIE1A) | _BV(OCIE1B);
    TCCR1B = _BV(WGM12) | _BV(CS11); /* clear on OCR1A; 16 MHz / 8 */
    set_sleep_mode(SLEEP_MODE_IDLE);
}

static bool take_event(uint8_t event)
{
    bool was_due;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        was_due = due & event;
        due &= (uint8_t)~event;
    }
    return was_due;
}

bool timer_pass_due(void)
{
    return take_event(PASS) && TCNT1 < LATEST_PASS;
}

bool timer_last_passes_due(void)
{
    return take_event(LAST_PASSES);
}

bool timer_frame_due(void)
{
    return take_event(FRAME);
}

uint32_t timer_frame_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = due & FRAME ? ms : ms + STATE_INTERVAL_MS;
    }
    return now;
}

/* The counter may have restarted while the interrupt that counts the restart is still pending. */
uint16_t timer_now(void)
{
    uint16_t counts, frame_start;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        counts = TCNT1;
        frame_start = (uint16_t)ms;
        if (TIFR1 & _BV(OCF1A) && counts < FRAME_COUNTS / 2)
            frame_start += STATE_INTERVAL_MS;
    }
    return frame_start * TICKS_PER_MS + counts / COUNTS_PER_TICK;
}

/* The instruction after sei() is executed before any interrupt, so none is missed. */
void timer_sleep(void)
{
    cli();
    if (due == 0) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}
