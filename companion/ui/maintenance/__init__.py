"""The screens for `companion.diagnostics`: sensor check, guided calibration and others.

Only the root opens them.
"""
