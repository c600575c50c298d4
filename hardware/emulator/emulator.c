/* Board as a whole: time, supply and resets. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "avr_extint.h"
#include "sim_elf.h"

#define BROWN_OUT_MV 2700 /* BODLEVEL of the Nano's fuses */
#define POWER_LOST_MV 1000
#define JUMP_TO_ITSELF 0xcfff

static void log_nothing(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

/* Sleeping takes only simulated time. */
static void sleep_nothing(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles;
}

/* xorshift64*: Vigna, An experimental exploration of Marsaglia's xorshift generators (2016). */
uint64_t next_random(struct emulator *e)
{
    e->random_state ^= e->random_state >> 12;
    e->random_state ^= e->random_state << 25;
    e->random_state ^= e->random_state >> 27;
    return e->random_state * 0x2545f4914f6cdd1dull;
}

void on_read(struct emulator *e, uint16_t address, avr_io_read_t callback)
{
    e->avr->io[AVR_DATA_TO_IO(address)].r.c = callback;
    e->avr->io[AVR_DATA_TO_IO(address)].r.param = e;
}

void on_write(struct emulator *e, uint16_t address, avr_io_write_t callback)
{
    e->avr->io[AVR_DATA_TO_IO(address)].w.c = callback;
    e->avr->io[AVR_DATA_TO_IO(address)].w.param = e;
}

avr_io_t *module(struct emulator *e, const char *kind)
{
    avr_io_t *found = e->avr->io_port;
    while (found && strcmp(found->kind, kind))
        found = found->next;
    if (!found)
        abort(); /* impossible: libsimavr's ATmega328P has all modules */
    return found;
}

struct emulator *emulator_new(const char *elf, uint64_t seed)
{
    elf_firmware_t firmware = {0};
    avr_global_logger_set(log_nothing);
    if (elf_read_firmware(elf, &firmware) || !firmware.flashsize)
        return NULL;
    struct emulator *e = calloc(1, sizeof *e);
    e->random_state = seed * 2 + 1; /* never 0, where xorshift would stay */
    e->band_gap = 1100;
    e->held = e->lost = true;
    e->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(e->avr);
    e->avr->frequency = FREQUENCY;
    /* Maximum number of cycles between two checks of the timers. It shifts interrupts by about a
     * cycle, so it must be constant. */
    e->avr->run_cycle_limit = FREQUENCY / 1000;
    e->avr->sleep = sleep_nothing;
    avr_load_firmware(e->avr, &firmware);
    free(firmware.flash);
    sensors_attach(e);
    adc_attach(e);
    uart_attach(e);
    eeprom_attach(e);
    watchdog_attach(e);
    lamps_attach(e);
    return e;
}

void emulator_free(struct emulator *e)
{
    uart_detach(e);
    avr_terminate(e->avr);
    free(e->avr);
    free(e);
}

uint64_t emulator_now(const struct emulator *e)
{
    return e->before + e->avr->cycle;
}

void unhang(struct emulator *e)
{
    if (e->hung)
        *e->hung = e->replaced;
    e->hung = NULL;
}

/* State left by Optiboot 4.4, as burned by the Arduino IDE: no cause in MCUSR, watchdog disabled,
 * random registers, and the serial port at the boot loader's rate. */
static void boot(struct emulator *e)
{
    for (unsigned r = 0; r < 32; r++)
        e->avr->data[r] = (uint8_t)(next_random(e) >> 56);
    e->avr->data[MCUSR] = 0;
    watchdog_restart(e);
    uart_boot(e);
}

/* libsimavr resets everything except the registers and the memory. This function sets the cause;
 * flags accumulate in MCUSR until the firmware clears them (data sheet, 11.9.1). */
static void restart(struct emulator *e, uint8_t cause, uint8_t causes_before)
{
    uint64_t now = emulator_now(e);
    unhang(e);
    eeprom_finish(e);
    avr_reset(e->avr);
    /* Otherwise, two pins with level-triggered interrupts would be checked in every cycle, which
     * takes more time than everything else. The firmware has no such interrupt. */
    avr_extint_set_strict_lvl_trig(e->avr, 0, 0);
    avr_extint_set_strict_lvl_trig(e->avr, 1, 0);
    e->before = now - e->avr->cycle;
    e->avr->data[MCUSR] = causes_before | cause;
    adc_restart(e);
    uart_restart(e);
    watchdog_restart(e);
    if (e->boots)
        boot(e);
}

static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *stopped)
{
    (void)avr, (void)when;
    *(bool *)stopped = true;
    return 0;
}

int emulator_run_until(struct emulator *e, uint64_t cycle)
{
    avr_t *avr = e->avr;
    bool stopped = emulator_now(e) >= cycle;
    if (stopped)
        return 0;
    if (e->held) {
        e->before += cycle - emulator_now(e);
        return 0;
    }
    avr_cycle_timer_register(avr, cycle - emulator_now(e), stop, &stopped);
    while (!stopped && emulator_now(e) < cycle) {
        avr->run(avr);
        if (avr->state == cpu_Done || avr->state == cpu_Crashed)
            return -1;
        if (e->watchdog.reset_requested) {
            restart(e, WATCHDOG, avr->data[MCUSR]);
            avr_cycle_timer_register(avr, cycle - emulator_now(e), stop, &stopped);
        }
    }
    avr_cycle_timer_cancel(avr, stop, &stopped);
    return 0;
}

/* After power-on, registers and SRAM have random contents. libsimavr would keep the old
 * contents. */
static void scramble(struct emulator *e)
{
    for (unsigned at = 0; at <= e->avr->ramend; at++)
        if (at < 32 || at > e->avr->ioend)
            e->avr->data[at] = (uint8_t)(next_random(e) >> 56);
}

void emulator_set_supply(struct emulator *e, double millivolts)
{
    e->supply = millivolts;
    if (millivolts < POWER_LOST_MV && !e->lost) {
        eeprom_lose_power(e);
        uart_lose_power(e);
        e->lost = true;
    }
    if (millivolts < BROWN_OUT_MV) {
        e->held = true;
    } else if (e->held) {
        e->held = false;
        if (e->lost) {
            scramble(e);
            lamps_power_on(e);
            restart(e, POWER_ON, 0);
        } else {
            restart(e, BROWN_OUT, e->avr->data[MCUSR]);
        }
        e->lost = false;
    }
}

void emulator_set_band_gap(struct emulator *e, double millivolts)
{
    e->band_gap = millivolts;
}

void emulator_reset(struct emulator *e)
{
    if (!e->held)
        restart(e, RESET_LINE, e->avr->data[MCUSR]);
}

void emulator_set_boot_loader(struct emulator *e, int present)
{
    e->boots = present;
}

void emulator_hang(struct emulator *e, int deaf)
{
    if (e->hung || e->held)
        return;
    if (deaf)
        avr_sreg_set(e->avr, S_I, 0);
    e->avr->state = cpu_Running; /* the firmware may be asleep */
    e->hung = (uint16_t *)(e->avr->flash + e->avr->pc);
    e->replaced = *e->hung;
    *e->hung = JUMP_TO_ITSELF;
}
