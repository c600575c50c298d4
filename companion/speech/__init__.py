"""Text for the players in their language, and the queue of spoken announcements.

All modules are public. Code that shows or speaks text takes it from here, or composes it with
`i18n`. The catalogues are in `companion/locale`.
"""
