#include "channels.h"

#include "wiring.h"

const __flash uint8_t channels[SQUARES] = WIRING_CHANNELS;
