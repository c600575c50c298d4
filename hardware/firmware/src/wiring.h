/* Connections between sensors and multiplexers, when wired by hand and on tiles.
 * Generated from hardware/wiring.toml and hardware/pcb/wiring.toml by “make wiring”. Do not edit.
 */
#ifndef WIRING_H
#define WIRING_H

/* Channel of each square, row by row from a1: 16 * multiplexer + input. */
#define HAND_CHANNELS \
    { \
          0,   1,   2,   3,   4,  16,  17,  18,  19,  20, \
          5,   6,   7,   8,   9,  21,  22,  23,  24,  25, \
         10,  11,  12,  13,  14,  26,  27,  28,  29,  30, \
         32,  33,  34,  35,  36,  48,  49,  50,  51,  52, \
         37,  38,  39,  40,  41,  53,  54,  55,  56,  57, \
         42,  43,  44,  45,  46,  58,  59,  60,  61,  62, \
         64,  65,  66,  67,  68,  80,  81,  82,  83,  84, \
         69,  70,  71,  72,  73,  85,  86,  87,  88,  89, \
         74,  75,  76,  77,  78,  90,  91,  92,  93,  94, \
         96,  97,  98,  99, 100, 101, 102, 103, 104, 105, \
    }

/* Square on each channel, or 100 if there is none. */
#define HAND_SQUARES \
    { \
          0,   1,   2,   3,   4,  10,  11,  12,  13,  14,  20,  21,  22,  23,  24, 100, \
          5,   6,   7,   8,   9,  15,  16,  17,  18,  19,  25,  26,  27,  28,  29, 100, \
         30,  31,  32,  33,  34,  40,  41,  42,  43,  44,  50,  51,  52,  53,  54, 100, \
         35,  36,  37,  38,  39,  45,  46,  47,  48,  49,  55,  56,  57,  58,  59, 100, \
         60,  61,  62,  63,  64,  70,  71,  72,  73,  74,  80,  81,  82,  83,  84, 100, \
         65,  66,  67,  68,  69,  75,  76,  77,  78,  79,  85,  86,  87,  88,  89, 100, \
         90,  91,  92,  93,  94,  95,  96,  97,  98,  99, 100, 100, 100, 100, 100, 100, \
        100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, \
    }

/* Inputs that have a square on any multiplexer, and the index of each input among them. */
#define HAND_INPUT_COUNT 15
#define HAND_INPUTS { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 }
#define HAND_PLACES { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0 }

/* Input that is grounded on every multiplexer. */
#define HAND_GROUND 15

/* Channel of each square, row by row from a1: 16 * multiplexer + input. */
#define TILE_CHANNELS \
    { \
          8,   9,  11,  13,  24,  40,  41,  43,  45,  56, \
         21,  10,  12,  26,  25,  53,  42,  44,  58,  57, \
         19,  20,   6,  28,  27,  51,  52,  38,  60,  59, \
         17,  18,   4,   2,  29,  49,  50,  36,  34,  61, \
         16,   5,   3,   1,   0,  48,  37,  35,  33,  32, \
         72,  73,  75,  77,  88, 104, 105, 107, 109, 120, \
         85,  74,  76,  90,  89, 117, 106, 108, 122, 121, \
         83,  84,  70,  92,  91, 115, 116, 102, 124, 123, \
         81,  82,  68,  66,  93, 113, 114, 100,  98, 125, \
         80,  69,  67,  65,  64, 112, 101,  99,  97,  96, \
    }

/* Square on each channel, or 100 if there is none. */
#define TILE_SQUARES \
    { \
         44,  43,  33,  42,  32,  41,  22, 100,   0,   1,  11,   2,  12,   3, 100, 100, \
         40,  30,  31,  20,  21,  10, 100, 100,   4,  14,  13,  24,  23,  34, 100, 100, \
         49,  48,  38,  47,  37,  46,  27, 100,   5,   6,  16,   7,  17,   8, 100, 100, \
         45,  35,  36,  25,  26,  15, 100, 100,   9,  19,  18,  29,  28,  39, 100, 100, \
         94,  93,  83,  92,  82,  91,  72, 100,  50,  51,  61,  52,  62,  53, 100, 100, \
         90,  80,  81,  70,  71,  60, 100, 100,  54,  64,  63,  74,  73,  84, 100, 100, \
         99,  98,  88,  97,  87,  96,  77, 100,  55,  56,  66,  57,  67,  58, 100, 100, \
         95,  85,  86,  75,  76,  65, 100, 100,  59,  69,  68,  79,  78,  89, 100, 100, \
    }

/* Inputs that have a square on any multiplexer, and the index of each input among them. */
#define TILE_INPUT_COUNT 13
#define TILE_INPUTS { 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13 }
#define TILE_PLACES { 0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12, 0, 0 }

/* Input that is grounded on every multiplexer. */
#define TILE_GROUND 15

#endif
