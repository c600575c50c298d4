#include "changes.h"

#include <string.h>

static void drop(struct changes *changes, uint8_t index)
{
    changes->count--;
    memmove(changes->list + index, changes->list + index + 1,
            (changes->count - index) * sizeof *changes->list);
}

void changes_drop(struct changes *changes, uint8_t square)
{
    for (uint8_t i = 0; i < changes->count; i++) {
        if (changes->list[i].square == square) {
            drop(changes, i);
            return;
        }
    }
}

/* One millisecond of SAMPLING_MS is reserved for rounding the reported age. */
void changes_record(struct changes *changes, uint8_t square, uint16_t last_old, uint16_t first_new)
{
    changes_drop(changes, square);
    if ((uint16_t)(first_new - last_old) > (SAMPLING_MS - 1) * TICKS_PER_MS)
        return;
    if (changes->count == MOST_CHANGES)
        drop(changes, 0);
    changes->list[changes->count++] = (struct change){square, first_new};
}

void changes_expire(struct changes *changes, uint16_t now)
{
    while (changes->count > 0 &&
           (uint16_t)(now - changes->list[0].time) > CHANGE_REPORT_MS * TICKS_PER_MS)
        drop(changes, 0);
}
