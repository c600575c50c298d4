/* The beat of the board: timer 1 counts 20 ms in hardware, so that no work makes it late. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void timer_start(void);

/* Whether it is time for a look between the frames. True three times a frame, unless it is too late. */
bool timer_pass_due(void);
/* Whether it is time for the last two looks before the next frame. True once a frame. */
bool timer_last_passes_due(void);
/* Whether the next frame is due. True once a frame. */
bool timer_frame_due(void);
/* When the next frame is due, or the one that is due already: milliseconds since the start. */
uint32_t timer_frame_ms(void);
/* The present moment in sixteenths of a millisecond since the start, wrapping at 2^16. */
uint16_t timer_now(void);
/* Sleeps until an interrupt has come, if nothing of the above is due. */
void timer_sleep(void);
