"""The states of a game on a board. Each state contains the data that belongs to it.

The screens, the lamps, the terminal and the clock only read the state. `TRANSITIONS` defines all
transitions. A disconnected board does not change the state, so pending decisions stay pending.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from companion.core.explanation import Explanation, Turn
from engine.board.geometry import Side, Square
from engine.game.actions import Amend, Attack, Move, TakeBack
from engine.game.referee import Referee
from engine.game.rulings import Combat
from engine.rules.rules import Violation
from firmware_bridge.image import ImageDifference

# Questions to the players. If a piece was moved and the images do not show how, the game waits
# until the players say which hypothesis is right. If an attack may have been intended, the question
# is only an offer, and the game does not wait for an answer.

TurnAction: TypeAlias = Move | Attack | Amend | TakeBack
TAKEN_BACK: Final = "taken-back"
"""Text for an answer that takes back the latest turn."""


@dataclass(frozen=True)
class Candidate:
    """A possible answer, with the actions to submit to the referee if the players choose it."""

    side: Side
    """Side that took the last turn in this answer, or the turn that the answer takes back."""
    actions: tuple[TurnAction, ...]
    text: str
    """The turns in game notation, such as ``e4-e5 f7xf5``, or `TAKEN_BACK`."""
    attack: Attack | Amend | None = None
    """The attack, if the answer consists of a single attack."""

    @property
    def squares(self) -> tuple[Square, ...]:
        """Sources and targets of all actions that are not take-backs."""
        turns = [action for action in self.actions if not isinstance(action, TakeBack)]
        return tuple(square for turn in turns for square in (turn.source, turn.target))


@dataclass(frozen=True)
class OpenQuestion:
    """A question with several possible answers, all of which may be wrong."""

    answers: tuple[Candidate, ...] = ()
    interrupts: bool = True
    """Whether the game waits for the answer. False for an offer."""

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """The attacks asked about, keyed by side. Empty if a possible answer is not an attack."""
        attacks = {each.side: each.attack for each in self.answers if each.attack}
        return attacks if len(attacks) == len(self.answers) else {}


NOTHING_ASKED: Final = OpenQuestion()


def candidate_of(referee: Referee, action: TurnAction) -> Candidate:
    """Return the answer that a side moved, amended its turn, or took its turn back."""
    mover = referee.to_move
    if isinstance(action, TakeBack):
        return Candidate(mover.other, (action,), TAKEN_BACK)
    if not isinstance(action, Amend):
        return Candidate(
            mover, (action,), str(action), action if isinstance(action, Attack) else None
        )
    began = referee.turn_began_on(action.source)
    assert began is not None
    is_attack = referee.position.board.side_at(action.target) is mover
    if is_attack:
        return Candidate(mover.other, (action,), str(Attack(began, action.target)), action)
    return Candidate(mover.other, (action,), str(Move(began, action.target)))


def candidate_for(explanation: Explanation, ruled: Sequence[Turn]) -> Candidate | None:
    """Return an explanation as a possible answer, with the actions that have no ruling yet.

    Return None if there is no such action, or if the explanation contradicts more than one of the
    `ruled` turns.
    """
    turns = explanation.turns
    same = sum(1 for a, b in zip(ruled, turns, strict=False) if a.way == b.way)
    if not turns or len(ruled) - same > 1:
        return None
    actions: list[TurnAction] = []
    rest = turns[same:]
    if len(ruled) > same:
        old = ruled[-1]
        if rest and rest[0].piece == old.piece and rest[0].source == old.source:
            actions, rest = [Amend(old.target, rest[0].target)], rest[1:]
        else:
            actions = [Amend(old.target, old.source)]
    actions += [turn.action for turn in rest]
    if not actions:
        return None
    text = " ".join(str((Attack if t.is_attack else Move)(*t.way)) for t in turns[same:])
    latest = turns[-1]
    attack = actions[0] if len(actions) == 1 and latest.is_attack else None
    assert not isinstance(attack, Move | TakeBack)
    return Candidate(latest.piece.side, tuple(actions), text, attack)


NO_DIFFERENCE: Final = ImageDifference(missing=0, surplus=0)
Refused: TypeAlias = Move | Attack
"""A move or attack that an arbiter may allow."""


class TableState:
    """Base class of the states. Properties that do not apply to a state are empty.

    A state declares a required field with ``field()``, because otherwise the property of this base
    class would become the field's default value.
    """

    __slots__ = ()

    name: ClassVar[str]
    """Name of the state in the output of `boomboard table` (see docs/commands.md)."""
    time_runs: ClassVar[bool] = False
    """Whether the clock of the side to move is running."""
    waits_for_answer: ClassVar[bool] = False
    """Whether the game waits for the players to say what they have done."""

    difference: ImageDifference = NO_DIFFERENCE
    """Changes that the board needs before the game can continue."""
    lifted: Square | None = None
    """Square from which a piece has been lifted, or None."""
    asked: OpenQuestion = NOTHING_ASKED
    """Open question to the players about their hand actions."""
    violation: Violation | None = None
    """The violation to show until the board changes."""
    refused: Refused | None = None
    """The move or attack that the violated rule forbids."""
    reveal: Combat | None = None
    """Combat whose result the board does not yet show."""

    @property
    def waits_for_board(self) -> bool:
        """Whether the board has to be corrected or cleared before play can continue."""
        return bool(self.difference)


@dataclass(frozen=True, slots=True)
class SettingUp(TableState):
    """The armies are being set up. Each side reports when its army is complete."""

    name = "setting-up"


@dataclass(frozen=True, slots=True)
class ToMove(TableState):
    """A side is to move. The board is correct except for a hand action in progress."""

    name = "turn"
    time_runs = True

    lifted: Square | None = None
    asked: OpenQuestion = NOTHING_ASKED
    """Attacks that may have been intended. The game does not wait for an answer."""
    is_off: bool = False
    """Whether a piece was reported as misplaced and has not been reported as put back yet. A piece
    that was only lifted does not count."""


@dataclass(frozen=True, slots=True)
class WrongMove(TableState):
    """A piece is on a forbidden square, or an illegal turn was attempted on the screen.

    The table leaves this state when the piece is put back, when an arbiter allows the turn, or when
    both sides accept the board as it stands.
    """

    name = "wrong-move"
    time_runs = True

    violation: Violation = field()
    refused: Refused | None = field()
    difference: ImageDifference = NO_DIFFERENCE
    """Empty if no piece has to be moved back."""
    out_of_turn: Side | None = None
    """Side that moved out of turn and whose clock runs as a result, or None."""


@dataclass(frozen=True, slots=True)
class LossPending(TableState):
    """A bomb or flag was moved, and its side loses unless the piece is put back within seconds."""

    name = "disturbed"

    difference: ImageDifference = field()


@dataclass(frozen=True, slots=True)
class AwaitingAnswer(TableState):
    """Several hypotheses explain the board.

    The table leaves this state when the players say which hypothesis is right, or reject all of
    them. It also leaves this state when their actions on the board answer the question, or when
    both sides accept the board as it stands.
    """

    name = "who-attacks"
    waits_for_answer = True

    asked: OpenQuestion = field()
    difference: ImageDifference = field()

    @property
    def attackers(self) -> Mapping[Side, Attack | Amend]:
        """The attacks asked about, keyed by side. Empty if a possible answer is not an attack."""
        return self.asked.attackers


@dataclass(frozen=True, slots=True)
class Disturbed(TableState):
    """No hypothesis explains the board, or the game waits for missing pieces.

    The table leaves this state when all misplaced pieces are put back, or when a sensor is marked
    as ignored. It also leaves this state when both sides accept the board as it stands, or take
    back a turn.
    """

    name = "disturbed"

    difference: ImageDifference = field()


@dataclass(frozen=True, slots=True)
class _Talk(TableState):
    """The game waits for a declaration or an answer. Until then, the board may be disturbed."""

    difference: ImageDifference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class AttackOpen(_Talk):
    """The ranks in an attack are being declared. Until the first is, the attack can be denied."""

    name = "attack-open"


@dataclass(frozen=True, slots=True)
class DisputeOpen(_Talk):
    """A player stands by an impossible rank. The arbiter or both sides decide the dispute."""

    name = "dispute"


@dataclass(frozen=True, slots=True)
class GuessOpen(_Talk):
    """An infiltrator has guessed a rank. The other side says whether the guess is right."""

    name = "guess"


@dataclass(frozen=True, slots=True)
class StalemateOpen(_Talk):
    """A side claims that it cannot move. The other side accepts or rejects the claim."""

    name = "standstill"


@dataclass(frozen=True, slots=True)
class Clearing(TableState):
    """The pieces lost in a combat or through a correct guess have to be removed from the board.

    The state also ends if the turn is taken back, or if both sides accept the board as it stands.
    """

    name = "clearing"
    waits_for_board = True

    reveal: Combat | None = field()
    """The combat, or None after a guess."""
    difference: ImageDifference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class MovePending(TableState):
    """The computer has chosen a move for its side, and a person has to make it on the board."""

    name = "move-pending"
    waits_for_board = True

    move: Move = field()
    difference: ImageDifference = field()

    @property
    def is_plain(self) -> bool:
        """Whether only the piece that has to move has been touched so far."""
        source, target = 1 << self.move.source, 1 << self.move.target
        return self.difference.missing == target and not self.difference.surplus & ~source


@dataclass(frozen=True, slots=True)
class Restoring(TableState):
    """The board has to be restored after a pause or a take-back.

    The state also ends if both sides accept the board as it stands.
    """

    name = "restoring"
    waits_for_board = True

    difference: ImageDifference = NO_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Finished(TableState):
    """The game has ended. Both sides may agree to take back the end, unless time has run out."""

    name = "over"


STATES: Final = (
    SettingUp,
    ToMove,
    WrongMove,
    LossPending,
    AwaitingAnswer,
    Disturbed,
    AttackOpen,
    DisputeOpen,
    GuessOpen,
    StalemateOpen,
    Clearing,
    MovePending,
    Restoring,
    Finished,
)


# State transition table. All transitions are defined here.
#
# A cause that is not listed for a state cannot occur in that state. docs/states.md, generated by
# “make states”, lists the causes, grouped by the state to which they lead.


class Cause(Enum):
    """The causes of a transition, or of a change in the data of a state."""

    PLAYED = "the game continues with a turn"
    ATTACKED = "an attack is open"
    DISPUTED = "a player upholds an impossible rank"
    GUESSED = "a rank is guessed"
    SHUT_IN = "one side cannot move, and the other side is asked whether it can"
    FOUGHT = "a combat or a correct guess leaves pieces to remove"
    TAKEN_BACK = "a turn is taken back"
    SET_RIGHT = "the arbiter makes a correction"
    ACCEPTED = "both sides agree that the board is right"
    ENDED = "the game is over"
    WENT_ON = "a pause is over"
    SHOWN = "the board is correct, except for a hand action in progress"
    FORBIDDEN = "a rule forbids the position of a piece, or a turn tried on the screen"
    PUSHED = "a bomb or flag is moved, which loses the game"
    AMBIGUOUS = "several hypotheses explain the board"
    UNEXPLAINED = "no hypothesis explains the board"
    DENIED = "the players deny every suggested action"
    DECIDED = "the computer has chosen a move, which the board does not show yet"
    DIFFERS = "the required changes on the board differ"
    CLEARED = "the board shows the expected position"


Causes: TypeAlias = Mapping[Cause, type[TableState]]

_ANY_TIME: Final[Causes] = {
    Cause.ENDED: Finished,
    Cause.TAKEN_BACK: Restoring,
}
_DIFFERENT: Final[Causes] = {
    Cause.ACCEPTED: ToMove,
}
_IN_WAITING: Final[Causes] = {
    **_ANY_TIME,
    **_DIFFERENT,
    Cause.SHUT_IN: StalemateOpen,
    Cause.CLEARED: ToMove,
}
_OF_A_TURN: Final[Causes] = {
    **_ANY_TIME,
    Cause.PLAYED: ToMove,
    Cause.ATTACKED: AttackOpen,
    Cause.GUESSED: GuessOpen,
    Cause.SHUT_IN: StalemateOpen,
    Cause.FOUGHT: Clearing,
    Cause.SET_RIGHT: ToMove,
    Cause.WENT_ON: Restoring,
    Cause.SHOWN: ToMove,
    Cause.FORBIDDEN: WrongMove,
    Cause.PUSHED: LossPending,
    Cause.AMBIGUOUS: AwaitingAnswer,
    Cause.UNEXPLAINED: Disturbed,
}
_IN_TALK: Final[Causes] = {
    **_ANY_TIME,
    Cause.PLAYED: ToMove,
    Cause.FOUGHT: Clearing,
    Cause.SHUT_IN: StalemateOpen,
}
RESUMED: Final[Causes] = {
    **_ANY_TIME,
    Cause.ATTACKED: AttackOpen,
    Cause.DISPUTED: DisputeOpen,
    Cause.GUESSED: GuessOpen,
    Cause.SHUT_IN: StalemateOpen,
}
"""States in which a game continues when it is resumed or its end is taken back. Each key is the
cause that led to the state."""
IN_TURN: Final = (ToMove, WrongMove, LossPending, AwaitingAnswer, Disturbed)
"""States in which a side is to move."""

TRANSITIONS: Final[Mapping[type[TableState], Causes]] = {
    SettingUp: {Cause.PLAYED: ToMove, Cause.ENDED: Finished},
    **dict.fromkeys(IN_TURN, _OF_A_TURN),
    ToMove: {**_OF_A_TURN, Cause.DECIDED: MovePending},
    WrongMove: {**_OF_A_TURN, **_DIFFERENT},
    AwaitingAnswer: {**_OF_A_TURN, **_DIFFERENT, Cause.DENIED: ToMove},
    Disturbed: {**_OF_A_TURN, **_DIFFERENT},
    AttackOpen: {
        **_IN_TALK,
        Cause.ATTACKED: AttackOpen,
        Cause.DISPUTED: DisputeOpen,
        Cause.DIFFERS: AttackOpen,
    },
    DisputeOpen: {
        **_IN_TALK,
        Cause.ATTACKED: AttackOpen,
        Cause.DIFFERS: DisputeOpen,
    },
    GuessOpen: {**_IN_TALK, Cause.DIFFERS: GuessOpen},
    StalemateOpen: {**_ANY_TIME, Cause.PLAYED: ToMove, Cause.DIFFERS: StalemateOpen},
    Clearing: {**_IN_WAITING, Cause.DIFFERS: Clearing},
    MovePending: {**_IN_WAITING, Cause.DIFFERS: MovePending},
    Restoring: {**_IN_WAITING, Cause.DIFFERS: Restoring},
    Finished: RESUMED,
}
"""For each state, the possible causes of a transition, with the states to which they lead."""
