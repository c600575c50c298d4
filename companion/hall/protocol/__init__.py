"""Public feed of a game: numbered items, derived from its journal.

The journal is the outbox: the same rows always give the same items, so lost items can be sent again
from any number. `feed` creates, encodes and decodes the items. `messages` has all other messages,
`broker` the broker's address, and `mqtt` the connection, which alone uses the network.
"""
