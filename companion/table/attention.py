"""When an image has to be taken: once it has stood long enough, and once in each moment."""

from typing import TypeAlias

from engine.play.moment import Phase
from firmware_bridge.image import Image
from firmware_bridge.settling import Settling

Moment: TypeAlias = tuple[Image, Phase, int, object]
"""An image, how far the game was when it stood (the phase, and how many plies are played), and as
what it was read."""


class Attention:
    """What has been seen of the board, and what of it has been taken. Time is passed in."""

    def __init__(self) -> None:
        """Start with nothing seen, as before a board is found."""
        self.due: float | None = None
        """The moment at which the image will have stood long enough, if that is waited for."""
        self._settling = Settling()
        self._taken: Moment | None = None

    @property
    def image(self) -> Image | None:
        """The latest image; None if there is none yet."""
        return self._settling.image

    def see(self, at: float, image: Image) -> None:
        """Take note of the image that the board showed at a moment."""
        self._settling.see(at, image)

    def forget(self) -> None:
        """Forget what was seen: the board is another one, or gone."""
        self._settling = Settling()
        self._taken = None

    def look_again(self) -> None:
        """Let the image that stands be news again: something else may be read from it now."""
        self._taken = None

    def has_stood(self, at: float, patience: float) -> bool:
        """Say whether an image has stood for so long; if not, that is waited for."""
        stood_at = self._settling.since + patience
        if at < stood_at:
            self.due = stood_at
        return at >= stood_at

    def is_news(self, at: float, moment: Moment, patience: float) -> bool:
        """Say whether an image has stood long enough and has not been taken in this moment."""
        settled_at = self._settling.since + patience
        if at < settled_at:
            self.due = settled_at
            return False
        if moment == self._taken:
            return False
        self._taken = moment
        return True
