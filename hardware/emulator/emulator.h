/* A board under emulation: the firmware's own ELF on an ATmega328P at 16 MHz, in simulated time.
 *
 * libsimavr executes the instructions and has the timers, the watchdog and the pins. Its converter,
 * its serial port and its EEPROM differ from silicon where it matters here, and are replaced: see
 * adc.c, uart.c and eeprom.c.
 *
 * Nothing here looks at a clock or at chance: the same calls always give the same bytes.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define CHANNELS 128 /* 16 * multiplexer + input */
#define EEPROM_BYTES 1024

#pragma GCC visibility push(default)

struct emulator;

/* A board without power, and with an erased EEPROM. NULL if the file is no firmware. `seed` decides
 * what the noise is, and what the memory holds when power comes. */
struct emulator *emulator_new(const char *elf, uint64_t seed);
void emulator_free(struct emulator *);

/* Cycles of 62.5 ns since it was made, with and without power. */
uint64_t emulator_now(const struct emulator *);

/* Let time go by until a cycle, and the few that its last instruction takes longer. -1 if the
 * firmware has stopped for good: it crashed, or sleeps with its interrupts off. */
int emulator_run_until(struct emulator *, uint64_t cycle);

/* What the sensors put out, in counts of 1024 to the supply: they are ratiometric. */
void emulator_set_levels(struct emulator *, const double levels[CHANNELS]);

/* At which channels nothing is connected, 1 or 0 each: the wire of the sensor is open. */
void emulator_set_open(struct emulator *, const uint8_t open[CHANNELS]);

/* Spikes up or down by so many counts, on a share of the conversions of 0 to 1. */
void emulator_set_spikes(struct emulator *, double counts, double share);

/* Bursts up or down by so many counts that last for so many cycles, one in every period, from now on; in a
 * rough one each conversion is off by itself. Period 0 for none. */
void emulator_set_bursts(struct emulator *, double counts, uint64_t cycles, uint64_t period, int is_rough);

/* A ripple: a sine of so many counts to either side. */
void emulator_set_ripple(struct emulator *, double counts, double hertz);

/* Noise on every conversion, as a standard deviation in counts. */
void emulator_set_noise(struct emulator *, double counts);

/* The board's supply. Below 2700 mV the brown-out detector holds the board in reset; below 1000 mV
 * power is lost, and with it the memory and what the EEPROM was writing. */
void emulator_set_supply(struct emulator *, double millivolts);

/* The band gap by which the board measures its supply: 1100 mV, in real parts 1000 to 1200. */
void emulator_set_band_gap(struct emulator *, double millivolts);

/* Pull the reset line. */
void emulator_reset(struct emulator *);

/* Let the firmware hang in an endless loop where it stands, until the next reset or the watchdog's interrupt:
 * with its interrupts off if it is deaf, or stands in one. */
void emulator_hang(struct emulator *, int deaf);

/* Whether a boot loader runs before the firmware, from the next reset on. It takes no time here, and
 * clears MCUSR: the firmware cannot see why it was started. */
void emulator_set_boot_loader(struct emulator *, int present);

/* Bytes to the board, one after the other at 250000 baud; returns how many there was room for. */
size_t emulator_send(struct emulator *, const uint8_t *bytes, size_t count);

/* Bytes from the board, oldest first, each with the cycle at which its stop bit ended. */
size_t emulator_receive(struct emulator *, uint8_t *bytes, uint64_t *cycles, size_t room);

/* The EEPROM as it is at this moment, and as it would be if power were lost at this moment. */
void emulator_get_eeprom(const struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_get_eeprom_after_cut(struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_set_eeprom(struct emulator *, const uint8_t bytes[EEPROM_BYTES]);

/* The outputs of the three shift registers behind the lamps, bit 0 being QA of the first and bit 23 QH
 * of the third; and the cycle at which they last took over what was shifted in. */
uint32_t emulator_lamps(const struct emulator *);
uint64_t emulator_lamps_latched_at(const struct emulator *);

#pragma GCC visibility pop

#endif
