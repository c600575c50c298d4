"""Hardware tests: the firmware on the host, and in an emulator with simulated magnets."""
