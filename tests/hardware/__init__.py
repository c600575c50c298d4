"""Hardware tests, which run the firmware on the host and in an emulator with simulated magnets."""
