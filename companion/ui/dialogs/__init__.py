"""Dialogs shown over a screen: menus, questions, choices and finished games.

The root opens the dialogs and passes them callbacks. Other modules use only `Confirmations` and the
text in `game_choice`.
"""
