"""What is kept: a game while it is played, games that are over, and games in files.

A `session` gives inputs to the table, writes what was accepted into the `journal`, and only then
lets anybody hear of it. From outside, whoever plays uses `session` and `journal`; who looks at
games that are over, the `archive`; who wants one from a file, `records`; and `standard_input`,
where `-` may be named instead of a file.
"""
