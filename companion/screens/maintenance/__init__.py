"""The screens of `companion.maintenance`: sensor check, guided calibration and others.

Only the root opens them.
"""
