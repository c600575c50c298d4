"""A table that reads plain data and answers each line."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from companion.codec import MalformedError
from companion.core.events import TO_ALL, write_event
from companion.core.game_context import Step
from companion.core.inputs import BoardSeen, Input
from companion.core.state import Finished, OpenQuestion
from companion.core.table import Table
from companion.jsonl.requests import read_at, read_line
from engine.board.geometry import Side, Square, name
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK, TimeControl
from engine.game.game_state import Phase
from engine.records.serialization import Plain, write_action, write_rank
from engine.rules.editions import Edition
from firmware_bridge.image import Image

ASKS: Final = (
    "rank",
    "insist",
    "attack",
    "who-attacks",
    "course",
    "guess",
    "can-move",
    "touched",
    "settle",
    "agree",
    "take-back",
    "accept-board",
)
"""All question types."""
_YES_OR_NO: Final = (True, False)


def list_asks(table: Table) -> list[dict[str, Any]]:
    """List the open questions, in the order in which they have to be answered."""
    return [*_private_asks(table), *_public_asks(table), *_offers(table)]


def _private_asks(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the question about a rank, and the question whether to insist on an impossible rank."""
    question = table.conversation.question
    if question is None:
        return
    owner, where = question.owner, _squares(square=question.square)
    asked = _ask(owner, "rank", map(write_rank, question.tiles), where)
    if word := table.conversation.private_word(owner):
        asked["disproved"] = write_event(word)
    yield asked
    if refused := table.conversation.contradiction:
        ranks = [write_rank(refused.proof.rank)]
        yield _ask(refused.owner, "insist", ranks, where, interrupts=False)


def _public_asks(table: Table) -> Iterator[dict[str, Any]]:
    waiter = table.referee.to_move.other
    match table.referee.phase:
        case Phase.DISPUTE:
            yield _ask(None, "settle", _YES_OR_NO)
        case Phase.GUESS if opened := table.referee.open_guess:
            where = _squares(source=opened.source, target=opened.target)
            where["rank"] = write_rank(opened.guess)
            yield _ask(waiter, "guess", _YES_OR_NO, where)
        case Phase.STALEMATE if asking := table.referee.stalemate:
            yield _ask(asking.stuck.other, "can-move", _YES_OR_NO)
    if table.state.asked.answers:
        yield _about_hands(table.state.asked)


def _about_hands(asked: OpenQuestion) -> dict[str, Any]:
    """Return the question about what the hands did. It names squares only for an attack."""
    if asked.attackers:
        what = "attack" if len(asked.attackers) == 1 else "who-attacks"
        attack = next(iter(asked.attackers.values()))
        where = _squares(source=attack.source, target=attack.target)
        answers = [*(side.value for side in asked.attackers), "no-attack"]
        return _ask(None, what, answers, where, interrupts=asked.interrupts)
    texts = (answer.text for answer in asked.answers)
    return _ask(None, "course", texts, interrupts=asked.interrupts)


def _offers(table: Table) -> Iterator[dict[str, Any]]:
    """Yield the questions that do not require an answer and expire by themselves.

    The question to the owner of a lifted piece stays open after it has been answered.
    """
    talk = table.conversation
    if (touched := table.view.excusable) is not None:
        where = _squares(square=touched)
        mover = table.view.to_move
        yield _ask(mover, "touched", ["cannot-move"], where, interrupts=False)
    if talk.draw_offer:
        yield _ask(talk.draw_offer.other, "agree", ["agree"], interrupts=False)
    if talk.take_back_offer:
        yield _ask(talk.take_back_offer.other, "take-back", ["take-back"], interrupts=False)
    if offer := table.adoption.offer:
        to_move = [offer.to_move.value]
        yield _ask(offer.side.other, "accept-board", to_move, interrupts=False)


def _ask(
    side: Side | None,
    what: str,
    answers: Iterable[Any],
    where: Mapping[str, str] = MappingProxyType({}),
    *,
    interrupts: bool = True,
) -> dict[str, Any]:
    recipient = side.value if side else TO_ALL
    asked = {"to": recipient, "what": what, **where}
    return {**asked, "answers": list(answers), "interrupts": interrupts}


