#include "supply.h"

#include "board.h"
#include "settings.h"

uint16_t supply_mv(uint16_t sum)
{
    /* A smaller sum would mean a supply above 65 V, so the reading is invalid. */
    const uint32_t scaled = (uint32_t)settings.band_gap_mv * (FULL_SCALE + 1) * SUPPLY_READINGS;
    return sum > scaled / UINT16_MAX ? (uint16_t)(scaled / sum) : UINT16_MAX;
}
