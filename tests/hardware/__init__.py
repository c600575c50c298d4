"""The firmware on the desktop, and under emulation with magnets over its sensors."""
