"""Building blocks of the screens: texts, pictures and controls.

Every screen may use them, and they do not depend on any screen.
"""
