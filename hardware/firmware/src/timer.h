/* Frame timing. Timer 1 counts 20 ms in hardware, so no other work delays the frames. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void timer_start(void);

/* Return true if a scan pass between frames is due, which happens three times per frame unless it
 * is too late. */
bool timer_pass_due(void);
/* Return true once per frame, when the last two passes before the next frame are due. */
bool timer_last_passes_due(void);
/* Return true once per frame, when the next frame is due. */
bool timer_frame_due(void);
/* Return the time, in milliseconds since the start, at which the next frame is due, or the current
 * frame if it is already due. */
uint32_t timer_frame_ms(void);
/* Return the time since the start in ticks of 1/16 ms, wrapping at 2^16. */
uint16_t timer_now(void);
/* Sleep until an interrupt, unless a pass or a frame is due. */
void timer_sleep(void);
