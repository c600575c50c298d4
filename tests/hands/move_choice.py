"""Chooses varied turns that mostly advance towards the enemy and include enough attacks."""

from collections.abc import Callable
from typing import Final

from engine.board.geometry import WIDTH, Side, Square, SquareSet, line, set_of, squares_in
from tests.hands.attacks import Choice, Strike, choose_style, make_move
from tests.hands.behaviours import Behaviour
from tests.hands.board import GroundTruth, Ply, Turn
from tests.hands.clearing import Standing
from tests.hands.motions import Hand, HandTask, finishing
from tests.hands.profiles import ANSWERS
from tests.hands.scheduler import Act
from tests.hands.score import Scorer
from tests.hands.shared_state import SharedState

_ATTACK, _AHEAD, _ASIDE, _BACK = 4.0, 3.0, 1.0, 0.4
_FAR = 1.6
"""Weight of a scout's long moves relative to other turns."""


def choose_turn(
    room: SharedState, truth: GroundTruth, avoid: SquareSet = 0, prefer: Square | None = None
) -> Turn | None:
    """Choose a legal turn for the side to move, or return None. Turns that touch a square in
    `avoid` are excluded, because another activity is using that square. If possible, the
    piece on `prefer` is moved again.
    """
    turns = [turn for turn in truth.legal() if not squares_of(turn) & avoid]
    going_on = [turn for turn in turns if turn.source == prefer and not turn.attacks]
    turns = going_on or turns
    if not turns:
        return None
    side = truth.referee.to_move
    return room.dice.choices(turns, [_weight(turn, side) for turn in turns])[0]


def squares_of(turn: Turn) -> SquareSet:
    """Return the squares that a turn uses: source, path and target."""
    return set_of([turn.source, *(line(turn.source, turn.target) or ())])


def _weight(turn: Turn, side: Side) -> float:
    rows = turn.target // WIDTH - turn.source // WIDTH
    ahead = rows if side is Side.RED else -rows
    weight = _ATTACK if turn.attacks else _AHEAD if ahead > 0 else _ASIDE if ahead == 0 else _BACK
    path = line(turn.source, turn.target)
    return weight * (_FAR if path and len(path) > 1 else 1)


# Planning of turns: one turn, or several in quick succession

_CHAIN: Final = 4
"""Maximum number of turns in quick succession before a pause."""


