"""Hardware tests: the firmware on the desktop, and in emulation with simulated magnets."""
