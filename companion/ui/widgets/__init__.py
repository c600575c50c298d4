"""Building blocks of the screens: texts, pictures and controls.

Every screen may use all of them, but they do not depend on any screen.
"""
