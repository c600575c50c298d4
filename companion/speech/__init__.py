"""What is said to people, in their language: the `announcer`'s sentences, and numbers in words.

All may be used from outside. Whatever shows or says something takes its texts from here, or writes
them itself with `language`; the catalogues are in `companion/locale`.
"""
