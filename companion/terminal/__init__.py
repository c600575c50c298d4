"""Games in a terminal: announcements, typed input, and private prompts.

Other packages use `terminal_referee` and `output`, and open consoles with `private_prompt`. The
other modules are internal.
"""
