#include "timer.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/atomic.h>

#include "protocol.h"

#define COUNTS_PER_MS (F_CPU / 8 / 1000)
#define FRAME_COUNTS (STATE_INTERVAL_MS * COUNTS_PER_MS)
/* Two looks, 1.83 ms each, 0.4 ms after each to conclude from them, 0.2 ms to write the frame: 4.65 ms,
 * and a little over. */
#define LOOKS_BEFORE_FRAME_US 4750UL
#define LOOKS_AT (FRAME_COUNTS - LOOKS_BEFORE_FRAME_US * COUNTS_PER_MS / 1000)

#define LOOKS _BV(0)
#define FRAME _BV(1)

static volatile uint8_t due;
static volatile uint32_t ms;

ISR(TIMER1_COMPA_vect)
{
    ms += STATE_INTERVAL_MS;
    due |= FRAME;
}

ISR(TIMER1_COMPB_vect)
{
    due |= LOOKS;
}

void timer_start(void)
{
    TCCR1B = 0; /* it stands still */
    TCCR1A = 0;
    TCNT1 = 0;
    OCR1A = FRAME_COUNTS - 1;
    OCR1B = LOOKS_AT - 1;
    TIFR1 = _BV(OCF1A) | _BV(OCF1B);
    TIMSK1 = _BV(OCIE1A) | _BV(OCIE1B);
    TCCR1B = _BV(WGM12) | _BV(CS11); /* back to zero at OCR1A; 16 MHz / 8 */
    set_sleep_mode(SLEEP_MODE_IDLE);
}

static bool take(uint8_t what)
{
    bool taken;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        taken = due & what;
        due &= (uint8_t)~what;
    }
    return taken;
}

bool timer_looks_due(void)
{
    return take(LOOKS);
}

bool timer_frame_due(void)
{
    return take(FRAME);
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

/* The instruction after sei() is carried out before any interrupt, so none can slip in between. */
void timer_doze(void)
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
