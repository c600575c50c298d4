"""What serves pads to the network: one thread, bounded in all that strangers can do.

`Service` is the door. Nothing in here knows a game: it hands bytes between phones and the `Desk`.
"""

from companion.pads.serving.service import Service

__all__ = ["Service"]
