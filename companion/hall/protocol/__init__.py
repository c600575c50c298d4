"""The public feed of a game: numbered items, derived from its journal.

The same journal rows always give the same items, so lost items can be recreated and sent again.
`feed` creates, encodes and decodes items. `messages` defines all other messages, `broker` holds the
broker's address and credentials, and `mqtt` makes the network connection.
"""
