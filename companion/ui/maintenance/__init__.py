"""Screens for `companion.diagnostics`, such as the sensor check and guided calibration.

Only the root opens these screens.
"""
