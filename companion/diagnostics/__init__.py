"""Board maintenance: inspection, diagnosis, calibration and firmware updates.

From outside use an `inspection` with its `board_monitor`, the `report` of it, `board_settings`,
`guided_calibration` with the simulated builder, and `firmware_update`. The `sensor_findings` are
internal. The package imports neither the commands nor the screens that use it.
"""
