"""Two simulated players who play a game by hand on a simulated board.

The players answer the table's questions. The table's rulings are compared with those of a shadow
referee that knows all ranks.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from statistics import median
from typing import Final

from companion.core.state import AwaitingAnswer
from companion.simulator.random_games import SimulatedGame, Turn
from companion.simulator.side_actions import (
    SideAction,
    SideActionChooser,
    SideActionContext,
    SideActionResult,
)
from companion.simulator.simulated_people import THINK_MS, People, Result, results_of
from companion.simulator.simulation import BoardRig
from engine.board.geometry import SQUARES, Side, squares_in
from engine.game.actions import AnswerStalemate, ClaimStalemate, Move, PlaceArmies
from engine.game.clocks import NO_CLOCK
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import ArmyOpened, Combat, Reason

LIFTS_AND_PUTS_BACK: Final = 0.2
MOVES_WRONGLY: Final = 0.2
"""Probability that hesitant hands make an illegal move before a ply."""
_STUCK: Final = (Reason.NO_LEGAL_MOVE, Reason.BOTH_IMMOBILE, Reason.NO_MOVABLE_PIECE)


class Profile(Enum):
    """Behaviour of the hands."""

    CLEAN = "clean"
    """Every gesture is correct the first time."""
    HESITANT = "hesitant"
    """The hands lift pieces and put them back, and make illegal moves and take them back."""
    QUICK = "quick"
    """If possible, the hands reply to a move before it has settled."""


@dataclass
class MatchResult:
    """Result of a simulated game."""

    plies: int = 0
    wrong: int = 0
    """Number of errors. An error is a ply on which the table and the shadow referee disagreed, a
    side action that changed the game, or a setup that turned out to be wrong when it was opened."""
    missed: int = 0
    """Number of the players' actions that the table did not notice."""
    prompts: int = 0
    """Number of times the table asked for a rank."""
    combats: int = 0
    side_actions: Counter[str] = field(default_factory=Counter)
    latencies_ms: list[int] = field(default_factory=list)
    """For each ply, the simulated time in milliseconds from the last hand movement until the table
    rules on the turn or asks about it."""

    @property
    def latency_ms(self) -> dict[str, float | None]:
        """Median and maximum latency, each None before the first ply."""
        found = self.latencies_ms
        return {"median": median(found) if found else None, "max": max(found, default=None)}


