"""Navigation to the phones, from the settings at the start and in a game."""

from collections.abc import Callable
from functools import partial

from companion.screens.base.later import later
from companion.screens.base.stage import Stage
from companion.screens.doors.over import Over

with later("companion.screens.overlays"):
    from companion.screens.overlays import phones_cover


class PhonesDoor:
    """Admits phones, shows their QR codes, and disconnects them."""

    def __init__(self, stage: Stage, over: Over) -> None:
        self._stage, self._over = stage, over

    def open(self, back: Callable[[], None]) -> None:
        """Show the QR codes or, before phones are admitted, an explanation."""
        phones = self._stage.phones

        def let_in() -> None:
            phones.open()
            self.open(back)

        if phones.is_open:
            self._over.show(phones_cover.PhonesCover(self._stage, partial(self.open, back), back))
        else:
            self._over.show(phones_cover.LettingInCover(phones, let_in, back))
