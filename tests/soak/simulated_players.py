"""Two simulated players who lie, stand by false declarations, take back turns, knock over pieces
and leave. What they do depends on what they see and on a random generator. It does not depend on
the internal state of the table.
"""

from contextlib import suppress
from random import Random
from typing import Final

from companion.core.inputs import OfferUndo
from companion.simulator.random_games import Turn, VariedGame
from companion.simulator.side_actions import SIDE_ACTIONS, SideActionContext
from companion.simulator.simulated_people import People
from engine.board.board import Piece as Identity
from engine.board.geometry import SQUARES, Side
from engine.board.ranks import Rank, ranks_in
from engine.game.actions import Attack, Infiltrate, Move
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.game.game_state import Phase
from firmware_bridge.simulated_board.board import ImpossibleError, PhysicalPiece
from tests.soak.fault_scheduler import FaultScheduler
from tests.soak.invalid_actions import InvalidActions
from tests.soak.recovery_driver import SETTLED_MS, RecoveryDriver
from tests.soak.rig import SimulatedRig, retry_save

THINKS_MS: Final = (1_000, 2_000, 4_000, 8_000, 12_000, 20_000, 30_000, 60_000)
"""Thinking times in milliseconds before a turn. All are equally likely."""
CONTROLS: Final[tuple[TimeControl, ...]] = (
    NO_CLOCK,
    NO_CLOCK,
    TIME_CONTROLS["bronstein"],
    TIME_CONTROLS["total"],
    TIME_CONTROLS["short"],
    TimeControl.of(each=150, delay=5, whole=400),
)
_PLAYS: Final = 0.72
"""Probability that a turn is simply played, with nothing else before or after it."""
_SIDE_ACTIONS: Final = 0.5
"""If a turn is not simply played, the probability that the players do something that leaves the
game unchanged, such as a correction that they undo, or that begins the turn in an unusual way.
Otherwise, they do something invalid."""
_INVALID_FIRST: Final = 0.3
"""Probability of a random command before the requested action."""
_ENDS_AGAIN: Final = 0.2
"""Probability that the players take back the end of a game."""
_PROVE: Final = 0.5
"""Probability that sealed armies are opened at the end."""
_UNSAVED: Final = 0.05
"""Probability that players continue without saving when the disk fails."""
_WAITS_MS: Final = (1_000, 3_000, 10_000)
"""Pauses in milliseconds before another attempt."""
_LONGEST: Final = 200
"""Number of plies after which the game ends."""


