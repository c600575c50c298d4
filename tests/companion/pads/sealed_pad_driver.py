"""A session in which the players seal their armies on their phones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.setups.setup import Setup, preset_setups
from engine.board.geometry import Side, Square, name, square
from engine.board.ranks import Rank
from engine.deduction.commitment import ArmyCommitment, Opening
from engine.rules.editions import DEFAULT, Edition
from tests.companion.pads.pad_driver import PadDriver
from tests.companion.pads.page_views import PageViews

SEALED = replace(DEFAULT, sealed_armies=True)


def first_setup(edition: Edition) -> Setup:
    return preset_setups(edition.army)[0].setup


FORT = first_setup(SEALED)


class Seals:
    """An army's openings, as a phone stores them."""

    def __init__(self, side: Side, setup: Setup = FORT, salted: int = 0) -> None:
        standing = setup.on_squares_of(side)
        self.openings = {at: Opening(rank, f"{at + salted:032x}") for at, rank in standing.items()}
        self.commitment = ArmyCommitment.of(side, self.openings)

    @property
    def hashes(self) -> str:
        """Commitments in the pad's format."""
        sums = sorted(self.commitment.commitments.items())
        return " ".join(f"{name(at)}:{commitment}" for at, commitment in sums)

    @property
    def army(self) -> str:
        """The ranks and salts of all pieces, in the format of a phone."""
        opened = sorted(self.openings.items())
        return " ".join(f"{name(at)}:{_rank(each)}:{each.salt}" for at, each in opened)

    def of(self, piece: str) -> dict[str, str]:
        opening = self.openings[square(piece)]
        return {"rank": _rank(opening), "salt": opening.salt}


class SealedPadDriver:
    """Session with a page for each player."""

    def __init__(self, edition: Edition = SEALED, setup: Setup = FORT) -> None:
        self.driver = PadDriver(edition)
        self.eyes = PageViews(self.driver)
        self.seals = {side: Seals(side, setup) for side in Side}

    @classmethod
    def begun(cls, edition: Edition = SEALED, setup: Setup = FORT) -> "SealedPadDriver":
        """Return a session in which both players have sealed their armies and are ready."""
        made = cls(edition, setup)
        for side in Side:
            made.stand(side)
            made.seal(side)
        for side in Side:
            made.eyes.touch(side, "ready")
        made.driver.wait()
        made.driver.forget()
        return made

    def stand(self, side: Side) -> None:
        self.driver.stand(side, *self.seals[side].openings)
        self.driver.wait()

    def seal(self, side: Side) -> None:
        setup = self.eyes.of(side)["setup"]
        self.submit(side, {**setup["say"], "commitments": self.seals[side].hashes})

    def asked(self, side: Side) -> Mapping[str, Any]:
        (ask,) = self.eyes.of(side)["asks"]
        assert isinstance(ask, dict)
        return ask

    def submit(self, side: Side, submit: Mapping[str, Any]) -> None:
        word = self.eyes.followed.read(side, submit)
        assert word
        self.driver.submit(word)

    def answer(self, side: Side, **what: object) -> None:
        """Answer the open question with the choice that contains the first field.

        The command of this choice is sent with all given fields.
        """
        ask, first = self.asked(side), next(iter(what.items()))
        choices = [*ask["choices"], *ask.get("others", [])]
        command = next(each["say"] for each in choices if first in each["say"].items())
        self.submit(side, {**command, **what})

    def declare(self, side: Side) -> None:
        opened = self.seals[side].of(self.asked(side)["opens"])
        self.answer(side, **opened)


def exchanged(setup: Setup, square: Square, rank: Rank) -> Setup:
    """Swap two pieces to put `rank` on `square`. Return the setup."""
    source = next(at for at, its in setup.ranks.items() if its is rank)
    return setup.carry(source, square)


def _rank(opening: Opening) -> str:
    return opening.rank.name.lower()
