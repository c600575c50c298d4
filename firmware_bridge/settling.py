"""How long the board has shown the same image: a hand at work is not a move."""

from firmware_bridge.image import Image


class Settling:
    """Remembers the latest image and since when it has stood. Time is passed in, in seconds."""

    def __init__(self) -> None:
        """Start without an image, as after a lost connection."""
        self.image: Image | None = None
        """The latest image, None if there is none yet."""
        self.since = 0.0
        """Since when it has stood unchanged."""

    def see(self, at: float, image: Image) -> None:
        """Take the image that the board showed at a moment."""
        if image != self.image:
            self.image, self.since = image, at
