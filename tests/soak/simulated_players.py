"""Two simulated players with all their habits: they lie, insist, take back, knock pieces and leave.

Their next action depends on what they see and on a random generator. They do not rely on the table,
so they continue whatever faults occur.
"""

from contextlib import suppress
from random import Random
from typing import Final

from companion.core.inputs import OfferUndo
from companion.simulator.random_games import Turn, VariedGame
from companion.simulator.side_actions import INTERLUDES, Occasion
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
from tests.soak.rig import SimulatedRig, save_again

THINKS_MS: Final = (1_000, 2_000, 4_000, 8_000, 12_000, 20_000, 30_000, 60_000)
"""Thinking times before a turn, equally likely."""
CONTROLS: Final[tuple[TimeControl, ...]] = (
    NO_CLOCK,
    NO_CLOCK,
    TIME_CONTROLS["bronstein"],
    TIME_CONTROLS["total"],
    TIME_CONTROLS["short"],
    TimeControl.of(each=150, delay=5, whole=400),
)
_PLAYS: Final = 0.72
"""Probability that a turn is made without any interlude."""
_INTERLUDES: Final = 0.5
"""Probability that any other action is one of the interludes."""
_MISCHIEF_FIRST: Final = 0.3
"""Probability of another action before the one that the table requests."""
_ENDS_AGAIN: Final = 0.2
"""Probability that the end of a game is taken back."""
_PROVE: Final = 0.5
"""Probability that sealed armies are opened at the end."""
_UNKEPT: Final = 0.05
"""Probability that people play on without saving when the disk fails."""
_WAITS_MS: Final = (1_000, 3_000, 10_000)
"""Times that people wait before they try again."""
_LONGEST: Final = 200
"""Number of plies after which they end the game."""


