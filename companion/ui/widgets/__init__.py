"""Building blocks of the screens: texts, pictures and controls.

Every screen may use these widgets, which do not depend on any screen.
"""
