/* Declarations shared by the parts of the emulated board. Addresses are in the ATmega328P's data
 * space. */
#ifndef PARTS_H
#define PARTS_H

#include "emulator.h"

#include <stdbool.h>

#include "avr_adc.h"
#include "avr_eeprom.h"
#include "avr_uart.h"
#include "avr_watchdog.h"
#include "sim_avr.h"
#include "sim_core.h"

#define FREQUENCY 16000000u
#define MULTIPLEXERS 8
#define INPUTS 16
#define LINE_BYTES 65536 /* capacity of the line to the board, a power of two */

enum { MCUSR = 0x54 };
enum reset_cause { POWER_ON = 1, RESET_LINE = 2, BROWN_OUT = 4, WATCHDOG = 8 };

struct sensors {
    double level[CHANNELS];
    bool open[CHANNELS];          /* open wire */
    double noise;
    double hum;                   /* amplitude of 50 Hz on open wires, in counts */
    unsigned select;              /* S3 to S0 */
    uint64_t selected_at;         /* time of the last change of select */
    double before[MULTIPLEXERS];  /* outputs at the time of that change */
};

struct disturbances {
    double spike, spike_share;    /* fraction of the conversions */
    double burst, burst_sign;
    uint64_t burst_cycles, burst_period, burst_number, since;
    bool is_rough;                /* each conversion of a burst has its own sign */
    double ripple, ripple_hertz;
};

struct adc {
    avr_adc_t *core;
    uint8_t admux;                /* ADMUX for the conversion in progress */
    bool first;                   /* the next conversion is the first, which takes longer */
    bool locked;                  /* ADCL was read and ADCH was not */
    double held;                  /* voltage of the sample capacitor, in millivolts */
    uint64_t gap_since;           /* time at which the band gap was selected */
    double before_gap;            /* voltage of the capacitor when the band gap was selected */
};

struct uart {
    avr_uart_t *core;
    uint8_t sending, next;        /* bytes in the shift register and waiting behind it */
    bool busy, full;              /* `sending` and `next` contain a byte */
    uint8_t buffer[2];            /* bytes received but not read */
    unsigned buffered;
    uint8_t shifted;              /* byte in the shift register, received later */
    bool waiting;                 /* the shift register contains a byte */
    uint8_t line[LINE_BYTES];     /* bytes on their way to the board */
    size_t line_read, line_written;
    uint8_t *sent;                /* bytes from the board that have not been fetched */
    uint64_t *sent_at;
    size_t sent_count, sent_room;
};

struct eeprom {
    avr_eeprom_t *core;
    bool writing;
    uint16_t address;
    uint8_t target;               /* contents of the cell after the write */
    uint64_t erased_at;           /* end of erasing and start of programming */
};

struct watchdog {
    avr_io_t io;                  /* must be first: a pointer to it also points to the struct */
    avr_watchdog_t *core;
    struct emulator *emulator;
    bool reset_requested;
};

struct lamps {
    unsigned pins;                /* last levels of data, clock and latch */
    uint32_t shifted, latched;    /* bit 0 is QA of the first register, bit 23 QH of the third */
    uint64_t latched_at;
};

struct emulator {
    avr_t *avr;
    uint64_t before;              /* number of cycles that the core does not count */
    uint64_t random_state;
    double supply, band_gap;      /* millivolts */
    bool held;                    /* held in reset by the brown-out detector */
    bool lost;                    /* power was lost */
    bool boots;                   /* a boot loader runs before the firmware */
    uint16_t *hung;               /* instruction at which the firmware hangs, or NULL */
    uint16_t replaced;            /* original instruction at `hung` */
    struct sensors sensors;
    struct disturbances disturbances;
    struct adc adc;
    struct uart uart;
    struct eeprom eeprom;
    struct watchdog watchdog;
    struct lamps lamps;
};

uint64_t next_random(struct emulator *);

/* End an endless loop started by emulator_hang(). */
void unhang(struct emulator *);

/* Replace handlers of libsimavr's own modules. */
void on_read(struct emulator *, uint16_t address, avr_io_read_t);
void on_write(struct emulator *, uint16_t address, avr_io_write_t);
avr_io_t *module(struct emulator *, const char *kind);

/* Return the voltage, in millivolts, that the converter samples at an analog pin. */
double sensors_sample(struct emulator *, unsigned pin);
void sensors_attach(struct emulator *);

/* Return the current sum of all disturbances in counts. */
double disturbances_now(struct emulator *);

void adc_attach(struct emulator *);
void adc_restart(struct emulator *);
void uart_attach(struct emulator *);
void uart_restart(struct emulator *);
void uart_boot(struct emulator *);
void uart_lose_power(struct emulator *);
void uart_detach(struct emulator *);
void eeprom_attach(struct emulator *);
void eeprom_finish(struct emulator *);
void eeprom_lose_power(struct emulator *);
void watchdog_attach(struct emulator *);
void watchdog_restart(struct emulator *);
void lamps_attach(struct emulator *);
void lamps_power_on(struct emulator *);

#endif
