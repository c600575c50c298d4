"""A game in a terminal: what is announced, what is typed, and what nobody else may see.

From outside use `terminal_referee`, on a console opened by the `curtain`. The `keyboard` is its
own.
"""
