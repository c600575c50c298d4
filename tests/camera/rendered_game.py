"""Plays games with simulated hands in front of a rendered camera, and checks every ruling.

Only this module knows the actual game. The observer receives camera images. The table receives the
observer's board images and the players' answers.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median
from typing import Any

from companion.jsonl.table_process import TableProcess
from engine import EDITIONS, Attack, Referee
from engine.board import OutOfPhaseError
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import Rank
from firmware_bridge.camera.observer import Observer
from tests.camera.renderer import Arm, Look, Shot, Standing, block_on
from tests.camera.scenes import Studio

EDITION = EDITIONS["original-1992"]
FRAME = 0.1


@dataclass
class Score:
    plies: int = 0
    attacks: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    questions: int = 0
    """Number of questions asked about moves that are not attacks."""
    delays: list[float] = field(default_factory=list)
    """Delay of each ruling in seconds, counted from when the arm left the picture."""

    def add(self, other: "Score") -> None:
        self.plies += other.plies
        self.attacks += other.attacks
        self.wrong += other.wrong
        self.missed += other.missed
        self.questions += other.questions
        self.delays += other.delays

    def __str__(self) -> str:
        delay = f"{median(self.delays):.2f} s" if self.delays else "none"
        return (
            f"{self.plies} plies, {self.attacks} of them attacks: {len(self.wrong)} wrong, "
            f"{len(self.missed)} missed, {self.questions} questions beside attacks, median delay "
            f"{delay}"
        )


class RenderedGame:
    """A game of random legal turns."""

    def __init__(self, look: Look, shot: Shot, seed: int) -> None:
        self._dice = Random(seed)
        self._studio = Studio(look, shot, seed)
        self._usual = shot
        self._observer, self._table = Observer(), TableProcess(EDITION, seed)
        self._referee = Referee(EDITION.id)
        self._at = 0.0
        self.score = Score()
        self._turns: list[str] = []
        """Rulings that the table has made since the last check: recognized turns, or names of
        events that report an error."""
        self._asks: list[dict[str, Any]] = []
        self._is_found = False
        self._ranks = dict(self._armies())
        self._blocks: dict[Square, Standing] = {}
        self._sleeve = self._dice.choice([None, (70, 74, 82), (200, 196, 190), (150, 40, 44)])

    def _armies(self) -> Iterator[tuple[Square, Rank]]:
        army = EDITION.armies[0]
        for side in Side:
            ranks = [rank for rank, count in army.counts.items() for _ in range(count)]
            self._dice.shuffle(ranks)
            yield from zip(squares_in(side.home), ranks, strict=True)

    def play(self, plies: int) -> Score:
        """Set up the armies, then play up to `plies` turns.

        Stop early if no piece can move, or after a wrong or missed ruling.
        """
        self._watch(2)
        for side in Side:
            for each in squares_in(side.home):
                self._blocks[each] = block_on(side, each, self._dice)
        self._watch(6)
        for side in Side:
            self._command(what="ready", side=side.value)
        self._turns.clear()
        for _ in range(plies):
            turns = [turn for turn in self._referee.legal_moves() if self._is_possible(turn)]
            if not turns or self.score.missed or self.score.wrong:
                break
            attacks = [turn for turn in turns if isinstance(turn, Attack)]
            chosen = attacks if attacks and self._dice.random() < 0.4 else turns
            self._turn(self._dice.choice(chosen))
        return self.score

    def _is_possible(self, turn: Any) -> bool:
        source, target = turn.source, turn.target
        rank = self._ranks[source]
        far = max(abs(source % 10 - target % 10), abs(source // 10 - target // 10))
        return rank not in (Rank.BOMB, Rank.FLAG) and (far == 1 or rank is Rank.SCOUT)

    def _turn(self, turn: Any) -> None:
        side = self._referee.to_move
        self._change_light()
        self._watch(self._dice.randrange(2, 4))
        source, target = turn.source, turn.target
        if isinstance(turn, Attack):
            self._attack(side, source, target)
        else:
            self._reach(side, source, leaving=False)
            self._blocks.pop(source)
            self._reach(side, target, leaving=False)
            self._blocks[target] = block_on(side, target, self._dice)
            self._reach(side, target, leaving=True)
            self._ranks[target] = self._ranks.pop(source)
            self._settle(f"{name(source)}-{name(target)}")
        self._referee.push(turn)
        self.score.plies += 1
        if isinstance(turn, Attack):
            self.score.attacks += 1
            self._decide(side, source, target)

    def _attack(self, side: Side, source: Square, target: Square) -> None:
        """Lift both pieces, as players do to look at them."""
        for each, at in ((side, source), (side.other, target)):
            self._reach(each, at, leaving=False)
            self._blocks.pop(at)
            self._reach(each, at, leaving=True)
            self._watch(2)
        self._settle(f"{name(source)}x{name(target)}", is_attack=True)

    def _decide(self, side: Side, source: Square, target: Square) -> None:
        """Declare both ranks, and put the winner on the target."""
        attacker, defender = self._ranks.pop(source), self._ranks.pop(target)
        for owner, rank in ((side, attacker), (side.other, defender)):
            self._command(what="declare", side=owner.value, rank=rank.name.lower())
            # The referee does not ask for a rank that follows from public facts.
            with suppress(OutOfPhaseError):
                self._referee.declare(owner, rank)
        self._command(what="read")
        piece = next((each for each in self._true_pieces() if each[0] == target), None)
        if piece is not None:
            winner = piece[1]
            self._ranks[target] = attacker if winner is side else defender
            self._reach(winner, target, leaving=False)
            self._blocks[target] = block_on(winner, target, self._dice)
            self._reach(winner, target, leaving=True)
        self._watch(8)
        self._turns.clear()

    def _true_pieces(self) -> list[tuple[Square, Side]]:
        board = self._referee.position.board
        return [(each, side) for side in Side for each in squares_in(board.of(side))]

    def _settle(self, expected: str, *, is_attack: bool = False) -> None:
        """Show the board until the table has ruled, and answer its questions truthfully."""
        left_at = self._at
        for number in range(40):
            self._watch(1)
            if is_attack and number == 25 and not self._turns:
                # The table has not offered this long-range attack, so enter it on the screen.
                source, target = expected.split("x")
                self._command(what="attack", source=source, target=target)
            if self._asks and not self._turns:
                self.score.questions += not is_attack
                self._answer(expected)
            if self._turns:
                break
        if not self._turns:
            self.score.missed.append(expected)
        elif self._turns != [expected]:
            self.score.wrong.append(f"{expected} ruled as {self._turns}")
        else:
            self.score.delays.append(self._at - left_at)
        self._turns.clear()

    def _answer(self, expected: str) -> None:
        ask = self._asks[0]
        numbers = [n for n, text in enumerate(ask["answers"]) if text == expected]
        if ask["what"] == "course" and numbers:
            self._command(what="choose", answer=numbers[0])
        elif ask["what"] != "course" and "x" in expected:
            self._command(what="attacker", side=self._referee.to_move.value)
        else:
            self._command(what="no-attack")

    def _change_light(self) -> None:
        dice, usual = self._dice, self._usual
        self._studio.light(
            brightness=usual.brightness * dice.uniform(0.8, 1.15),
            warmth=usual.warmth + dice.uniform(-0.03, 0.03),
        )

    def _reach(self, side: Side, to: Square, *, leaving: bool) -> None:
        """Show an arm over a square. If `leaving`, also show it moving away."""
        column, row = to % 10 + 0.5, to // 10 + 0.5
        start = (column * 0.5 + 2.5 + self._dice.uniform(-1, 1), -6 if side is Side.RED else 16)
        speed = 0.0 if not leaving else 1.5
        arm = Arm(start, (column, row + self._dice.uniform(-0.2, 0.2)), sleeve=self._sleeve)
        self._show([replace(arm, speed=speed)])
        if leaving:
            away = (column, row - 4 if side is Side.RED else row + 4)
            self._show([replace(arm, hand=away, speed=2.0)])

    def _watch(self, pictures: int) -> None:
        for _ in range(pictures):
            self._show([])

    def _show(self, arms: list[Arm]) -> None:
        self._at = round(self._at + FRAME, 3)
        seen = self._observer.take(self._at, self._studio.picture(self._blocks.values(), arms=arms))
        if seen.image is None:
            return
        if not self._is_found:
            self._is_found = True
            self._send(found={"colours": True})
        self._send(board=seen.image.tokens)

    def _command(self, **words: Any) -> None:
        self._send(say=words)

    def _send(self, **content: Any) -> None:
        answer = self._table.take({"at": self._at, **content})
        assert "error" not in answer, answer
        self._asks = [ask for ask in answer["asks"] if ask["what"] in _ABOUT_HANDS]
        for event in answer["events"]:
            if event["event"] in ("moved", "attack-opened"):
                sign = "-" if event["event"] == "moved" else "x"
                self._turns.append(f"{event['source']}{sign}{event['target']}")
            elif event["event"] in ("violation", "board-differs"):
                self._turns.append(event["event"])


_ABOUT_HANDS = ("attack", "who-attacks", "course")
