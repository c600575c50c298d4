"""Two people who play, and do all that people do besides: lie, insist, take back, knock, go away.

What they do next follows from what they see and from dice; they expect nothing of the table, so
they go on whatever befalls house and board.
"""

from contextlib import suppress
from random import Random
from typing import Final

from companion.simulator.interludes import INTERLUDES
from companion.simulator.interludes.occasion import Occasion
from companion.simulator.people import People
from companion.simulator.simulated_games import Turn
from companion.simulator.soak.befalling import Befalling
from companion.simulator.soak.house import House, save_again
from companion.simulator.soak.mischief import Mischief
from companion.simulator.soak.way_on import SETTLED_MS, WayOn
from companion.simulator.variety import VariedGame
from companion.table.sayings import OfferTakeBack
from engine.legality.board import Piece as Identity
from engine.play.actions import Attack, Infiltrate, Move
from engine.play.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.play.moment import Phase
from engine.ranks import Rank, ranks_in
from engine.sides import Side
from engine.squares import SQUARES
from firmware_bridge.virtual.board import ImpossibleError, Piece

THINKS_MS: Final = (1_000, 2_000, 4_000, 8_000, 12_000, 20_000, 30_000, 60_000)
"""How long people think before a turn, each as often."""
CONTROLS: Final[tuple[TimeControl, ...]] = (
    NO_CLOCK,
    NO_CLOCK,
    TIME_CONTROLS["bronstein"],
    TIME_CONTROLS["total"],
    TIME_CONTROLS["short"],
    TimeControl.of(each=150, delay=5, whole=400),
)
_PLAYS: Final = 0.72
"""How often a turn is just made."""
_INTERLUDES: Final = 0.5
"""How often of all else it is one of the interludes."""
_MISCHIEF_FIRST: Final = 0.3
"""How often something else is done before what the faces ask for."""
_ENDS_AGAIN: Final = 0.2
"""How often the end of a game is taken back."""
_PROVE: Final = 0.5
"""How often sealed armies are proved at the end."""
_UNKEPT: Final = 0.05
"""How often people play on without keeping when the disk fails."""
_WAITS_MS: Final = (1_000, 3_000, 10_000)
"""How long people wait until they try something once more."""
_LONGEST: Final = 200
"""After so many plies they have had enough."""


class Guests:
    """The people of one evening."""

    def __init__(self, house: House, befalling: Befalling, seed: int) -> None:
        """Sit down at the board of a house."""
        self.plies = self.games = 0
        """How much they have played."""
        self._house, self._befalling = house, befalling
        self._seed = seed
        self._dice = Random(f"{seed} guests")
        self._game: VariedGame
        self._kept: dict[int, tuple[VariedGame, dict[Identity, Piece]]] = {}
        """The games with their pieces, by their numbers in the journal."""
        self._people: tuple[object, People] | None = None
        self._way_on = WayOn(house, befalling, {})

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
        """The people at the present session, who know what is printed on the pieces."""
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

    def _mischief(self) -> Mischief:
        return Mischief(self._house, self.people, self._dice)

    # -- a game

    def _begin(self) -> None:
        """Begin a game by other rules, with another clock."""
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
        """Stand both armies up, now and then a piece wrongly at first, and say that they stand."""
        board, game = self._house.board, self._game
        for square, rank in game.ranks.items():
            if board.at(square) is None:
                side = Side.RED if game.red >> square & 1 else Side.BLUE
                piece = self._way_on.pieces.get(square) or Piece(side, rank.symbol)
                self._way_on.pieces[square] = piece
                board.place(piece, square)
        self._house.pass_time(SETTLED_MS)
        for side in Side:
            self.people.be_ready(side)
        self.people.wait_for(lambda: self._house.table.referee.phase is not Phase.SETUP)

    def _end(self) -> None:
        """Take the end back, or look at it for a while and leave."""
        self._house.pass_time(self._dice.choice(THINKS_MS))
        if self._house.table.view.sealed and self._dice.random() < _PROVE:
            for side in Side:
                self.people.prove(side)
        if self._dice.random() < _ENDS_AGAIN:
            for side in Side:
                self.people.say(OfferTakeBack(side))
        if self._plays_on() and self._house.table.referee.phase is Phase.OVER:
            self._house.run(self._house.host.leave)

    def _look_again(self) -> None:
        """Let it be looked once more whether the games can be read, if nothing else has come."""
        self._house.pass_time(self._dice.choice(_WAITS_MS))
        if self._house.is_on and self._house.host.session is None:
            self._house.look_again()

    def _wait_for_the_disk(self) -> None:
        """Try again, or play on without keeping."""
        self._house.pass_time(self._dice.choice(_WAITS_MS))
        if not self._house.host.unsaved:  # the plug was pulled meanwhile
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
            with suppress(ImpossibleError):  # a sensor shows none where a piece stands
                interlude(Occasion(self.people, turn, self._dice))
        else:
            self._mischief().anything(turn)
        if self._plays_on():
            self.plies += max(0, self._house.table.referee.plies - plies)
            self._lead()

    def _plays_on(self) -> bool:
        """Whether there is a game, and nothing lies over it."""
        host = self._house.host
        return self._house.is_on and host.session is not None and not host.unsaved

    def _choose_turn(self) -> Turn | None:
        """Choose a turn that what is printed allows; rather an attack, rather forward."""
        table = self._house.table
        ways = [*table.view.infiltrations]
        if ways and self._dice.random() < _PLAYS:
            return Infiltrate(*self._dice.choice(ways), self._a_rank())
        turns = [each for each in table.referee.legal_moves() if self.people.can_be_made(each)]
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
