/* What this firmware is, to be read out of its hex file: "boomboard flash" tells it before it writes. */
#include "board.h"
#include "supply.h"

#define WORD(value) #value
#define TEXT(macro) WORD(macro)
#define VERSION TEXT(FIRMWARE_MAJOR) "." TEXT(FIRMWARE_MINOR) "." TEXT(FIRMWARE_PATCH)

const __flash char label[] =
    "Boomboard " VERSION " " TEXT(BOARD_KIND) " " TEXT(BAND_GAP_MV) " mV";
