"""Screens for `companion.diagnostics`, such as the sensor check and guided calibration.

The board menu, in `companion.ui.navigation.game_menu`, opens these screens.
"""
