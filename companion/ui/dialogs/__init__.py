"""Dialogs over a screen: menus, questions, choices and finished games.

The root opens them and passes them the callbacks to run. Other modules use only `Confirmations` and
the texts of `game_choice`.
"""
