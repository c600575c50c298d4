"""Hardware tests: the firmware on the desktop, and in an emulator with simulated magnets."""
