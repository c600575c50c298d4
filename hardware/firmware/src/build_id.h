/* Which sources this firmware was built from. */
#pragma once

#include <stdint.h>

/* The first four bytes of the SHA-256 over all files of src, in the order of their names: the same on every computer. */
uint32_t build_id(void);
