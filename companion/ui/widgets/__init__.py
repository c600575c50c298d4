"""Building blocks of the screens: colours, texts, pictures and controls.

Every screen may use all of them. None of them knows a screen.
"""
