"""The screens of a game, from the start to the end.

Only the root creates them, and `base.screen_selection` selects the one to show. Other modules may
import the start screen's texts about the board.
"""
