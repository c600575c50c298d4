/* The serial line, by interrupts alone: nothing here ever waits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);
/* How many bytes there is room for. */
uint8_t uart_free(void);
/* Queues bytes to be sent, all of them or, without room, none. */
void uart_send(const uint8_t *bytes, uint8_t length);
/* Takes the next byte that was received, if there is one. */
bool uart_receive(uint8_t *byte);
