/* Sleeps with interrupts disabled. */
#include <avr/sleep.h>

int main(void)
{
    for (;;)
        sleep_mode();
}
