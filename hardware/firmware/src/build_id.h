/* Build number, which identifies the sources of this firmware. */
#pragma once

#include <stdint.h>

/* Return the first four bytes of the SHA-256 over all files in src, sorted by name. The number does
 * not depend on computer, folder or time. */
uint32_t build_id(void);
