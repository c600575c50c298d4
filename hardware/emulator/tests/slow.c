/* Sends "!" and then echoes received bytes, at 115200 baud. */
#include "tiny.h"

int main(void)
{
    uart_init();
    UBRR0L = 16;
    put('!');
    for (;;)
        put(get());
}
