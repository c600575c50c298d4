"""Text for the players in their language, and the queue of spoken announcements.

All modules are public. Code that shows or speaks text takes the text from these modules, or
composes it with `i18n`. The catalogues are in `companion/locale`.
"""
