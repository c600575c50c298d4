/* Which channel reads which square.
 * Made from hardware/wiring.toml by "make wiring"; change that file and not this one.
 */
#ifndef WIRING_H
#define WIRING_H

/* For each square, a1 to k1, then a2 to k2 and so on, the channel 16 * multiplexer + input. */
#define WIRING_CHANNELS \
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

/* The input of every multiplexer that is connected to ground. */
#define WIRING_GROUND 15

#endif
