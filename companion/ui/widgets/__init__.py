"""Building blocks for the screens: text, pictures and controls.

Any screen may use these widgets. The widgets do not depend on any screen.
"""
