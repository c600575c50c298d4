"""Installation of the appliance on a Raspberry Pi, and tests of the image of its SD card."""
