#include "store.h"

#include "channels.h"
#include "crc.h"
#include "eeprom.h"

#define VOID 0
#define CRC_AT (1 + sizeof(struct calibration))

static uint8_t next_generation(uint8_t generation)
{
    return generation == 255 ? 1 : generation + 1;
}

/* What the CRC has come to before the first byte of a copy. */
static uint16_t crc_of_board(void)
{
    uint16_t crc = crc_add(CRC_START, BOARD_KIND);
    for (uint8_t square = 0; square < SQUARES; square++)
        crc = crc_add(crc, channel_of(square));
    return crc;
}

/* The generation of the copy there, VOID if it is not a good one. */
static uint8_t generation_at(uint16_t address)
{
    uint16_t crc = crc_of_board();
    for (uint16_t i = 0; i < COPY_BYTES; i++)
        crc = crc_add(crc, eeprom_read(address + i));
    return crc == 0 ? eeprom_read(address) : VOID;
}

/* Where the newer good copy is: its generation is a step or two ahead of the other's, wrapping. */
static bool find_newer(uint16_t *address, uint8_t *generation)
{
    uint8_t first = generation_at(0), second = generation_at(COPY_BYTES);
    bool take_second = second != VOID && (first == VOID || (int8_t)(second - first) > 0);
    *address = take_second ? COPY_BYTES : 0;
    *generation = take_second ? second : first;
    return *generation != VOID;
}

uint16_t store_load(struct calibration *calibration)
{
    uint16_t address;
    uint8_t generation;
    if (!find_newer(&address, &generation))
        return 0;
    uint8_t *bytes = (uint8_t *)calibration;
    for (uint16_t i = 0; i < sizeof *calibration; i++)
        bytes[i] = eeprom_read(address + 1 + i);
    return (uint16_t)(eeprom_read(address + CRC_AT) << 8 | eeprom_read(address + CRC_AT + 1));
}

static uint16_t checksum(uint8_t generation, const struct calibration *calibration)
{
    const uint8_t *bytes = (const uint8_t *)calibration;
    uint16_t crc = crc_add(crc_of_board(), generation);
    for (uint16_t i = 0; i < sizeof *calibration; i++)
        crc = crc_add(crc, bytes[i]);
    return crc;
}

void store_begin(struct saving *saving, const struct calibration *calibration)
{
    uint16_t newer;
    uint8_t generation;
    bool any = find_newer(&newer, &generation);
    saving->address = any && newer == 0 ? COPY_BYTES : 0;
    /* A checksum of 0 would say that there is no calibration; the next generation has another. */
    do {
        generation = next_generation(generation);
        saving->checksum = checksum(generation, calibration);
    } while (saving->checksum == 0);
    saving->generation = generation;
    saving->calibration = calibration;
    saving->step = 0;
}

/* The order of writing: void, calibration, CRC, generation. */
static uint8_t byte_of(const struct saving *saving, uint16_t step)
{
    if (step == 0)
        return VOID;
    if (step < CRC_AT)
        return ((const uint8_t *)saving->calibration)[step - 1];
    if (step == CRC_AT)
        return (uint8_t)(saving->checksum >> 8);
    if (step == CRC_AT + 1)
        return (uint8_t)saving->checksum;
    return saving->generation;
}

bool store_step(struct saving *saving)
{
    for (; saving->step <= COPY_BYTES; saving->step++) {
        if (!eeprom_ready())
            return false;
        uint16_t address = saving->address + saving->step % COPY_BYTES;
        uint8_t byte = byte_of(saving, saving->step);
        if (eeprom_read(address) == byte)
            continue;
        eeprom_write(address, byte);
        saving->step++;
        return false;
    }
    return eeprom_ready();
}
