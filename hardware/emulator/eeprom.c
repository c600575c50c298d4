/* EEPROM (data sheet, chapter 8.4), which replaces libsimavr's own.
 *
 * libsimavr writes a byte instantly. In this EEPROM, EEPE stays set for 3.4 ms (1.8 ms if the byte
 * is only erased or only programmed), and requests during this time are ignored. A reset does not
 * interrupt a write; a power cut leaves the cell erased or partly programmed. */
#include "parts.h"

#include <string.h>

enum { EECR = 0x3f, EEDR, EEARL, EEARH };
enum { EEPM = 0x30, EERIE = 0x08, EEMPE = 0x04, EEPE = 0x02, EERE = 0x01 };
enum { ERASE_AND_PROGRAM = 0x00, ERASE = 0x10, PROGRAM = 0x20 };
enum { ERASED = 0xff };

#define BOTH_CYCLES (FREQUENCY / 10000 * 34)
#define ONE_CYCLES (FREQUENCY / 10000 * 18)
#define READ_CYCLES 4 /* the processor is halted */
#define WRITE_CYCLES 2

static uint8_t *cell(struct emulator *e, uint16_t address)
{
    return e->eeprom.core->eeprom + address % EEPROM_BYTES;
}

static uint16_t addressed(const avr_t *avr)
{
    return (uint16_t)(avr->data[EEARL] | avr->data[EEARH] << 8) % EEPROM_BYTES;
}

static void ask(struct emulator *e)
{
    if (e->avr->data[EECR] & EERIE && !e->eeprom.writing)
        avr_raise_interrupt(e->avr, &e->eeprom.core->ready);
}

static void on_return(struct avr_irq_t *irq, uint32_t running, void *param)
{
    (void)irq;
    if (!running)
        ask(param);
}

void eeprom_finish(struct emulator *e)
{
    if (e->eeprom.writing)
        *cell(e, e->eeprom.address) = e->eeprom.target;
    e->eeprom.writing = false;
}

/* Erasing sets bits, and programming clears them. Which bits have changed by now is random. */
static uint8_t interrupted_write(struct emulator *e)
{
    bool erased = emulator_now(e) >= e->eeprom.erased_at;
    uint8_t before = erased ? e->eeprom.target : *cell(e, e->eeprom.address);
    return before | (uint8_t)(next_random(e) >> 56);
}

void eeprom_lose_power(struct emulator *e)
{
    if (e->eeprom.writing)
        *cell(e, e->eeprom.address) = interrupted_write(e);
    e->eeprom.writing = false;
}

static avr_cycle_count_t written(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    eeprom_finish(param);
    avr->data[EECR] &= (uint8_t)~EEPE;
    ask(param);
    return 0;
}

static avr_cycle_count_t too_late(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    avr->data[EECR] &= (uint8_t)~EEMPE;
    return 0;
}

static void write_cell(struct emulator *e, uint8_t mode)
{
    avr_t *avr = e->avr;
    struct eeprom *p = &e->eeprom;
    p->writing = true;
    p->address = addressed(avr);
    p->target = mode == ERASE     ? ERASED
                : mode == PROGRAM ? avr->data[EEDR] & *cell(e, p->address)
                                  : avr->data[EEDR];
    p->erased_at = emulator_now(e) + (mode == PROGRAM ? 0 : ONE_CYCLES);
    avr_cycle_timer_register(
        avr, mode == ERASE_AND_PROGRAM ? BOTH_CYCLES : ONE_CYCLES, written, e);
    avr_clear_interrupt(avr, &p->core->ready);
    avr->cycle += WRITE_CYCLES;
}

static void write_eecr(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct emulator *e = param;
    bool enabled = avr->data[address] & EEMPE;
    if (e->eeprom.writing) { /* only EERIE can be changed during a write */
        avr->data[address] = (avr->data[address] & ~EERIE) | (value & EERIE);
        return;
    }
    avr_core_watch_write(avr, address, value & (EEPM | EERIE | EEMPE));
    if (value & EEPE && enabled) {
        avr->data[address] = (value & (EEPM | EERIE)) | EEPE;
        write_cell(e, value & EEPM);
    } else if (value & EEMPE && !enabled) {
        avr_cycle_timer_register(avr, 4, too_late, e);
    }
    if (value & EERE) {
        avr->data[EEDR] = *cell(e, addressed(avr));
        avr->cycle += READ_CYCLES;
    }
    ask(e);
}

void eeprom_attach(struct emulator *e)
{
    e->eeprom.core = (avr_eeprom_t *)module(e, "eeprom");
    on_write(e, EECR, write_eecr);
    avr_irq_register_notify(e->eeprom.core->ready.irq + AVR_INT_IRQ_RUNNING, on_return, e);
}

void emulator_get_eeprom(const struct emulator *e, uint8_t bytes[EEPROM_BYTES])
{
    memcpy(bytes, e->eeprom.core->eeprom, EEPROM_BYTES);
}

void emulator_get_eeprom_after_cut(struct emulator *e, uint8_t bytes[EEPROM_BYTES])
{
    emulator_get_eeprom(e, bytes);
    if (e->eeprom.writing)
        bytes[e->eeprom.address] = interrupted_write(e);
}

void emulator_set_eeprom(struct emulator *e, const uint8_t bytes[EEPROM_BYTES])
{
    memcpy(e->eeprom.core->eeprom, bytes, EEPROM_BYTES);
}