class SimulatedPlayers:
    """Both players of one game."""

    def __init__(
        self,
        at: BoardRig,
        game: SimulatedGame,
        seed: int,
        profile: Profile,
        side_actions: Iterable[SideAction] = (),
    ) -> None:
        """Prepare to play on a board, from the current position if a game is in progress.

        Some of the `side_actions` are performed between plies.
        """
        self._tally = MatchResult()
        self._people = People(at, game.ranks)
        self._at = at
        self._table = at.session.table
        self._referee = self._table.referee
        self._game = game
        self._seed = seed
        self._profile = profile
        self._side_actions = SideActionChooser(side_actions)
        # The shadow referee knows all ranks, so it needs no commitments.
        rules = replace(self._referee.edition, sealed_armies=False)
        self._shadow = Referee.waiting(rules, known=game.ranks)

    @property
    def tally(self) -> MatchResult:
        self._tally.prompts = self._people.prompts
        self._tally.side_actions = self._side_actions.done
        return self._tally

    def play(self) -> bool:
        """Play the game to the end.

        Return False if the table's game differs from the players' game.
        """
        self._set_up()
        while self._referee.outcome is None:
            turn = self._game.turn(self._shadow)
            if turn is None:
                return self._finish() and self._prove()
            if not self._play_ply(turn):
                return False
        return self._people.clear_up() and self._prove()

    def _set_up(self) -> None:
        """Set up the armies, or place the pieces where the table expects them."""
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
                self._people.be_ready(side)
            self._people.wait_for(lambda: self._referee.phase is Phase.PLAY)

    def _prove(self) -> bool:
        """Open all commitments after the game.

        Return False if the table does not accept all of them.
        """
        sealed = [side for side in Side if self._table.conversation.can_prove(side)]
        for side in sealed:
            self._people.prove(side)
            self._tally.wrong += any(
                ruling.wrong for ruling in self._referee.ruled if isinstance(ruling, ArmyOpened)
            )
        return all(side in self._table.view.proved for side in sealed)

    def _catch_up(self) -> None:
        """Bring the shadow referee up to date with the game."""
        while self._shadow.plies < self._referee.plies:
            turn = self._game.turn(self._shadow)
            assert turn, "the resumed game is longer than the simulated game"
            self._shadow.apply(turn)

    def _play_ply(self, turn: Turn) -> bool:
        """Make one turn, and compare the ruling with the expected one.

        Return False if the table does not notice the turn.
        """
        dice = random.Random(f"{self._seed} {self._referee.plies}")
        answer = self._pause(turn)
        if answer is SideActionResult.MISSED:
            return self._miss()
        mover, expected = self._shadow.to_move, self._expected_rulings(turn)
        if answer is not SideActionResult.BEGUN:
            self._people.heard.clear()
            if self._profile is Profile.QUICK and isinstance(turn, Move):
                reply = self._reply()
                if reply:
                    return self._play_both(turn, reply, expected)
        if self._referee.phase is Phase.PLAY:
            if answer is not SideActionResult.BEGUN:
                if self._profile is Profile.HESITANT:
                    self._hesitate(turn, dice)
                self._people.make(turn, dice)
            done_at = self._at.now
            if not self._people.wait_for(self._people.is_turn_noticed):
                return self._miss()
            self._tally.latencies_ms.append(round((self._at.now - done_at) * 1000))
        if not (self._people.conclude(mover) and self._people.clear_up()):
            return self._miss()
        self._tally.plies += 1
        self._tally.combats += isinstance(expected[0], Combat)
        if self._is_stuck_unproved():
            expected.pop()
        self._tally.wrong += self._people.heard != expected
        return True

    def _pause(self, turn: Turn) -> SideActionResult:
        """Before the next turn, perhaps perform a side action. Return its result."""
        if self._referee.phase is not Phase.PLAY:
            return SideActionResult.UNFIT
        dice = random.Random(f"{self._seed} {self._referee.plies} interlude")
        answer = self._side_actions.perform_perhaps(
            lambda: SideActionContext(self._people, turn, dice), dice
        )
        self._tally.wrong += answer is SideActionResult.WRONG
        return answer

    def _miss(self) -> bool:
        self._tally.missed += 1
        return False

    def _expected_rulings(self, turn: Turn) -> list[Result]:
        return results_of(self._shadow.apply(turn))

    def _reply(self) -> Move | None:
        """Return the next ply if it is a move, not an attack."""
        turn = self._game.turn(self._shadow) if self._shadow.phase is Phase.PLAY else None
        return turn if isinstance(turn, Move) else None

    def _play_both(self, move: Move, reply: Move, expected: list[Result]) -> bool:
        """Make a move and its reply with overlapping hand actions, and compare the rulings.

        Return False if the table does not notice both turns.
        """
        expected += self._expected_rulings(reply)
        crossing = [(each.target, self._at.hands.lift(each.source)) for each in (move, reply)]
        for target, piece in crossing:
            self._at.hands.place(target, piece)
        self._people.made += [move, reply]
        if not self._people.wait_for(
            lambda: (
                len(self._people.heard) >= len(expected)
                or isinstance(self._table.state, AwaitingAnswer)
            )
        ):
            return self._miss()
        if isinstance(self._table.state, AwaitingAnswer):
            self._people.answer_question()
        if not self._people.wait_for(lambda: len(self._people.heard) >= len(expected)):
            return self._miss()
        self._tally.plies += 2
        self._tally.wrong += self._people.heard != expected
        return True

    def _is_stuck_unproved(self) -> bool:
        """Whether the side to move has no legal move, but the table cannot know this."""
        outcome = self._shadow.outcome
        stuck = outcome and outcome.reason in _STUCK
        return bool(stuck) and self._referee.outcome is None

    def _finish(self) -> bool:
        """End the game at the players' request. Return False if the table does not allow it."""
        words = self._game.last_words
        is_stuck = not self._shadow.position.can_move(self._shadow.to_move)
        is_asked = self._referee.phase is Phase.STALEMATE
        if is_stuck or is_asked or ClaimStalemate() in words:
            self._claim_stalemate()
        else:
            for word in words:
                self._people.submit(word)
        if self._game.control is not NO_CLOCK:
            self._at.wait_for(lambda: self._referee.outcome is not None, self._time_left_ms)
        return not words or self._referee.outcome is not None

    @property
    def _time_left_ms(self) -> int:
        """Time, in milliseconds, after which every clock is certain to have run out."""
        control = self._game.control
        return round(1000 * ((control.each or 0) + (control.whole or 0))) + THINK_MS

    def _claim_stalemate(self) -> None:
        """Claim that the side to move cannot move.

        If the other side is asked, it answers truthfully.
        """
        if self._referee.phase is not Phase.STALEMATE:
            self._people.submit(ClaimStalemate())
        asking = self._referee.stalemate
        if asking is None:
            return
        able = self._shadow.position.can_move(asking.stuck.other)
        self._people.submit(AnswerStalemate(able))
        if able:
            self._people.show_a_move()

    # Mistakes made by hesitant hands.

    def _hesitate(self, turn: Turn, dice: random.Random) -> None:
        if dice.random() < LIFTS_AND_PUTS_BACK:
            self._at.hands.lift(turn.source)
            self._at.hands.put_back()
            self._at.pass_time(THINK_MS)
        if dice.random() < MOVES_WRONGLY:
            self._move_wrongly(turn, dice)

    def _move_wrongly(self, turn: Turn, dice: random.Random) -> None:
        """Make an illegal move, check that it is rejected, and take it back."""
        wrong = [
            target
            for target in SQUARES
            if self._referee.position.board.side_at(target) is None
            and self._referee.find_violation(turn.source, target)
        ]
        if not wrong:
            return
        target = dice.choice(wrong)
        self._at.hands.move(turn.source, target)
        if not self._people.wait_for(
            lambda: (
                self._table.state.violation is not None
                or isinstance(self._table.state, AwaitingAnswer)
            )
        ):
            self._tally.missed += 1
        if isinstance(
            self._table.state, AwaitingAnswer
        ):  # without colour sensing, the table may mistake the move for a push
            self._people.answer_question()
        self._at.hands.move(target, turn.source)
        if not self._people.wait_for(lambda: self._table.state.violation is None):
            self._tally.missed += 1
