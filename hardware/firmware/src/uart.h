/* Interrupt-driven serial line. No function waits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);
/* Return the number of free bytes in the transmit buffer. */
uint8_t uart_free(void);
/* Queue bytes for sending. If there is not enough room for all bytes, none is queued. */
void uart_send(const uint8_t *bytes, uint8_t length);
/* Get the next received byte. Return false if there is none. */
bool uart_receive(uint8_t *byte);
