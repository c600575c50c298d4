"""Public feed of a game: numbered items, derived from its journal.

The journal is the outbox: the same rows always give the same items, so lost items can be sent again
from any number. `feed` makes the items, `item` encodes and decodes them by `foreign_json`, and
`event_reader` decodes their events. Nothing here uses a network.
"""
