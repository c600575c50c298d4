"""Read a session's pages, and touch their controls, without a network."""

import json
from typing import Any

from companion.pads.pad_feed import MOST, PadFeed
from companion.speech.i18n import Language, RankSigns
from engine.board.geometry import Side
from tests.companion.pads.pad_driver import PadDriver

State = dict[str, Any]


class PageViews:
    def __init__(
        self,
        driver: PadDriver,
        codes: tuple[str, str, str] = ("en", "en", "en"),
        signs: RankSigns = RankSigns.EUROPEAN,
    ) -> None:
        languages = (Language(code, signs) for code in codes)
        self.spoken = dict(zip((None, *Side), languages, strict=True))
        self.host = driver
        self.followed = PadFeed(driver, self.spoken.__getitem__, driver.clock)
        driver.listen(self.followed.hear)
        self.followed.look()

    def of(self, side: Side | None) -> State:
        self.host.changes += 1
        shown = self.followed.look()
        assert shown
        text = shown.pads[side] if side else shown.everybody
        assert len(text) <= MOST
        state: State = json.loads(text)
        return state

    def touch(self, side: Side, do: str, **what: object) -> None:
        """Touch the choice that sends the command `do` with these fields."""
        state = self.of(side)
        choices = [*state["offers"]]
        for ask in state["asks"]:
            choices += [*ask["choices"], *ask.get("others", [])]
        command = next(
            each["say"]
            for each in choices
            if each["say"]["do"] == do and what.items() <= each["say"].items()
        )
        word = self.followed.read(side, command)
        assert word
        self.host.submit(word)

    def titles(self, side: Side) -> list[str]:
        return [ask["title"] for ask in self.of(side)["asks"]]

    def offers(self, side: Side) -> list[str]:
        return [offer["say"]["do"] for offer in self.of(side)["offers"]]


def begun(**options: Any) -> PadDriver:
    driver = PadDriver.begun(**options)
    assert isinstance(driver, PadDriver)
    return driver
