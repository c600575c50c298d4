/* Version label in the hex file. "boomboard flash" reads and shows the label before writing. */
#include "build_id.h"

#include "board.h"

#define WORD(value) #value
#define TEXT(macro) WORD(macro)
#define VERSION TEXT(FIRMWARE_MAJOR) "." TEXT(FIRMWARE_MINOR) "." TEXT(FIRMWARE_PATCH)
#define DIGITS(build) 0x##build##UL
#define NUMBER(macro) DIGITS(macro)

/* BUILD is eight hexadecimal digits, set by the Makefile. */
const __flash char build_label[] = "Boomboard " VERSION " " TEXT(BUILD);

uint32_t build_id(void)
{
    return NUMBER(BUILD);
}
