"""Update of a board's build settings: the board stores and reports them back, or rejects them.

Inputs are the board's messages with their times. Nothing here blocks, so the terminal and the
touchscreen share the procedure and its error messages.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from companion.diagnostics.report import ENGLISH
from companion.speech.i18n import N_, Language
from companion.speech.small_texts import link_error_text
from firmware_bridge.link import Connected, Event, LinkError, MessageReceived
from firmware_bridge.wire import (
    BoardSettings,
    Configure,
    Configured,
    ConfigureResult,
    HostCommand,
    Identify,
)

ANSWER_SECONDS: Final = 2.0
"""Time-out for each answer from the board, in seconds; the board has to answer within 1 s."""
REFUSALS: Final[Mapping[ConfigureResult, str]] = {
    ConfigureResult.NO_KIND: N_(
        "The board cannot apply this: there are no such sensors. Nothing has changed."
    ),
    ConfigureResult.NO_GEOMETRY: N_(
        "The board cannot apply this: no board with these sensors is built that way. Nothing "
        "has changed."
    ),
    ConfigureResult.NO_BAND_GAP: N_(
        "The board cannot apply this: no chip has such a reference. Nothing has changed."
    ),
    ConfigureResult.NO_SHARE: N_(
        "The board cannot apply this: no board would work with such a threshold. Nothing has "
        "changed."
    ),
    ConfigureResult.NOT_NOW: N_(
        "The board cannot apply this now, because a calibration is in progress or its memory "
        "has failed. Nothing has changed."
    ),
}
"""Error messages for a board that rejects settings."""
NO_ANSWER: Final = N_("The board does not answer. Flash it with “boomboard flash”.")


class UpdateState(Enum):
    """State of the settings update."""

    AWAITED = "awaited"
    TAKEN = "taken"
    REFUSED = "refused"
    """The board has rejected the settings and changed nothing."""
    NONE = "none"
    """The board was lost or does not answer. Whether its settings have changed is unknown."""


class SettingsUpdate:
    """A single update of a board's build settings."""

    def __init__(
        self,
        wish: Configure,
        ask: Callable[[HostCommand], object],
        now: float,
        language: Language = ENGLISH,
    ) -> None:
        """Send the settings; `ask` sends a command to the connected board."""
        self.answer = UpdateState.AWAITED
        self.settings: BoardSettings | None = None
        """The board's settings, once it has reported them."""
        self.connected: Connected | None = None
        """The board's new introduction after the update."""
        self.error = ""
        """Reason for a failure, in plain sentences."""
        self._ask, self._asked_at, self._language = ask, now, language
        ask(wish)

    def take(self, event: Event, now: float) -> None:
        if self.answer is not UpdateState.AWAITED:
            return
        match event:
            case MessageReceived(Configured(result, settings)):
                self._on_result(result, settings, now)
            case Connected() if self.settings:
                self.connected, self.answer = event, UpdateState.TAKEN
            case LinkError():
                self._end(UpdateState.NONE, link_error_text(event, self._language))

    def tick(self, now: float) -> None:
        """Give up after the time-out."""
        if self.answer is UpdateState.AWAITED and now - self._asked_at >= ANSWER_SECONDS:
            self._end(UpdateState.NONE, self._language.text(NO_ANSWER))

    def _on_result(self, result: ConfigureResult, settings: BoardSettings, now: float) -> None:
        self.settings = settings
        if result is ConfigureResult.ACCEPTED:
            self._asked_at = now
            self._ask(Identify())
        else:
            self._end(UpdateState.REFUSED, self._language.text(REFUSALS[result]))

    def _end(self, answer: UpdateState, words: str) -> None:
        self.answer, self.error = answer, words
