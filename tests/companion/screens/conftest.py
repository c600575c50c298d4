"""Kivy as these tests need it: before anything opens the window."""

from kivy.config import Config

for option in ("multisamples", "maxfps"):
    Config.set("graphics", option, 0)
# No mouse and no touchscreen: the fingers are the tests' own.
Config.remove_section("input")
Config.add_section("input")
