"""Two simple referees used as baselines: “wait 250 ms” and “the rules decide”.

If exactly one legal turn leads from the current position to an image, both accept the image. The
first referee also requires the image to have been stable for a quarter of a second.
"""

from typing import Final

from engine.board import OutOfPhaseError
from engine.board.geometry import SQUARES, WIDTH, Side, Square, name, set_of, square
from engine.board.visibility import Secret
from engine.game.actions import Action, Attack, Declare, Move, PlaceArmies, TakeBack, WithdrawAttack
from engine.game.game_state import PendingAttack, Phase
from engine.game.referee import Referee
from engine.game.rulings import refuses
from engine.records.serialization import read_rank, write_action
from engine.rules.editions import Edition
from tests.hands.responses import Line

POLICIES: Final = {"wait-250-ms": 250, "rules-decide": 0}
"""Time in milliseconds for which an image must remain unchanged."""
_SHOWN_AT: Final = [WIDTH * (9 - each // WIDTH) + each % WIDTH for each in SQUARES]
_SQUARE_AT: Final = {place: each for each, place in enumerate(_SHOWN_AT)}
_TOKENS: Final = {Side.RED: "r", Side.BLUE: "b", None: "."}


class Policy:
    """Referee that uses only images. It never complains, and asks only about ranks."""

    def __init__(self, edition: Edition, rest_ms: int) -> None:
        """An image is evaluated only after it has been unchanged for `rest_ms` milliseconds."""
        self._referee = Referee.waiting(edition)
        self._rest = rest_ms / 1000
        self._image = ""
        self._since = 0.0
        self._sees_colours = True
        self._ready: set[Side] = set()
        self._undoing: set[Side] = set()
        self._is_clearing = False
        self._actions: list[Line] = []
        self._wanted = "." * len(SQUARES)

    def take(self, line: Line) -> Line:
        at = float(line["at"])
        self._actions = []
        if "board" in line:
            if line["board"] != self._image:
                self._image, self._since = line["board"], at
            self._look(at)
        elif "found" in line:
            self._sees_colours = line["found"]["colours"]
        elif "say" in line:
            self._hear(line["say"])
        return self._answer(at)

    def _look(self, at: float) -> None:
        if self._image == self._wanted:
            self._is_clearing = False
            return
        if self._is_clearing or self._referee.phase is not Phase.PLAY:
            return
        if at - self._since + 1e-9 < self._rest:
            return
        turn = self._find_turn()
        if turn is not None:
            self._apply(turn)

    def _find_turn(self) -> Move | Attack | None:
        """Return the only legal turn that leads to the image, or None."""
        other = [
            place for place in range(len(SQUARES)) if self._image[place] != self._wanted[place]
        ]
        if len(other) != 2:
            return None
        own = _TOKENS[self._referee.to_move] if self._sees_colours else "?"
        for gone, come in (other, other[::-1]):
            source, target = _SQUARE_AT[gone], _SQUARE_AT[come]
            if self._wanted[gone] != own or self._image[gone] != "." or self._image[come] != own:
                continue
            board = self._referee.position.board
            if board.side_at(source) is not self._referee.to_move:
                continue
            if self._referee.find_violation(source, target) is None:
                attacks = board.side_at(target) is not None
                return Attack(source, target) if attacks else Move(source, target)
        return None

    def _hear(self, answer: Line) -> None:
        side = Side(answer["side"]) if answer.get("side") else None
        match answer["what"]:
            case "ready" if side:
                self._ready.add(side)
                if len(self._ready) == 2 and self._referee.phase is Phase.SETUP:
                    self._apply(self._armies())
            case "attack" if self._referee.phase is Phase.PLAY:
                self._apply(Attack(square(answer["source"]), square(answer["target"])))
            case "declare" if side and self._awaits(side):
                self._apply(Declare(Secret(side, read_rank(answer["rank"]))))
            case "no-attack" if self._referee.open_attack:
                self._apply(WithdrawAttack())
            case "take-back" if side:
                self._undoing.add(side)
                if len(self._undoing) == 2:
                    self._undoing.clear()
                    self._apply(TakeBack())
            case _:
                pass

    def _awaits(self, side: Side) -> bool:
        attack = self._referee.open_attack
        return attack is not None and side in attack.awaited

    def _armies(self) -> PlaceArmies:
        """Return the armies in the image. If the image has no colours, each piece's row determines
        its side."""
        occupied = {each for each in SQUARES if self._image[_SHOWN_AT[each]] != "."}
        red, blue = (set_of(each for each in occupied if side.home >> each & 1) for side in Side)
        return PlaceArmies(red, blue)

    def _apply(self, action: Action) -> None:
        try:
            rulings = self._referee.apply(action)
        except OutOfPhaseError:
            return
        if refuses(rulings):
            return
        self._actions.append(write_action(action))
        self._wanted = self._draw()
        self._is_clearing = not isinstance(action, Move | PlaceArmies)

    def _draw(self) -> str:
        shown = [""] * len(SQUARES)
        for each in SQUARES:
            side = self._side_at(each)
            shown[_SHOWN_AT[each]] = "?" if side and not self._sees_colours else _TOKENS[side]
        return "".join(shown)

    def _side_at(self, where: Square) -> Side | None:
        return self._referee.position.board.side_at(where)

    def _answer(self, at: float) -> Line:
        attack = self._referee.open_attack
        asks = [_ask(attack, side) for side in attack.awaited] if attack else []
        state = "attack-open" if attack else "clearing" if self._is_clearing else "turn"
        return {
            "at": at,
            "due": None,
            "state": "over" if self._referee.outcome else state,
            "to_move": self._referee.to_move.value,
            "plies": self._referee.plies,
            "asks": asks,
            "actions": self._actions,
            "events": [],
            "must_show": self._wanted,
        }


def _ask(attack: PendingAttack, side: Side) -> Line:
    where = name(attack.square(side))
    return {
        "to": side.value,
        "what": "rank",
        "square": where,
        "answers": ["any"],
        "interrupts": True,
    }
