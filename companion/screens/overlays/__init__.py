"""What lies over a screen for a while: menus, questions, choices, and games that are over.

The root opens them, and what a touch asks for is handed to them. Other screens use only `asking`,
and the words of a `game_choice`.
"""
