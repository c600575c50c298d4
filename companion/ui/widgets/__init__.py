"""Building blocks of the screens: texts, pictures and controls.

Every screen may use all of them. None of them knows a screen.
"""
