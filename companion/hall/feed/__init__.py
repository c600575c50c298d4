"""What may be told of a game outside its room: items with numbers, derived from its journal.

The journal is the outbox: the same rows always give the same items, so whatever was lost on the way
can be told again from any number. `feed` makes the items, `item` writes and reads them by
`foreign_json`, and `event_reader` makes events of what is written. Nothing here knows a network.
"""
