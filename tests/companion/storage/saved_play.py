"""A saved game under a given rulebook, with combats, guesses and notes."""

import random
from collections.abc import Iterator
from typing import Final

from companion.core.inputs import (
    BoardFound,
    BoardSeen,
    CommandInput,
    Input,
    NoAttack,
    OfferUndo,
    Pause,
    Ready,
    Resume,
    RevealDismissed,
)
from companion.core.state import AwaitingAnswer
from companion.session.session import Session
from companion.storage.errors import StorageError
from companion.storage.journal import Journal
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import AnswerGuess, AnswerStalemate, Attack, Declare, SettleDispute
from engine.game.clocks import NO_CLOCK
from engine.game.game_state import Phase
from engine.rules.editions import Edition
from firmware_bridge.image import Image

_FRAMES: Final = 12
_FRAME: Final = 0.25
"""Interval between frames, in seconds. An image is stable after three frames."""


class SavedPlay:
    def __init__(self, journal: Journal, edition: Edition, seed: int) -> None:
        """Begin a game. The inputs for its turns come from `inputs`."""
        self._chance = random.Random(f"{edition.id} {seed}")
        self.session = Session.begin(journal, edition, seed, NO_CLOCK)
        self.session.listen(self._hear)
        self.announced = 0
        """Number of actions at the time of the latest announcement."""
        self._at = 0.0

    def _hear(self, _event: object) -> None:
        self.announced = len(self.session.table.referee.actions)

    def inputs(self, times: int) -> Iterator[Input]:
        """Yield the inputs for the setup and for `times` actions."""
        table = self.session.table
        yield BoardFound(self._later(), sees_colours=True)
        yield from self._show(self._armies(table.referee.edition))
        for side in Side:
            yield CommandInput(self._later(), Ready(side))
        for _ in range(times):
            yield from self._do()
            yield from self._show(table.expected)

    def give(self, given: Input) -> None:
        """Pass an input to the session. If the input cannot be saved, the session waits."""
        try:
            self.session.handle(given)
        except StorageError:
            assert self.session.error

    def _armies(self, edition: Edition) -> Image:
        size = edition.army.size
        red = sum(1 << square for square in range(40) if square >= 40 - size)
        return Image(red, sum(1 << 60 + square for square in range(size)))

    def _later(self) -> float:
        self._at += _FRAME
        return self._at

    def _show(self, image: Image) -> Iterator[Input]:
        for _ in range(_FRAMES):
            yield BoardSeen(self._later(), image)

    def _do(self) -> Iterator[Input]:
        table, chance = self.session.table, self._chance
        talk = table.conversation
        if table.unread_combat:
            yield RevealDismissed(self._later())
        elif question := talk.question:
            goes_on = [each for each in question.tiles if each is not Rank.FLAG]
            rank = Secret(question.owner, chance.choice(goes_on or question.tiles))
            yield CommandInput(self._later(), Declare(rank))
        elif talk.take_back_offer or talk.draw_offer:
            yield from (CommandInput(self._later(), OfferUndo(side)) for side in Side)
        elif table.referee.phase is Phase.PLAY:
            if chance.random() < 0.1:
                words = chance.choice([(Pause(), Resume()), [*map(OfferUndo, Side)]])
                yield from (CommandInput(self._later(), each) for each in words)
                yield from self._show(table.expected)
            turns = table.referee.legal_moves()
            attacks = [each for each in turns if isinstance(each, Attack)]
            forward = 1 if table.referee.to_move is Side.RED else -1
            is_bold = attacks and chance.random() < 0.5
            tried = [chance.choice(attacks)] if is_bold else chance.choices(turns, k=3)
            turn = max(tried, key=lambda each: (each.target - each.source) * forward)
            yield CommandInput(self._later(), turn)
            if isinstance(table.state, AwaitingAnswer):
                yield NoAttack(self._later())
        else:
            answers = (AnswerGuess(right=False), SettleDispute(accepted=False))
            yield from (CommandInput(self._later(), each) for each in answers)
            yield CommandInput(self._later(), AnswerStalemate(able=True))
