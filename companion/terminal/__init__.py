"""Games in a terminal: announcements, typed input, and private prompts.

Other packages use `terminal_referee` and `narration`, with a console opened by `curtain`. The rest
is internal: the `board_picture` and the recovery (`guide`), the prompts (`prompts`) and the parser
of typed lines (`commands`), and the confirmation of an end (`final_word`).
"""
