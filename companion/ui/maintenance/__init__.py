"""The screens for `companion.diagnostics`: sensor check, guided calibration and others.

Only the root opens these screens.
"""