class RandomPlayers:
    def __init__(self, rig: SimulatedRig, faults: FaultScheduler, seed: int) -> None:
        self.plies = self.games = 0
        self._rig, self._faults = rig, faults
        self._seed = seed
        self._dice = Random(f"{seed} guests")
        self._game: VariedGame
        self._kept: dict[int, tuple[VariedGame, dict[Identity, PhysicalPiece]]] = {}
        """Each game with its pieces, keyed by the game's number in the journal."""
        self._people: tuple[object, People] | None = None
        self._recovery_driver = RecoveryDriver(rig, faults, {})

    def act(self) -> None:
        """Perform the players' next action."""
        rig = self._rig
        if not rig.is_on:
            rig.pass_time(1_000)
        elif rig.host.session is None and rig.host.problem and self._dice.random() > _UNSAVED:
            self._look_again()
        elif rig.host.session is None:
            self._begin()
        elif rig.host.unsaved:
            self._wait_for_the_disk()
        elif rig.table.referee.phase is Phase.SETUP:
            self._set_up()
        elif rig.table.referee.phase is Phase.OVER:
            self._end()
        elif self._recovery_driver.is_open():
            self._play()
        else:
            if self._dice.random() < _INVALID_FIRST:
                self._invalid_actions().words()
            self._lead()

    @property
    def people(self) -> People:
        """Players of the current session, who know the ranks."""
        session = self._rig.host.session
        number = self._rig.host.number
        if number is not None:
            self._game, self._recovery_driver.pieces = self._kept.setdefault(
                number, (self._game, self._recovery_driver.pieces)
            )
        if self._people is None or self._people[0] is not session:
            self._people = session, People(self._rig, self._game.ranks)
        return self._people[1]

    def _lead(self) -> None:
        self._recovery_driver.lead(self.people)

    def _invalid_actions(self) -> InvalidActions:
        return InvalidActions(self._rig, self.people, self._dice)

    # -- a game

    def _begin(self) -> None:
        """Begin a game with random rules and a random clock."""
        self.games += 1
        game = VariedGame(self._seed * 97 + self.games)
        self._game = game
        board = self._rig.board
        for piece in self._rig.hands.held:
            self._rig.hands.set_aside(piece)
        for square in SQUARES:
            if board.at(square):
                board.take_away(square)
        self._recovery_driver.pieces = {}
        self._rig.begin(game.edition, self._dice.choice(CONTROLS))

    def _set_up(self) -> None:
        """Set up both armies, and report both players ready. Pieces that already belong to this
        game are used again."""
        board, game = self._rig.board, self._game
        for square, rank in game.ranks.items():
            if board.at(square) is None:
                side = Side.RED if game.red >> square & 1 else Side.BLUE
                piece = self._recovery_driver.pieces.get(square) or PhysicalPiece(side, rank.symbol)
                self._recovery_driver.pieces[square] = piece
                board.place(piece, square)
        self._rig.pass_time(SETTLED_MS)
        for side in Side:
            self.people.be_ready(side)
        self.people.wait_for(lambda: self._rig.table.referee.phase is not Phase.SETUP)

    def _end(self) -> None:
        """Take back the turn that ended the game, or look at the end screen and leave."""
        self._rig.pass_time(self._dice.choice(THINKS_MS))
        if self._rig.table.view.sealed and self._dice.random() < _PROVE:
            for side in Side:
                self.people.prove(side)
        if self._dice.random() < _ENDS_AGAIN:
            for side in Side:
                self.people.submit(OfferUndo(side))
        if self._plays_on() and self._rig.table.referee.phase is Phase.OVER:
            self._rig.run(self._rig.host.leave)

    def _look_again(self) -> None:
        """Check again whether the games can be read, if there is still no session."""
        self._rig.pass_time(self._dice.choice(_WAITS_MS))
        if self._rig.is_on and self._rig.host.session is None:
            self._rig.look_again()

    def _wait_for_the_disk(self) -> None:
        """Try to save again, or continue without saving."""
        self._rig.pass_time(self._dice.choice(_WAITS_MS))
        if not self._rig.host.unsaved:  # the power was cut during the wait
            return
        if self._dice.random() < _UNSAVED:
            self._rig.run(self._rig.host.continue_unsaved)
        else:
            retry_save(self._rig)

    # -- a turn

    def _play(self) -> None:
        self._rig.pass_time(self._dice.choice(THINKS_MS))
        if not (self._plays_on() and self._recovery_driver.is_open()):
            return
        plies = self._rig.table.referee.plies
        turn = self._choose_turn()
        if turn is None or plies >= _LONGEST:
            self._invalid_actions().end()
        elif self._dice.random() < _PLAYS:
            self.people.carry_out(turn, self._dice)
        elif self._dice.random() < _SIDE_ACTIONS:
            side_action = self._dice.choice(SIDE_ACTIONS)
            with suppress(ImpossibleError):  # a sensor reports no piece on an occupied square
                side_action(SideActionContext(self.people, turn, self._dice))
        else:
            self._invalid_actions().anything(turn)
        if self._plays_on():
            self.plies += max(0, self._rig.table.referee.plies - plies)
            self._lead()

    def _plays_on(self) -> bool:
        """Whether a game is in progress without a storage error."""
        host = self._rig.host
        return self._rig.is_on and host.session is not None and not host.unsaved

    def _choose_turn(self) -> Turn | None:
        """Choose a turn that the ranks allow, usually an attack or a move forward."""
        table = self._rig.table
        ways = [*table.view.infiltrations]
        if ways and self._dice.random() < _PLAYS:
            return Infiltrate(*self._dice.choice(ways), self._a_rank())
        legal = (t for t in table.referee.legal_moves() if not isinstance(t, Infiltrate))
        turns = [each for each in legal if self.people.can_be_made(each)]
        if not turns:
            return None
        attacks = [each for each in turns if isinstance(each, Attack)]
        if attacks and self._dice.random() < _SIDE_ACTIONS:
            return self._dice.choice(attacks)
        forward = 1 if table.referee.to_move is Side.RED else -1
        tried: list[Move | Attack] = self._dice.choices(turns, k=3)
        return max(tried, key=lambda turn: (turn.target - turn.source) * forward)

    def _a_rank(self) -> Rank:
        return self._dice.choice([*ranks_in(self._rig.table.referee.edition.army.ranks)])