def _squares(**squares: Square) -> dict[str, str]:
    return {called: name(square) for called, square in squares.items()}


NO_BOARD: Final = "no-board"
PAUSED: Final = "paused"
_OPENING: Final = ("rank", "salt")
_SECRET: Final = {"declare": _OPENING, "insist": _OPENING, "answer-guess": _OPENING}


def write_step(table: Table, at: float, step: Step) -> dict[str, Any]:
    """Return the result of an input, and the state of the table after it."""
    return {
        "at": at,
        "due": table.next_deadline,
        "state": _state(table),
        "to_move": table.referee.to_move.value,
        "plies": table.referee.plies,
        "asks": list_asks(table),
        "actions": [write_accepted(action) for action in step.actions],
        "events": [write_event(event) for event in step.events],
        "must_show": table.required_image.tokens,
    }


def _state(table: Table) -> str:
    """Return the state of the game, or the reason why it is stopped: a pause, or no board."""
    if not (table.is_connected or isinstance(table.state, Finished)):
        return NO_BOARD
    return PAUSED if table.is_paused else table.state.name


def write_accepted(action: Action) -> dict[str, Any]:
    """Return the public form of an accepted action. Sealed data stays sealed."""
    public, secret = split_secret(write_action(action))
    return {**public, "sealed": True} if secret else {**public}


def split_secret(plain: Plain) -> tuple[Plain, Plain]:
    """Split an action into a public part and a part for the referee, both as plain data.

    The openings of an army's commitments become public once the referee has accepted them.
    """
    secret = {key: plain[key] for key in _SECRET.get(plain["do"], ()) if key in plain}
    return {key: value for key, value in plain.items() if key not in secret}, secret


class ProcessObserver(Protocol):
    """Observer that is called before each input is processed, and again with the result."""

    def hear(self, given: Input) -> None:
        """Record an input. If the table raises an exception for it, `note` is not called."""

    def note(self, step: Step, due: float | None) -> None:
        """Record the result of the latest input and the table's next deadline."""


class TableProcess:
    """A game that answers each line with one line. Its only clock is the time in the lines."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        control: TimeControl = NO_CLOCK,
        observer: ProcessObserver | None = None,
    ) -> None:
        """Begin a game. `seed` is only used to shuffle the ranks that are offered.

        An `observer` is called with every valid line.
        """
        self._observer = observer
        self._table = Table(edition, seed, control=control)
        self._at = 0.0
        self._drawn: str | None = None
        """The latest board as text; `_image` holds the same board as an image."""
        self._image = Image()
        self._quiet: dict[str, Any] | None = None
        """The answer to a repetition of the latest board. None if the latest line had no board."""

    def take(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Process a line and return the answer, which must not be modified.

        The answer to a malformed line is an `error`, and the line changes nothing.
        """
        is_repeated = self._is_repeated(line)
        try:
            given = self._read_again(line) if is_repeated else self._read(line)
        except MalformedError as error:
            return {"error": f"{error}."}
        self._at = given.at
        step = self._handle(given)
        if is_repeated and self._quiet and not step.is_news:
            return {**self._quiet, "at": given.at}
        written = write_step(self._table, given.at, step)
        is_board = isinstance(given, BoardSeen)
        self._quiet = {**written, "actions": [], "events": []} if is_board else None
        return written

    def _handle(self, given: Input) -> Step:
        if self._observer is None:
            return self._table.handle(given)
        self._observer.hear(given)
        step = self._table.handle(given)
        self._observer.note(step, self._table.next_deadline)
        return step

    def _is_repeated(self, line: Mapping[str, Any]) -> bool:
        """Whether a line contains nothing but a time and the board that is already known."""
        return self._drawn is not None and len(line) == 2 and line.get("board") == self._drawn

    def _read_again(self, line: Mapping[str, Any]) -> BoardSeen:
        return BoardSeen(read_at(line.get("at"), self._at), self._image)

    def _read(self, line: Mapping[str, Any]) -> Input:
        given = read_line(line, self._at, self._table)
        if isinstance(given, BoardSeen):
            self._drawn, self._image = line["board"], given.image
        return given
