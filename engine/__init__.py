"""The rules of Stratego: actions in, rulings out. No clock, no file, no thread.

Start reading at `engine.referee`.
"""
