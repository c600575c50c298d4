/* Build number: identifies the sources of this firmware. */
#pragma once

#include <stdint.h>

/* Return the first four bytes of the SHA-256 over all files of src in the order of their names.
 * Independent of computer, folder and time. */
uint32_t build_id(void);
