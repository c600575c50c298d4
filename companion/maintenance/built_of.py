"""What a board was built of, told to it: it takes that and says who it is with it, or refuses.

What the board says goes in, with its moment. Nothing here waits, so the terminal and the
touchscreen tell it in the same way, and say the same when it refuses.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from companion.maintenance.clerk import ENGLISH
from companion.speech.language import N_, Language
from companion.speech.trouble_words import trouble_words
from firmware_bridge.link import Connected, Event, Received, Trouble
from firmware_bridge.wire import (
    Configure,
    Configured,
    ConfigureResult,
    HostCommand,
    Identify,
    Settings,
)

ANSWER_SECONDS: Final = 2.0
"""How long the board may take for each answer; it has to give it within one."""
REFUSALS: Final[Mapping[ConfigureResult, str]] = {
    ConfigureResult.NO_KIND: N_(
        "The board does not take that, as there are no such sensors; it goes on as it was."
    ),
    ConfigureResult.NO_GEOMETRY: N_(
        "The board does not take that, as no board with these sensors is built so; it goes on as "
        "it was."
    ),
    ConfigureResult.NO_BAND_GAP: N_(
        "The board does not take that, as no chip has such a reference; it goes on as it was."
    ),
    ConfigureResult.NO_SHARE: N_(
        "The board does not take that, as with such a threshold no board would work; it goes on "
        "as it was."
    ),
    ConfigureResult.NOT_NOW: N_(
        "The board does not take that, as a calibration is under way, or its memory has failed; "
        "it goes on as it was."
    ),
}
"""What is said of a board that does not take settings."""
NO_ANSWER: Final = N_("The board does not answer. Flash it with “boomboard flash”.")


class Answer(Enum):
    """How far the telling has come."""

    AWAITED = "awaited"
    TAKEN = "taken"
    REFUSED = "refused"
    """Nothing was changed."""
    NONE = "none"
    """The board was lost, or says nothing: what came of it is not known."""


class Telling:
    """A board is told once what it was built of."""

    def __init__(
        self,
        wish: Configure,
        ask: Callable[[HostCommand], object],
        now: float,
        language: Language = ENGLISH,
    ) -> None:
        """Tell it; `ask` says something to the board that is connected."""
        self.answer = Answer.AWAITED
        self.settings: Settings | None = None
        """What it goes by, as soon as it has said so."""
        self.connected: Connected | None = None
        """How it introduces itself with what it has taken."""
        self.trouble = ""
        """Why it has not taken it, in plain sentences."""
        self._ask, self._asked_at, self._language = ask, now, language
        ask(wish)

    def take(self, event: Event, now: float) -> None:
        """Take in what the link tells."""
        if self.answer is not Answer.AWAITED:
            return
        match event:
            case Received(Configured(result, settings)):
                self._hear(result, settings, now)
            case Connected() if self.settings:
                self.connected, self.answer = event, Answer.TAKEN
            case Trouble():
                self._end(Answer.NONE, trouble_words(event, self._language))

    def tick(self, now: float) -> None:
        """Give up if an answer fails to come."""
        if self.answer is Answer.AWAITED and now - self._asked_at >= ANSWER_SECONDS:
            self._end(Answer.NONE, self._language.text(NO_ANSWER))

    def _hear(self, result: ConfigureResult, settings: Settings, now: float) -> None:
        self.settings = settings
        if result is ConfigureResult.CONFIGURED_SO:
            self._asked_at = now
            self._ask(Identify())
        else:
            self._end(Answer.REFUSED, self._language.text(REFUSALS[result]))

    def _end(self, answer: Answer, words: str) -> None:
        self.answer, self.trouble = answer, words
