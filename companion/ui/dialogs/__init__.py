"""Dialogs over a screen: menus, questions, choices and finished games.

The root opens the dialogs and passes them the callbacks to run. Other modules use only
`Confirmations` and the texts of `game_choice`.
"""