class Planner:
    """Chooses turns, plays them in the real game, and converts them to activities."""

    def __init__(self, room: SharedState, truth: GroundTruth, judge: Scorer) -> None:
        self._room, self._truth, self._judge = room, truth, judge
        self.before: Standing = {}
        """Squares of the pieces before the latest turn."""

    def plan(self) -> list[Act]:
        """Choose the next turns and return them as activities."""
        room, truth = self._room, self._truth
        planned: list[tuple[Ply, HandTask, int | None]] = []
        used: SquareSet = 0
        instead: dict[int, list[Turn]] = {}
        while len(planned) < _CHAIN:
            quick = self._quick(planned) if planned else None
            if planned and quick is None:
                break
            used |= room.held_squares
            delay = quick[1] if quick else None
            prefer = planned[-2][0].turn.target if len(planned) > 1 else None
            # A piece that has just moved may be captured as soon as it has been released, but not
            # earlier.
            is_early = quick is not None and quick[0] is Behaviour.EARLY_LIFT
            may_take = planned and delay and delay > 0 and not is_early
            open_to = planned[-1][0].turn.target if may_take else None
            avoid = used if open_to is None else used & ~(1 << open_to)
            if prefer is not None and planned[-1][0].turn.target != prefer:
                avoid &= ~(1 << prefer)
            turn = choose_turn(room, truth, avoid, prefer)
            if turn is None:
                break
            self.before = truth.standing()
            instead[truth.referee.plies] = [each for each in truth.legal() if each != turn]
            ply = truth.play(turn)
            if quick and quick[0] is Behaviour.EARLY_LIFT and turn.attacks:
                quick = Behaviour.FAST_ANSWER, room.draw(ANSWERS)
                delay = quick[1]
            if quick:
                room.did(quick[0])
            task = HandTask(ply.side)
            if quick and quick[0] is Behaviour.EARLY_LIFT:
                task.waits_for = planned[-1][1]
            planned.append((ply, task, delay))
            used |= squares_of(turn)
            if turn.attacks or truth.referee.outcome:
                break
        room.busy = set(squares_in(used))
        room.in_air.clear()
        self._judge.tasks = [(ply, task) for ply, task, _ in planned]
        self._judge.compare()
        acts: list[Act] = []
        for number, (ply, task, delay) in enumerate(planned):
            act = finishing(task, self._act(ply, task, used, instead[ply.number]))
            if delay is not None:
                own = planned[number - 2][1] if number > 1 else None
                act = self._follow(planned[number - 1][1], own, task, delay, act)
            acts.append(act)
        return acts

    def _quick(
        self, planned: list[tuple[Ply, HandTask, int | None]]
    ) -> tuple[Behaviour, int] | None:
        """Decide at random whether a quick turn follows. If so, return its kind and its delay, in
        milliseconds after the previous release. The delay may be negative."""
        room = self._room
        if len(planned) == 2 and (habit := room.habit(Behaviour.TWO_PLIES)):
            return Behaviour.TWO_PLIES, room.draw(habit.lasts)
        if habit := room.habit(Behaviour.EARLY_LIFT):
            return Behaviour.EARLY_LIFT, room.draw(habit.lasts)
        if habit := room.habit(Behaviour.BLITZ):
            return Behaviour.BLITZ, -room.draw(habit.lasts)
        if habit := room.habit(Behaviour.FAST_ANSWER):
            return Behaviour.FAST_ANSWER, room.draw(habit.lasts)
        return None

    def _act(self, ply: Ply, task: HandTask, used: SquareSet, instead: list[Turn]) -> Act:
        hand = Hand(ply.side, self._room, task)
        others = used & ~squares_of(ply.turn)
        own = self._truth.referee.position.board.of(ply.side) & ~used
        choice = Choice(own, tuple(each for each in instead if self._could(each, ply, others)))
        if not ply.turn.attacks:
            return make_move(hand, ply.turn, choice)
        other = Hand(ply.side.other, self._room, HandTask(ply.side.other))
        attacker = self._room.pieces[self.before[ply.turn.source]]
        strike = Strike(hand, other, attacker, ply.turn, self._truth.free & ~used, choice)
        style = choose_style(self._room)
        if style is Behaviour.ON_SCREEN:
            ply.is_asked = True
        return self._striking(strike, style, ply)

    def _could(self, turn: Turn, ply: Ply, others: SquareSet) -> bool:
        """Whether the player could try the move `turn` before the real turn `ply`.

        The move must not affect the squares of other turns, which are `others`.
        """
        if turn.attacks or squares_of(turn) & others:
            return False
        return turn.source == ply.turn.source or not squares_of(turn) & squares_of(ply.turn)

    def _striking(self, strike: Strike, style: Behaviour, ply: Ply) -> Act:
        """Attack. If no sensor could detect the attack, note that the table could not know it."""
        target, sensors = ply.turn.target, self._room.sensors
        shown = sensors.at(target)
        watch = _Watch(lambda: sensors.at(target) != shown)
        self._room.world.start(watch.act())
        yield from strike.perform(style)
        yield 40  # the sensor has settled by the end of this time
        watch.is_over = True
        stands = self._room.board.square_of(strike.piece)
        is_back = stands is not None and stands != target and strike.piece.is_felt
        if is_back and not watch.has_changed and style is not Behaviour.ON_SCREEN:
            ply.unknowable = "an attack that no sensor felt"

    def _follow(
        self, before: HandTask, own: HandTask | None, task: HandTask, delay: int, act: Act
    ) -> Act:
        """Begin a turn `delay` milliseconds after the opponent has released a piece. If the delay
        is negative, the turn begins before the release.

        An early lift begins `delay` milliseconds after the opponent has lifted a piece. In all
        cases, the player's `own` previous task must be done first.
        """
        if task.waits_for:
            while not before.is_lifted or (own is not None and not own.is_done):
                yield 20
            yield delay
        else:
            while before.release_at is None or (own is not None and not own.is_done):
                yield 20
            yield max(0, before.release_at + delay - self._room.world.now)
        task.reach_ms = 0
        yield from act


class _Watch:
    """Records whether a condition has ever been true."""

    def __init__(self, condition: Callable[[], bool]) -> None:
        self.has_changed = False
        self.is_over = False
        self._condition = condition

    def act(self) -> Act:
        """Check the condition every 10 ms."""
        while not self.is_over:
            self.has_changed = self.has_changed or self._condition()
            yield 10