class SimulatedGuests:
    """The people of one session."""

    def __init__(self, house: SimulatedRig, befalling: FaultScheduler, seed: int) -> None:
        """Start at the board of a rig."""
        self.plies = self.games = 0
        """Number of plies and games played."""
        self._house, self._befalling = house, befalling
        self._seed = seed
        self._dice = Random(f"{seed} guests")
        self._game: VariedGame
        self._kept: dict[int, tuple[VariedGame, dict[Identity, PhysicalPiece]]] = {}
        """The games with their pieces, by the games' numbers in the journal."""
        self._people: tuple[object, People] | None = None
        self._way_on = RecoveryDriver(house, befalling, {})

    def act(self) -> None:
        """Do one thing."""
        house = self._house
        if not house.is_on:
            house.pass_time(1_000)
        elif house.host.session is None and house.host.problem and self._dice.random() > _UNKEPT:
            self._look_again()
        elif house.host.session is None:
            self._begin()
        elif house.host.unsaved:
            self._wait_for_the_disk()
        elif house.table.referee.phase is Phase.SETUP:
            self._set_up()
        elif house.table.referee.phase is Phase.OVER:
            self._end()
        elif self._way_on.is_open():
            self._play()
        else:
            if self._dice.random() < _MISCHIEF_FIRST:
                self._mischief().words()
            self._lead()

    @property
    def people(self) -> People:
        """The people of the current session, who know the printed ranks."""
        session = self._house.host.session
        number = self._house.host.number
        if number is not None:
            self._game, self._way_on.pieces = self._kept.setdefault(
                number, (self._game, self._way_on.pieces)
            )
        if self._people is None or self._people[0] is not session:
            self._people = session, People(self._house, self._game.ranks)
        return self._people[1]

    def _lead(self) -> None:
        self._way_on.lead(self.people)

    def _mischief(self) -> InvalidActions:
        return InvalidActions(self._house, self.people, self._dice)

    # -- a game

    def _begin(self) -> None:
        """Begin a game with different rules and a different clock."""
        self.games += 1
        game = VariedGame(self._seed * 97 + self.games)
        self._game = game
        board = self._house.board
        for piece in self._house.hands.held:
            self._house.hands.set_aside(piece)
        for square in SQUARES:
            if board.at(square):
                board.take_away(square)
        self._way_on.pieces = {}
        self._house.begin(game.edition, self._dice.choice(CONTROLS))

    def _set_up(self) -> None:
        """Set up both armies, reusing the same pieces, and report both as ready."""
        board, game = self._house.board, self._game
        for square, rank in game.ranks.items():
            if board.at(square) is None:
                side = Side.RED if game.red >> square & 1 else Side.BLUE
                piece = self._way_on.pieces.get(square) or PhysicalPiece(side, rank.symbol)
                self._way_on.pieces[square] = piece
                board.place(piece, square)
        self._house.pass_time(SETTLED_MS)
        for side in Side:
            self.people.be_ready(side)
        self.people.wait_for(lambda: self._house.table.referee.phase is not Phase.SETUP)

    def _end(self) -> None:
        """Take the end of the game back, or look at the end screen for a while and leave."""
        self._house.pass_time(self._dice.choice(THINKS_MS))
        if self._house.table.view.sealed and self._dice.random() < _PROVE:
            for side in Side:
                self.people.prove(side)
        if self._dice.random() < _ENDS_AGAIN:
            for side in Side:
                self.people.say(OfferUndo(side))
        if self._plays_on() and self._house.table.referee.phase is Phase.OVER:
            self._house.run(self._house.host.leave)

    def _look_again(self) -> None:
        """Check again whether the games can be read, unless something else has happened."""
        self._house.pass_time(self._dice.choice(_WAITS_MS))
        if self._house.is_on and self._house.host.session is None:
            self._house.look_again()

    def _wait_for_the_disk(self) -> None:
        """Try to save again, or play on without saving."""
        self._house.pass_time(self._dice.choice(_WAITS_MS))
        if not self._house.host.unsaved:  # the power was cut during the wait
            return
        if self._dice.random() < _UNKEPT:
            self._house.run(self._house.host.play_on_unkept)
        else:
            save_again(self._house)

    # -- a turn

    def _play(self) -> None:
        self._house.pass_time(self._dice.choice(THINKS_MS))
        if not (self._plays_on() and self._way_on.is_open()):
            return
        plies = self._house.table.referee.plies
        turn = self._choose_turn()
        if turn is None or plies >= _LONGEST:
            self._mischief().end()
        elif self._dice.random() < _PLAYS:
            self.people.carry_out(turn, self._dice)
        elif self._dice.random() < _INTERLUDES:
            interlude = self._dice.choice(INTERLUDES)
            with suppress(ImpossibleError):  # a sensor reports no piece on an occupied square
                interlude(Occasion(self.people, turn, self._dice))
        else:
            self._mischief().anything(turn)
        if self._plays_on():
            self.plies += max(0, self._house.table.referee.plies - plies)
            self._lead()

    def _plays_on(self) -> bool:
        """Return whether a game is running and is not covered by a storage error."""
        host = self._house.host
        return self._house.is_on and host.session is not None and not host.unsaved

    def _choose_turn(self) -> Turn | None:
        """Choose a turn that the printed ranks allow, preferably an attack or a move forward."""
        table = self._house.table
        ways = [*table.view.infiltrations]
        if ways and self._dice.random() < _PLAYS:
            return Infiltrate(*self._dice.choice(ways), self._a_rank())
        legal = (t for t in table.referee.legal_moves() if not isinstance(t, Infiltrate))
        turns = [each for each in legal if self.people.can_be_made(each)]
        if not turns:
            return None
        attacks = [each for each in turns if isinstance(each, Attack)]
        if attacks and self._dice.random() < _INTERLUDES:
            return self._dice.choice(attacks)
        forward = 1 if table.referee.to_move is Side.RED else -1
        tried: list[Move | Attack] = self._dice.choices(turns, k=3)
        return max(tried, key=lambda turn: (turn.target - turn.source) * forward)

    def _a_rank(self) -> Rank:
        return self._dice.choice([*ranks_in(self._house.table.referee.edition.army.ranks)])
