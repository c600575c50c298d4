"""The room `companion.maintenance` on the screen: sensor check and guided calibration.

Only the root opens them.
"""
