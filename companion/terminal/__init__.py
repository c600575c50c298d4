"""A game in a terminal: what is announced, what is typed, and what nobody else may see.

From outside use `terminal_referee` and `narration`, on a console opened by the `curtain`. The rest
is their own: the `board_picture` and the way back (`guide`), what can be typed (`prompts`) and what
comes of it (`commands`), the question before a `final_word`.
"""
