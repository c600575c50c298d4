"""Building blocks for the screens: text, pictures and controls.

Any screen may use these widgets; they depend on none.
"""
