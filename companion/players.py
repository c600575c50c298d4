"""Two simulated players who play a game with their hands at a simulated board.

They know what is printed on their pieces, react to what the table asks, and keep a shadow referee
that knows all ranks: what the table rules is compared with what the shadow derives.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from statistics import median
from typing import Final

from companion.events import Event, RankAsked
from companion.games import Game
from companion.inputs import AttackerNamed, Input, Said
from companion.sayings import OfferDraw, Ready, Saying
from companion.simulation import SimulatedBoard
from engine.games.adjudication import action_of
from engine.games.record import RecordedMove
from engine.play.actions import (
    Action,
    AnswerCannotMove,
    Attack,
    CannotMove,
    Declare,
    Move,
    PlaceArmies,
    Resign,
)
from engine.play.moment import Phase
from engine.play.referee import Referee
from engine.play.rulings import Combat, GameOver, Moved, Reason
from engine.ranks import IMMOBILE, Rank
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import NEIGHBOURS, SQUARES, squares_in
from firmware_bridge.gestures import compare

THINK_MS: Final = 700
"""How long a player takes to answer the screen; chosen, not measured."""
PATIENCE_MS: Final = 5_000
"""How long the players wait for the table before they count something as missed."""
LIFTS_AND_PUTS_BACK: Final = 0.2
MOVES_WRONGLY: Final = 0.2
"""How often hesitant hands do so before a ply."""


class Profile(Enum):
    """How the hands behave."""

    CLEAN = "clean"
    """Every gesture is right the first time."""
    HESITANT = "hesitant"
    """Lifts and puts back, makes wrong moves and takes them back."""
    QUICK = "quick"
    """Whoever can answers a move with a move before it has settled."""


class Style(Enum):
    """The ways of making an attack."""

    IN_HAND = "both in hand"
    SET_DOWN = "set down on it"
    ON_SCREEN = "opened on the screen"


@dataclass
class Tally:
    """What came of a simulated game."""

    plies: int = 0
    wrong: int = 0
    """Plies that the table ruled otherwise than the full record says, or that nobody had made."""
    missed: int = 0
    """Things the players did of which the table took no notice."""
    prompts: int = 0
    """How often a rank was asked for."""
    combats: int = 0
    latencies_ms: list[int] = field(default_factory=list)
    """From the last movement of the hand to the ruling, or to the question whether it is an attack;
    in simulated time, a value a ply."""

    @property
    def latency_ms(self) -> dict[str, float | None]:
        """The median and the longest latency."""
        found = self.latencies_ms
        return {"median": median(found) if found else None, "max": max(found, default=None)}


class Players:
    """Both players of one game."""

    def __init__(self, at: SimulatedBoard, game: Game, seed: int, profile: Profile) -> None:
        """Take place at a board. A game that has begun is taken up where it stands."""
        self.tally = Tally()
        self._at = at
        self._table = at.session.table
        self._referee = self._table.referee
        self._game = game
        self._seed = seed
        self._profile = profile
        self._shadow = Referee.waiting(self._referee.edition, known=game.ranks)
        self._rulings: list[Moved | Combat | GameOver] = []
        at.session.listen(self._hear)

    def play(self) -> bool:
        """Play the game to its end. False if the table and the players lost each other."""
        self._set_up()
        while self._referee.outcome is None:
            move = self._game.move(self._shadow)
            if move is None:
                return self._finish()
            if not self._play_ply(move):
                return False
        return self._clear_up()

    def _hear(self, event: Event) -> None:
        match event:
            case Moved() | Combat() | GameOver():
                self._rulings.append(event)
            case RankAsked():
                self.tally.prompts += 1

    def _say(self, what: Action | Saying) -> None:
        """Say something to the screen."""
        self._touch(lambda at: Said(at, what))

    def _touch(self, made: Callable[[float], Input]) -> None:
        """Touch the screen, after a moment of thought and as soon as it can be touched."""
        self._at.pass_time(THINK_MS)
        self._at.wait_for(lambda: self._at.is_plugged_in, PATIENCE_MS)
        self._at.session.handle(made(self._at.now))

    def _set_up(self) -> None:
        """Set up the armies, or stand the pieces as the table remembers them."""
        self._shadow.apply(PlaceArmies(self._game.red, self._game.blue))
        begun = self._referee.phase is not Phase.SETUP
        expected = self._table.expected
        armies = (
            (Side.RED, expected.red if begun else self._game.red),
            (Side.BLUE, expected.blue if begun else self._game.blue),
        )
        for side, squares in armies:
            for square in squares_in(squares):
                self._at.board.stand(side, square)
        self._catch_up()
        if not begun:
            self._at.pass_time(THINK_MS)
            for side in Side:
                self._say(Ready(side))
            self._at.wait_for(lambda: self._referee.phase is Phase.PLAY, PATIENCE_MS)

    def _catch_up(self) -> None:
        """Lead the shadow to where the game stands."""
        while self._shadow.plies < self._referee.plies:
            move = self._game.move(self._shadow)
            assert move, "the game that is taken up is longer than this one"
            self._shadow.apply(action_of(move, self._shadow.position))

    def _play_ply(self, move: RecordedMove) -> bool:
        """Make one move or attack and compare the ruling; False if the table takes no notice."""
        action = action_of(move, self._shadow.position)
        expected = self._foresee(action)
        self._rulings.clear()
        if self._profile is Profile.QUICK and isinstance(action, Move):
            answer = self._answer()
            if answer:
                return self._play_both(action, answer, expected)
        if self._referee.phase is not Phase.ATTACK:
            dice = random.Random(f"{self._seed} {self._referee.plies}")
            if self._profile is Profile.HESITANT:
                self._hesitate(move, dice)
            self._make(action, dice)
            done_at = self._at.now
            if not self._at.wait_for(self._is_ply_noticed, PATIENCE_MS):
                self.tally.missed += 1
                return False
            self.tally.latencies_ms.append(round((self._at.now - done_at) * 1000))
            if self._table.attackers:
                self._touch(lambda at: AttackerNamed(at, self._referee.to_move))
        if not (self._declare() and self._clear_up()):
            self.tally.missed += 1
            return False
        self.tally.plies += 1
        self.tally.combats += isinstance(expected[0], Combat)
        if self._is_stuck_unproved():
            expected.pop()
        self.tally.wrong += self._rulings != expected
        return True

    def _foresee(self, action: Move | Attack) -> list[Moved | Combat | GameOver]:
        """Return what has to be ruled for what the players do next."""
        rulings = self._shadow.apply(action)
        return [ruling for ruling in rulings if isinstance(ruling, Moved | Combat | GameOver)]

    def _answer(self) -> Move | None:
        """Return the next ply if it is a move and no attack."""
        move = self._game.move(self._shadow) if self._shadow.phase is Phase.PLAY else None
        action = action_of(move, self._shadow.position) if move else None
        return action if isinstance(action, Move) else None

    def _play_both(
        self, move: Move, answer: Move, expected: list[Moved | Combat | GameOver]
    ) -> bool:
        """Make a move and the answer to it with hands that cross, and compare the rulings."""
        expected += self._foresee(answer)
        crossing = [(each.target, self._at.hands.lift(each.source)) for each in (move, answer)]
        for target, piece in crossing:
            self._at.hands.place(target, piece)
        if not self._at.wait_for(lambda: len(self._rulings) >= len(expected), PATIENCE_MS):
            self.tally.missed += 1
            return False
        self.tally.plies += 2
        self.tally.wrong += self._rulings != expected
        return True

    def _is_stuck_unproved(self) -> bool:
        """Whether only who knows all ranks can know yet that the side to move cannot."""
        outcome = self._shadow.outcome
        stuck = outcome and outcome.reason in (Reason.NO_LEGAL_MOVE, Reason.BOTH_IMMOBILE)
        return bool(stuck) and self._referee.outcome is None

    def _is_ply_noticed(self) -> bool:
        accepted = bool(self._rulings) or self._referee.phase is Phase.ATTACK
        return accepted or bool(self._table.attackers)

    def _make(self, action: Move | Attack, dice: random.Random) -> None:
        """Make a move or attack by hand; attacks in any of the ways in which people make them."""
        source, target = action.source, action.target
        if isinstance(action, Move):
            self._at.hands.move(source, target)
            return
        # A board that sees no colour cannot see a piece set down on another.
        styles = [*Style] if self._table.sees_colours else [Style.IN_HAND, Style.ON_SCREEN]
        match dice.choice(styles):
            case Style.IN_HAND:
                self._at.hands.attack_in_hand(source, target)
            case Style.SET_DOWN:
                self._at.hands.attack_set_down(source, target)
            case Style.ON_SCREEN:
                self._say(Attack(source, target))

    def _declare(self) -> bool:
        """Answer the table's questions until the attack is resolved."""
        while question := self._table.question:
            rank = self._game.ranks[self._referee.position.board.piece_at(question.square)]
            self._say(Declare(Secret(question.owner, rank)))
            if self._table.question == question:
                return False
        return True

    def _clear_up(self) -> bool:
        """Make the board show what the table expects, as its guidance says."""
        difference = compare(self._at.board.image(), self._table.expected)
        for square in squares_in(difference.surplus):
            self._at.hands.lift(square)
        for square in squares_in(difference.missing):
            side = self._referee.position.board.side_at(square)
            piece = next(held for held in self._at.hands.held if held.side is side)
            self._at.hands.place(square, piece)
        for piece in self._at.hands.held:
            self._at.hands.set_aside(piece)
        return self._at.wait_for(lambda: not self._table.is_waiting_for_board, PATIENCE_MS)

    def _finish(self) -> bool:
        """End the game as its record says, when its moves are over and its end is not yet."""
        result = self._game.result
        if not self._shadow.position.can_move(self._shadow.to_move):
            self._say_cannot_move()
        elif result and result.winner:
            self._say(Resign(result.winner.other))
        elif result:
            for side in Side:
                self._say(OfferDraw(side))
        return result is None or self._referee.outcome is not None

    def _say_cannot_move(self) -> None:
        """Say that the side to move cannot. Where the other side is asked, it says the truth."""
        self._say(CannotMove())
        if self._referee.phase is not Phase.STANDSTILL:
            return
        able = self._shadow.position.can_move(self._shadow.to_move.other)
        self._say(AnswerCannotMove(able))
        if not able:
            return
        turn = next(filter(self._can_be_made, self._referee.position.legal_moves()))
        if isinstance(turn, Move):
            self._at.hands.move(turn.source, turn.target)
        else:
            self._say(turn)
        self._at.wait_for(lambda: self._referee.outcome is not None, PATIENCE_MS)

    def _can_be_made(self, turn: Move | Attack) -> bool:
        """Whether the rank that is printed on a piece allows what may be allowed."""
        rank = self._game.ranks[self._referee.position.board.piece_at(turn.source)]
        is_step = turn.target in NEIGHBOURS[turn.source]
        return rank is Rank.SCOUT or (is_step and not IMMOBILE >> rank & 1)

    # The mistakes of hesitant hands

    def _hesitate(self, move: RecordedMove, dice: random.Random) -> None:
        if dice.random() < LIFTS_AND_PUTS_BACK:
            self._at.hands.lift(move.source)
            self._at.hands.put_back()
            self._at.pass_time(THINK_MS)
        if dice.random() < MOVES_WRONGLY:
            self._move_wrongly(move, dice)

    def _move_wrongly(self, move: RecordedMove, dice: random.Random) -> None:
        """Make an illegal move, see that it is refused, and take it back."""
        wrong = [
            target
            for target in SQUARES
            if self._referee.position.board.side_at(target) is None
            and self._referee.find_violation(move.source, target)
        ]
        if not wrong:
            return
        target = dice.choice(wrong)
        self._at.hands.move(move.source, target)
        if not self._at.wait_for(lambda: self._table.violation is not None, PATIENCE_MS):
            self.tally.missed += 1
        self._at.hands.move(target, move.source)
        if not self._at.wait_for(lambda: self._table.violation is None, PATIENCE_MS):
            self.tally.missed += 1
