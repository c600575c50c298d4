"""Board maintenance: inspection, diagnosis, calibration and firmware updates.

Other packages use an `inspection` with its `board_monitor` and `report`, `calibration` with the
simulated builder, and `firmware_update`. The `sensor_findings` are internal. The package imports
neither the commands nor the screens that use it.
"""
