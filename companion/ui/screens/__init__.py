"""The screens of a game, from the start to the end.

Only the root creates the screens, and `base.screen_selection` selects the one to show. Other
modules may import the start screen's text about the board.
"""
