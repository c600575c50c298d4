/* Emulated board: the firmware's own ELF on an ATmega328P at 16 MHz, in simulated time.
 *
 * libsimavr executes the instructions and provides the timers, the watchdog and the pins. Its
 * converter, serial port and EEPROM differ from silicon where it matters here, and are replaced:
 * see adc.c, uart.c and eeprom.c.
 *
 * The library is deterministic: it reads no clock, and its random numbers come from the seed. The
 * same calls always give the same bytes. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define CHANNELS 128 /* 16 * multiplexer + input */
#define EEPROM_BYTES 1024

#pragma GCC visibility push(default)

struct emulator;

/* Create a board without power and with an erased EEPROM. Return NULL if the file is not a firmware
 * image. `seed` determines the noise, and the content of the memory after power-on. */
struct emulator *emulator_new(const char *elf, uint64_t seed);
void emulator_free(struct emulator *);

/* Return the time in cycles of 62.5 ns since the board was created, with and without power. */
uint64_t emulator_now(const struct emulator *);

/* Advance the time to a cycle, or to the end of the instruction in progress at that cycle. Return
 * -1 if the firmware has stopped permanently: it crashed, or sleeps with interrupts disabled. */
int emulator_run_until(struct emulator *, uint64_t cycle);

/* Set the outputs of the sensors in counts; 1024 counts are the supply, as sensors are ratiometric. */
void emulator_set_levels(struct emulator *, const double levels[CHANNELS]);

/* Set the channels whose sensor has an open wire, as 1 or 0 per channel. */
void emulator_set_open(struct emulator *, const uint8_t open[CHANNELS]);

/* Set spikes of +-counts, on a share of the conversions between 0 and 1. */
void emulator_set_spikes(struct emulator *, double counts, double share);

/* Set bursts of +-counts, each of a number of cycles, one in every period from now on. The
 * conversions of a rough burst have independent signs. A period of 0 means no bursts. */
void emulator_set_bursts(struct emulator *, double counts, uint64_t cycles, uint64_t period, int is_rough);

/* Set a ripple: a sine with an amplitude in counts. */
void emulator_set_ripple(struct emulator *, double counts, double hertz);

/* Set the noise of each conversion, as a standard deviation in counts. */
void emulator_set_noise(struct emulator *, double counts);
/* Set the amplitude of 50 Hz that open wires pick up, in counts. */
void emulator_set_hum(struct emulator *, double counts);

/* Set the supply. Below 2700 mV the brown-out detector holds the board in reset; below 1000 mV
 * power is lost, with the memory and the EEPROM write in progress. */
void emulator_set_supply(struct emulator *, double millivolts);

/* Set the band gap by which the board measures its supply: 1100 mV, in real chips 1000 to 1200. */
void emulator_set_band_gap(struct emulator *, double millivolts);

/* Pull the reset line. */
void emulator_reset(struct emulator *);

/* Make the firmware hang in an endless loop where it is, until the next reset or the watchdog's
 * interrupt; with interrupts disabled if `deaf`, or if it is in an interrupt. */
void emulator_hang(struct emulator *, int deaf);

/* Set whether a boot loader runs before the firmware, from the next reset on. It takes no time
 * here, and clears MCUSR, so the firmware cannot read the reset cause. */
void emulator_set_boot_loader(struct emulator *, int present);

/* Send bytes to the board, in sequence at 250000 baud. Return the number for which there was room. */
size_t emulator_send(struct emulator *, const uint8_t *bytes, size_t count);

/* Receive bytes from the board, oldest first, each with the cycle at which its stop bit ended.
 * Return their number. */
size_t emulator_receive(struct emulator *, uint8_t *bytes, uint64_t *cycles, size_t room);

/* Copy the EEPROM as it is now, or as it would be if power were lost now. */
void emulator_get_eeprom(const struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_get_eeprom_after_cut(struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_set_eeprom(struct emulator *, const uint8_t bytes[EEPROM_BYTES]);

/* Return the outputs of the three shift registers of the lamps, bit 0 for QA of the first and bit
 * 23 for QH of the third; and the cycle of the last latch pulse. */
uint32_t emulator_lamps(const struct emulator *);
uint64_t emulator_lamps_latched_at(const struct emulator *);

#pragma GCC visibility pop

#endif
