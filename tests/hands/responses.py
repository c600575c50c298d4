"""The table's reports: accepted turns, questions and complaints."""

from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from engine.board import OutOfPhaseError
from engine.game.actions import Action, Amend, Attack, Move, Override
from engine.game.referee import Referee
from engine.records.serialization import read_action
from engine.rules.editions import Edition
from tests.hands.board import Turn

# Interface of a table. It takes one line of input and returns one line of output, both as plain
# data. The keywords are those of ``boomboard table --json`` (docs/commands.md).

Line: TypeAlias = dict[str, Any]
"""JSON object: an input to the table, or its reply."""


class Table(Protocol):
    """Referee that returns one line of output for each line of input."""

    def take(self, line: Line) -> Line: ...


COMPLAINTS: Final = frozenset(
    {
        "violation",
        "contradiction",
        "board-differs",
        "loss-threatens",
        "disturbed",
        "out-of-turn",
        "wrong-move",
        "restore",
    }
)
"""Events with which the table reports an error on the board."""
UNREST: Final = frozenset(
    {"disturbed", "wrong-move", "restoring", "clearing", "who-attacks", "attack-open", "dispute"}
)
"""States in which the table waits for something other than a turn."""
AGREEMENTS: Final = frozenset({"take-back", "agree", "accept-board"})
"""Questions about a proposal by the other side. They need no answer."""
OF_COURSE: Final = frozenset({"rank", "guess", "can-move", "read", "ready", "insist", "settle"})
"""Questions that occur in every game and do not interrupt the game."""


@dataclass(frozen=True)
class Ask:
    """A question in the table's reply."""

    to: str
    what: str
    places: tuple[str, ...]
    """Squares that the question mentions."""
    interrupts: bool
    """Whether the question stops the game. Offers do not stop the game, and disappear if nobody
    answers them."""
    answers: tuple[str, ...]
    """Possible answers as text."""

    @classmethod
    def of(cls, ask: Line) -> "Ask":
        places = tuple(ask[key] for key in ("square", "source", "target") if ask.get(key))
        answers = tuple(map(str, ask.get("answers") or ()))
        whom = str(ask.get("to", "all"))
        return cls(whom, str(ask.get("what")), places, bool(ask.get("interrupts", True)), answers)

    @property
    def is_of_course(self) -> bool:
        """Whether questions of this kind occur in every game."""
        return self.what in OF_COURSE

    def __str__(self) -> str:
        return " ".join([self.what, *self.places])


class BrokenTableError(Exception):
    """Raised if the table replies with an error or with an impossible action."""


class TableReports:
    """State of a table. A second engine tracks it by replaying the actions that the table
    accepts."""

    def __init__(self, edition: Edition) -> None:
        self.mirror = Referee.waiting(edition)
        self.turns: list[Turn] = []
        """Turns that the table has accepted, including the open attack."""
        self.asks: tuple[Ask, ...] = ()
        self.due: float | None = None
        """Time in seconds at which the table needs its next input."""
        self.state = ""
        self.required_image = ""
        self.to_move: str | None = None
        self.events: list[Line] = []
        """Events in the latest reply."""
        self.has_changed = False
        """Whether the latest reply has a visible effect."""
        self.new_asks: tuple[Ask, ...] = ()
        """Questions that were not in the previous reply."""
        self.declared: dict[str, str] = {}
        """Latest declaration of each side. It is recorded because the table does not repeat it."""
        self._raw_asks: object = []

    def hear(self, answer: Line) -> None:
        """Process a reply. Raise BrokenTableError if the reply is invalid."""
        if "error" in answer:
            raise BrokenTableError(str(answer["error"]))
        state, shows = str(answer["state"]), answer["must_show"]
        actions, self.events = answer["actions"], answer["events"]
        asks = answer["asks"]
        self.new_asks = ()
        asked = asks != self._raw_asks
        self.has_changed = bool(
            actions or self.events or asked or state != self.state or shows != self.required_image
        )
        self.due, self.state, self.required_image = answer["due"], state, shows
        self.to_move = answer["to_move"]
        if actions:
            self._follow(actions)
        if asked:
            before = set(self.asks)
            self._raw_asks, self.asks = asks, tuple(map(Ask.of, asks))
            self.new_asks = tuple(ask for ask in self.asks if ask not in before)

    @property
    def complaints(self) -> list[str]:
        """Complaints in the latest reply, as text."""
        return [_describe(event) for event in self.events if event["event"] in COMPLAINTS]

    def _follow(self, actions: list[Line]) -> None:
        for written in actions:
            plain = written
            if plain.get("sealed"):
                fields = {key: value for key, value in plain.items() if key != "sealed"}
                plain = fields | {"rank": self.declared.get(plain["side"], "")}
            try:
                action = read_action(plain)
                self.mirror.apply(action)
            except (ValueError, OutOfPhaseError) as wrong:
                raise BrokenTableError(f"the action {plain} is impossible: {wrong}") from wrong
        self.turns = turns_of(self.mirror.in_force)


def turns_of(actions: list[Action]) -> list[Turn]:
    """Return the turns among the given actions, none of which has been taken back. If a move was
    amended to an attack, both actions count as one attack."""
    turns: list[Turn] = []
    for action in actions:
        match action:
            case Move() | Attack():
                turns.append(Turn.of(action))
            case Amend(_, target):
                # The previous entry is the move that this amendment turns into an attack.
                turns.append(Turn(turns.pop().source, target, attacks=True))
            case Override(source, target):
                turns.append(Turn(source, target, attacks=False))
            case _:
                pass
    return turns


def _describe(event: Line) -> str:
    details = ", ".join(
        f"{key} {value}"
        for key, value in event.items()
        if key in ("difference", "fault", "squares", "side", "source", "target")
    )
    return f"{event['event']} ({details})"
