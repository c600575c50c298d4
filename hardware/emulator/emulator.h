/* Emulated board: the firmware's ELF file on an ATmega328P at 16 MHz, in simulated time.
 *
 * libsimavr executes the instructions and provides the timers, the watchdog and the pins. Its
 * converter, serial port and EEPROM differ from silicon in ways that matter here, so they are
 * replaced: see adc.c, uart.c and eeprom.c.
 *
 * The library is deterministic: it reads no clock, and its random numbers depend on the seed. The
 * same calls always produce the same bytes. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define CHANNELS 128 /* 16 * multiplexer + input */
#define EEPROM_BYTES 1024

#pragma GCC visibility push(default)

struct emulator;

/* Create an unpowered board with an erased EEPROM. Return NULL if the file is not a firmware image.
 * `seed` determines the noise and the contents of the memory after power-on. */
struct emulator *emulator_new(const char *elf, uint64_t seed);
void emulator_free(struct emulator *);

/* Return the time in cycles of 62.5 ns since the board was created, including time without
 * power. */
uint64_t emulator_now(const struct emulator *);

/* Advance the time to the given cycle, or to the end of the instruction in progress at that cycle.
 * Return -1 if the firmware has stopped permanently because it crashed or sleeps with interrupts
 * disabled. */
int emulator_run_until(struct emulator *, uint64_t cycle);

/* Set the sensor outputs in counts. The sensors are ratiometric: 1024 counts are the supply
 * voltage. */
void emulator_set_levels(struct emulator *, const double levels[CHANNELS]);

/* Set the channels whose sensor wire is open: 1 or 0 per channel. */
void emulator_set_open(struct emulator *, const uint8_t open[CHANNELS]);

/* Add spikes of +-counts to a share, between 0 and 1, of all conversions. */
void emulator_set_spikes(struct emulator *, double counts, double share);

/* Add a burst of +-counts, with a length of `cycles`, to every period from now on. The conversions
 * in a rough burst have independent signs. A period of 0 means no bursts. */
void emulator_set_bursts(struct emulator *, double counts, uint64_t cycles, uint64_t period, int is_rough);

/* Add ripple: a sine wave with an amplitude of `counts`. */
void emulator_set_ripple(struct emulator *, double counts, double hertz);

/* Set the standard deviation, in counts, of the noise of each conversion. */
void emulator_set_noise(struct emulator *, double counts);
/* Set the amplitude, in counts, of the 50 Hz hum that open wires pick up. */
void emulator_set_hum(struct emulator *, double counts);

/* Set the supply voltage. Below 2700 mV, the brown-out detector holds the board in reset. Below
 * 1000 mV, the contents of the memory and any EEPROM write in progress are lost. */
void emulator_set_supply(struct emulator *, double millivolts);

/* Set the band gap with which the board measures its supply: nominally 1100 mV, 1000 to 1200 mV in
 * real chips. */
void emulator_set_band_gap(struct emulator *, double millivolts);

void emulator_reset(struct emulator *);

/* Make the firmware hang at its current instruction until the next reset or the watchdog's
 * interrupt. Interrupts are disabled if `deaf`, or if the firmware is in an interrupt handler. */
void emulator_hang(struct emulator *, int deaf);

/* Set whether a boot loader runs before the firmware, from the next reset on. The boot loader takes
 * no time, but clears MCUSR, so the firmware cannot read the reset cause. */
void emulator_set_boot_loader(struct emulator *, int present);

/* Send bytes to the board at 250000 baud. Return the number of bytes for which there was room. */
size_t emulator_send(struct emulator *, const uint8_t *bytes, size_t count);

/* Receive bytes from the board, oldest first, each with the cycle at which its stop bit ended.
 * Return the number of bytes. */
size_t emulator_receive(struct emulator *, uint8_t *bytes, uint64_t *cycles, size_t room);

/* Copy the EEPROM as it is now, or as it would be if the power failed now. */
void emulator_get_eeprom(const struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_get_eeprom_after_cut(struct emulator *, uint8_t bytes[EEPROM_BYTES]);
void emulator_set_eeprom(struct emulator *, const uint8_t bytes[EEPROM_BYTES]);

/* Return the outputs of the three lamp shift registers (bit 0 is QA of the first register, bit 23
 * QH of the third), and the cycle of the last latch pulse. */
uint32_t emulator_lamps(const struct emulator *);
uint64_t emulator_lamps_latched_at(const struct emulator *);

#pragma GCC visibility pop

#endif
