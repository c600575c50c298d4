"""Web server of the pads: one thread, with limits on everything a client can do.

`Service` is the entry point. Nothing in here knows a game: it passes bytes between phones and the
`Desk`.
"""

from companion.pads.serving.service import Service

__all__ = ["Service"]
