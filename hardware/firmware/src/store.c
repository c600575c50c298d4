#include "store.h"

#include "crc.h"
#include "eeprom.h"
#include "geometry.h"

#define VOID 0

/* Where something is kept. */
struct place {
    uint16_t at;
    uint8_t length;
    uint16_t crc; /* what the CRC has come to before the first byte of a copy */
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

static struct place place_of(enum kept kept)
{
    if (kept == SETTINGS)
        return (struct place){SETTINGS_AT, sizeof(struct settings), crc_add(CRC_START, SETTINGS_VERSION)};
    return (struct place){CALIBRATION_AT, sizeof(struct calibration), crc_of_board()};
}

static uint16_t copy_bytes(const struct place *place)
{
    return 1 + place->length + 2;
}

/* The generation of the copy there, VOID if it is not a good one. */
static uint8_t generation_at(uint16_t address, const struct place *place)
{
    uint16_t crc = place->crc;
    for (uint16_t i = 0; i < copy_bytes(place); i++)
        crc = crc_add(crc, eeprom_read(address + i));
    return crc == 0 ? eeprom_read(address) : VOID;
}

/* Where the newer good copy is: its generation is a step or two ahead of the other's, wrapping. */
static bool find_newer(const struct place *place, uint16_t *address, uint8_t *generation)
{
    uint16_t second_at = place->at + copy_bytes(place);
    uint8_t first = generation_at(place->at, place), second = generation_at(second_at, place);
    bool take_second = second != VOID && (first == VOID || (int8_t)(second - first) > 0);
    *address = take_second ? second_at : place->at;
    *generation = take_second ? second : first;
    return *generation != VOID;
}

uint16_t store_load(enum kept kept, void *loaded)
{
    const struct place place = place_of(kept);
    uint16_t address;
    uint8_t generation;
    if (!find_newer(&place, &address, &generation))
        return 0;
    uint8_t *bytes = loaded;
    for (uint8_t i = 0; i < place.length; i++)
        bytes[i] = eeprom_read(address + 1 + i);
    address += 1 + place.length;
    return (uint16_t)(eeprom_read(address) << 8 | eeprom_read(address + 1));
}

void store_load_settings(void)
{
    settings_usual(COLOURS);
    store_load(SETTINGS, &settings);
    geometry_use(settings.geometry);
}

static uint16_t checksum(const struct place *place, uint8_t generation, const uint8_t *bytes)
{
    uint16_t crc = crc_add(place->crc, generation);
    for (uint8_t i = 0; i < place->length; i++)
        crc = crc_add(crc, bytes[i]);
    return crc;
}

void store_begin(struct saving *saving, enum kept kept, const void *bytes)
{
    const struct place place = place_of(kept);
    uint16_t newer;
    uint8_t generation;
    bool any = find_newer(&place, &newer, &generation);
    saving->address = any && newer == place.at ? place.at + copy_bytes(&place) : place.at;
    /* A checksum of 0 would say that there is nothing; the next generation has another. */
    do {
        generation = next_generation(generation);
        saving->checksum = checksum(&place, generation, bytes);
    } while (saving->checksum == 0);
    saving->generation = generation;
    saving->bytes = bytes;
    saving->length = place.length;
    saving->step = 0;
}

/* The order of writing: void, what is kept, CRC, generation. */
static uint8_t byte_of(const struct saving *saving, uint16_t step)
{
    const uint16_t crc_at = 1 + saving->length;
    if (step == 0)
        return VOID;
    if (step < crc_at)
        return ((const uint8_t *)saving->bytes)[step - 1];
    if (step == crc_at)
        return (uint8_t)(saving->checksum >> 8);
    if (step == crc_at + 1U)
        return (uint8_t)saving->checksum;
    return saving->generation;
}

bool store_step(struct saving *saving)
{
    const uint16_t copy = 1 + saving->length + 2;
    for (; saving->step <= copy; saving->step++) {
        if (!eeprom_ready())
            return false;
        uint16_t address = saving->address + saving->step % copy;
        uint8_t byte = byte_of(saving, saving->step);
        if (eeprom_read(address) == byte)
            continue;
        eeprom_write(address, byte);
        saving->step++;
        return false;
    }
    return eeprom_ready();
}
