/* Sleeps with its interrupts off. */
#include <avr/sleep.h>

int main(void)
{
    for (;;)
        sleep_mode();
}
