"""The public feed of a game: numbered items, derived from its journal.

The same journal rows always give the same items, so lost items can be created and sent again.
`feed` creates, encodes and decodes the items. `messages` has all other messages, `broker` the
broker's address, and `mqtt` the network connection.
"""
