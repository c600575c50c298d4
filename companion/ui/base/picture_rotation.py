"""Rotation of the picture on the display, and its trial period.

A new rotation takes effect at once, but it is only kept if somebody confirms it. A person who
cannot read the rotated picture, or whose touches miss it, only has to wait.
"""

from collections.abc import Callable
from typing import Final

from companion.session.settings import Settings

TRIAL_SECONDS: Final = 15.0
"""Time after which an unconfirmed rotation is undone, in seconds, as in a desktop's settings."""


class PictureRotation:
    """The rotation in the settings, or the one that is being tried."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._tried: int | None = None
        self._until = 0.0

    @property
    def degrees(self) -> int:
        """The current clockwise rotation, in degrees."""
        return self._settings.rotation if self._tried is None else self._tried

    @property
    def seconds_left(self) -> float:
        """Remaining time of the trial; 0 without a trial."""
        return 0.0 if self._tried is None else max(0.0, self._until - self._clock())

    @property
    def has_expired(self) -> bool:
        """Whether a trial is over without a confirmation, so that it has to be undone."""
        return self._tried is not None and not self.seconds_left

    def try_out(self, degrees: int) -> None:
        """Rotate the picture until the trial is confirmed, undone or over."""
        self._tried, self._until = degrees, self._clock() + TRIAL_SECONDS

    def keep(self) -> None:
        """Confirm the rotation, and store it in the settings."""
        self._settings.rotation = self.degrees
        self._tried = None

    def undo(self) -> None:
        """Return to the rotation in the settings."""
        self._tried = None
