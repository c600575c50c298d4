"""Board maintenance: inspection, diagnosis, calibration and firmware updates.

Other packages use `inspection` (with `board_monitor` and `report`), `calibration` (with the
simulated builder) and `firmware_update`. `sensor_findings` is internal. The package imports neither
the commands nor the screens that use it.
"""
