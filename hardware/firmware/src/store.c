#include "store.h"

#include "crc.h"
#include "eeprom.h"
#include "geometry.h"

#define VOID 0

/* EEPROM area of an item. */
struct area {
    uint16_t at;
    uint8_t length;
    uint16_t crc; /* CRC before the first byte of a copy */
};

static uint8_t next_generation(uint8_t generation)
{
    return generation == 255 ? 1 : generation + 1;
}

static uint16_t crc_of_board(void)
{
    uint16_t crc = crc_add(CRC_START, settings.kind);
    for (uint8_t square = 0; square < SQUARES; square++)
        crc = crc_add(crc, channel_of(square));
    return crc_add(crc, settings.on_per_cent);
}

static struct area area_of(enum stored_item item)
{
    if (item == SETTINGS)
        return (struct area){SETTINGS_AT, sizeof(struct settings),
                             crc_add(CRC_START, SETTINGS_VERSION)};
    return (struct area){CALIBRATION_AT, sizeof(struct calibration), crc_of_board()};
}

static uint16_t copy_bytes(const struct area *area)
{
    return 1 + area->length + 2;
}

/* Return the generation of the copy at an address, or VOID if the copy is invalid. */
static uint8_t read_generation(uint16_t address, const struct area *area)
{
    uint16_t crc = area->crc;
    for (uint16_t i = 0; i < copy_bytes(area); i++)
        crc = crc_add(crc, eeprom_read(address + i));
    return crc == 0 ? eeprom_read(address) : VOID;
}

/* Find the newer valid copy, whose generation is one or two ahead of the other's, wrapping at 255.
 * Return false if there is no valid copy. */
static bool find_newer(const struct area *area, uint16_t *address, uint8_t *generation)
{
    uint16_t second_at = area->at + copy_bytes(area);
    uint8_t first = read_generation(area->at, area), second = read_generation(second_at, area);
    bool take_second = second != VOID && (first == VOID || (int8_t)(second - first) > 0);
    *address = take_second ? second_at : area->at;
    *generation = take_second ? second : first;
    return *generation != VOID;
}

uint16_t store_load(enum stored_item item, void *destination)
{
    const struct area area = area_of(item);
    uint16_t address;
    uint8_t generation;
    if (!find_newer(&area, &address, &generation))
        return 0;
    uint8_t *bytes = destination;
    for (uint8_t i = 0; i < area.length; i++)
        bytes[i] = eeprom_read(address + 1 + i);
    address += 1 + area.length;
    return (uint16_t)(eeprom_read(address) << 8 | eeprom_read(address + 1));
}

/* Use the default settings of a board. Return true if the saved calibration is valid with them. */
static bool is_calibrated_as(uint8_t kind, uint8_t geometry)
{
    settings_default(kind, geometry);
    const struct area area = area_of(CALIBRATION);
    uint16_t address;
    uint8_t generation;
    return find_newer(&area, &address, &generation);
}

bool store_load_settings(void)
{
    if (store_load(SETTINGS, &settings) != 0) {
        geometry_use(settings.geometry);
        return true;
    }
    return is_calibrated_as(PRESENCE, BY_HAND) || is_calibrated_as(COLOURS, TILES) ||
           is_calibrated_as(COLOURS, BY_HAND);
}

static uint16_t checksum(const struct area *area, uint8_t generation, const uint8_t *bytes)
{
    uint16_t crc = crc_add(area->crc, generation);
    for (uint8_t i = 0; i < area->length; i++)
        crc = crc_add(crc, bytes[i]);
    return crc;
}

void store_begin(struct store_job *job, enum stored_item item, const void *bytes)
{
    const struct area area = area_of(item);
    uint16_t newer;
    uint8_t generation;
    bool any = find_newer(&area, &newer, &generation);
    job->address = any && newer == area.at ? area.at + copy_bytes(&area) : area.at;
    /* A checksum of 0 would mean that there is no copy. The next generation has a different
     * checksum. */
    do {
        generation = next_generation(generation);
        job->checksum = checksum(&area, generation, bytes);
    } while (job->checksum == 0);
    job->generation = generation;
    job->bytes = bytes;
    job->length = area.length;
    job->step = 0;
}

/* Bytes are written in this order: VOID, item, CRC, generation. */
static uint8_t next_byte(const struct store_job *job, uint16_t step)
{
    const uint16_t crc_at = 1 + job->length;
    if (step == 0)
        return VOID;
    if (step < crc_at)
        return ((const uint8_t *)job->bytes)[step - 1];
    if (step == crc_at)
        return (uint8_t)(job->checksum >> 8);
    if (step == crc_at + 1U)
        return (uint8_t)job->checksum;
    return job->generation;
}

bool store_step(struct store_job *job)
{
    const uint16_t copy = 1 + job->length + 2;
    for (; job->step <= copy; job->step++) {
        if (!eeprom_ready())
            return false;
        uint16_t address = job->address + job->step % copy;
        uint8_t byte = next_byte(job, job->step);
        if (eeprom_read(address) == byte)
            continue;
        eeprom_write(address, byte);
        job->step++;
        return false;
    }
    return eeprom_ready();
}
