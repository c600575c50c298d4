/* Serial line, driven by interrupts; no function waits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);
/* Return the free bytes of the transmit buffer. */
uint8_t uart_free(void);
/* Queue bytes for sending: all of them, or none if there is no room. */
void uart_send(const uint8_t *bytes, uint8_t length);
/* Take the next received byte. Return false if there is none. */
bool uart_receive(uint8_t *byte);
