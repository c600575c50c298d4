"""The screens of `companion.diagnostics`: sensor check, guided calibration and others.

Only the root opens them.
"""
