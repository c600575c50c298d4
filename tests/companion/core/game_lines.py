"""Driver that sends input lines to a table process and stores the replies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.jsonl.table_process import TableProcess
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.rules.editions import DEFAULT, EDITIONS, Edition

NORDIC = EDITIONS["nordic-2015"]
ISF = EDITIONS["isf"]
ROWS = 10
ARMIES = "b" * 40 + "." * 20 + "r" * 40
LONG = 2.0

ANSWERED = [
    "at",
    "due",
    "state",
    "to_move",
    "plies",
    "asks",
    "actions",
    "events",
    "must_show",
]
"""Fields that every reply contains, except replies to malformed lines."""

Line = dict[str, Any]


class GameLines:
    """A table process. In a game created by `begun`, both armies are set up and Red is to move."""

    def __init__(
        self, edition: Edition = DEFAULT, seed: int = 1, control: TimeControl = NO_CLOCK
    ) -> None:
        self.process = TableProcess(edition, seed, control)
        self.given: list[Line] = []
        self.answers: list[Line] = []
        self.at = 0.0
        self.board = "." * 100
        self.give(found={"colours": True})

    @classmethod
    def begun(
        cls, edition: Edition = DEFAULT, seed: int = 1, control: TimeControl = NO_CLOCK
    ) -> "GameLines":
        lines = cls(edition, seed, control)
        lines.board = ARMIES
        lines.wait()
        lines.command("ready", "red")
        lines.command("ready", "blue")
        lines.wait()
        return lines

    @property
    def last(self) -> Line:
        return self.answers[-1]

    def give(self, **what: Any) -> Line:
        line = {"at": self.at, **what}
        self.given.append(line)
        self.answers.append(self.process.take(line))
        return self.last

    def command(self, what: str, side: str | None = None, **fields: Any) -> Line:
        return self.give(say={"side": side, "what": what, **fields})

    def put(self, name: str, token: str) -> str:
        """Change the token of a square in the image. Return the previous token."""
        index = index_of(name)
        before = self.board[index]
        self.board = self.board[:index] + token + self.board[index + 1 :]
        return before

    def lift(self, *names: str) -> None:
        for name in names:
            self.put(name, ".")
        self.wait()

    def play(self, moves: str) -> None:
        """Make moves such as ``"e4-e5 e7-e6"``."""
        for move in moves.split():
            source, target = move.split("-")
            self.put(target, self.put(source, "."))
            self.wait()

    def wait(self) -> Line:
        """Send the image and wait until the position has settled. Return the last reply."""
        self.give(board=self.board)
        self.at += LONG
        return self.give(time=True)

    def emitted(self) -> list[Line]:
        return [event for answer in self.answers for event in answer["events"]]

    def events(self) -> list[str]:
        return [event["event"] for event in self.emitted()]

    def actions(self) -> list[str]:
        return [action["do"] for answer in self.answers for action in answer["actions"]]

    def for_all(self) -> list[Line]:
        """Return the replies without their private events and questions."""
        return [
            {
                key: _public(value) if key in ("asks", "events") else value
                for key, value in a.items()
            }
            for a in self.answers
        ]


def _public(lines: list[Line]) -> list[Line]:
    return [each for each in lines if each["to"] == "all"]


def index_of(name: str) -> int:
    return ROWS * (ROWS - int(name[1:])) + "abcdefghik".index(name[0])


def clash(edition: Edition = DEFAULT) -> GameLines:
    """Return a game with Red to move. Red's piece on e5 is adjacent to Blue's piece on e6."""
    lines = GameLines.begun(edition)
    lines.play("e4-e5 e7-e6")
    return lines


def attack(edition: Edition = DEFAULT) -> GameLines:
    """Return a game in which Red is attacking e6 from e5, with both pieces in hand."""
    lines = clash(edition)
    lines.lift("e5", "e6")
    lines.command("attacker", "red")
    assert lines.last["state"] == "attack-open"
    return lines


def contradicted() -> GameLines:
    """Return a game in which Blue has declared a bomb for a piece that has moved."""
    lines = attack()
    lines.command("declare", "red", rank="captain")
    lines.command("declare", "blue", rank="bomb")
    return lines


def dispute() -> GameLines:
    """Return the game of `contradicted` after Blue has decided to stand by its declaration."""
    lines = contradicted()
    lines.command("insist", "blue", rank="bomb")
    return lines


def fought() -> GameLines:
    """Return a game in which Red's captain has captured Blue's scout on e6 and moved there."""
    lines = attack()
    lines.command("declare", "red", rank="captain")
    lines.command("declare", "blue", rank="scout")
    lines.put("e6", "r")
    lines.wait()
    return lines


def infiltrator() -> GameLines:
    """Return a game in which Red has a possible infiltrator on e7 and is to move."""
    lines = GameLines.begun(NORDIC)
    lines.play("e4-e5 e7-e6 k4-k5 e6-f6 e5-e6 f6-f5 e6-e7 k7-k6")
    return lines


def guess() -> GameLines:
    """Return a game in which the table asks Blue whether its piece on e8 is a colonel."""
    lines = infiltrator()
    lines.command("infiltrate", source="e7", target="e8", rank="colonel")
    assert lines.last["state"] == "guess"
    return lines


def begun_but_for_ready() -> GameLines:
    """Return a game in which both armies are set up, but neither side is ready."""
    lines = GameLines()
    lines.board = ARMIES
    lines.wait()
    return lines


def both_in_hand() -> GameLines:
    """Return a game in which the table asks which side is attacking."""
    lines = clash()
    lines.lift("e5", "e6")
    return lines


def paused() -> "GameLines":
    lines = clash()
    lines.command("pause")
    return lines


def timed() -> GameLines:
    return GameLines.begun(control=TIME_CONTROLS["total"])


def doubting() -> GameLines:
    """Return a game in which the sensor at e5 is ignored."""
    lines = GameLines.begun()
    lines.command("doubt", square="e5", doubted=True)
    return lines


def carried_off() -> GameLines:
    """Return a game with the touch-move rule.

    Red has moved a hidden piece illegally and put it back.
    """
    lines = GameLines.begun(replace(DEFAULT, touch_move=True))
    lines.play("f4-e6 e6-f4")
    return lines


def stalemate() -> GameLines:
    """Return a game in which Red claims that it cannot move.

    Blue is asked whether Blue can move.
    """
    lines = GameLines.begun(ISF)
    lines.command("cannot-move")
    return lines


def refused() -> GameLines:
    """Return a game in which Red has made an illegal move from e4 to f5."""
    lines = GameLines.begun()
    lines.play("e4-f5")
    assert lines.last["state"] == "wrong-move"
    return lines


def forfeited() -> GameLines:
    """Return a game that the arbiter has declared lost for Red."""
    lines = clash()
    lines.command("forfeit", side="red")
    return lines


def called() -> GameLines:
    lines = clash()
    lines.command("call-arbiter", side="red")
    return lines


WORDS: Final[Mapping[str, tuple[Callable[[], GameLines], Line, str]]] = {
    "ready": (begun_but_for_ready, {"side": "red"}, "ready"),
    "declare": (attack, {"side": "red", "rank": "captain"}, "declared"),
    "insist": (contradicted, {"side": "blue", "rank": "bomb"}, "disputed"),
    "attack": (clash, {"source": "e5", "target": "e6"}, "attack-opened"),
    "move": (doubting, {"source": "e4", "target": "e5"}, "moved"),
    "no-attack": (attack, {}, "attack-withdrawn"),
    "attacker": (both_in_hand, {"side": "red"}, "attack-opened"),
    "read": (fought, {}, ""),
    "take-back": (clash, {"side": "red"}, "offer-take-back"),
    "accept-board": (refused, {"side": "red", "to_move": "blue"}, "board-offered"),
    "agree": (clash, {"side": "blue"}, "offer-draw"),
    "resign": (clash, {"side": "red"}, "game-over"),
    "touched-cannot-move": (carried_off, {"side": "red"}, ""),
    "cannot-move": (lambda: GameLines.begun(ISF), {}, "can-you-move"),
    "answer-cannot-move": (stalemate, {"able": True}, "show-a-move"),
    "let-stand": (refused, {}, "overridden"),
    "infiltrate": (
        infiltrator,
        {"source": "e7", "target": "e8", "rank": "colonel"},
        "infiltration-opened",
    ),
    "answer-guess": (guess, {"right": True}, "infiltrated"),
    "settle": (dispute, {"accepted": False}, "dispute-settled"),
    "correct": (
        fought,
        {"mistake": "wrong-rank", "square": "e6", "rank": "major"},
        "corrected",
    ),
    "forfeit": (clash, {"side": None}, "game-over"),
    "reopen": (forfeited, {}, "taken-back"),
    "doubt": (clash, {"square": "a1", "doubted": True}, "doubt"),
    "pause": (clash, {}, "pause"),
    "go-on": (paused, {}, "go-on"),
    "give-time": (timed, {"side": "red", "seconds": 60}, "give-time"),
    "call-arbiter": (clash, {"side": None}, "call-arbiter"),
    "withdraw-call": (called, {"side": "red"}, "withdraw-call"),
    "answer-call": (called, {}, "answer-call"),
    "choose": (clash, {"answer": 0}, ""),
}
"""For each command: a game that allows it, the command's fields, and the first event after it."""
