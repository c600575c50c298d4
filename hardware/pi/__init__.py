"""Installation of the appliance on a Raspberry Pi, and tests for its SD card image."""
