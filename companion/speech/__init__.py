"""Texts for the players, in their language: the `announcer`'s sentences, and numbers in words.

All modules are public. Code that shows or speaks a text takes it from here, or composes it with
`language`; the catalogues are in `companion/locale`.
"""
