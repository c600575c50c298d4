"""What the screens are made of: colours, texts, and things to look at and to touch.

All may be used from every screen. None of them knows a screen.
"""
