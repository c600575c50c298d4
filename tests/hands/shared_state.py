"""State that both players share: the board, its sensors, and the commands to the table."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from engine.board.geometry import SQUARES, Side, Square, SquareSet, name, set_of
from engine.board.ranks import Rank
from engine.rules.editions import Edition
from tests.hands.behaviours import Behaviour, Habit
from tests.hands.board import Board, Piece
from tests.hands.profiles import Profile
from tests.hands.responses import Line
from tests.hands.scheduler import Act, Duration, Scheduler
from tests.hands.sensors import Sensors, Sight, Watching


class SharedState:
    """Two players at a table, in one simulated world."""

    def __init__(
        self, profile: Profile, edition: Edition, seed: str, watching: Watching | None = None
    ) -> None:
        """Prepare a game. The same seed always gives the same game.

        `watching` creates the observer of the board, by default the simulated sensors.
        """
        self.profile = profile
        self._seed = seed
        self.dice = Random(f"{seed} hands")
        self.world = Scheduler()
        self.log: list[Line] = []
        """Log of what the hands actually do. It is written only if `is_logged` is set."""
        self.is_logged = False
        self.board = Board(self._changed, self._note)
        self.sensors = watching(self.board.felt) if watching else self._usual_sensors()
        self.ranks = {
            side: dict(zip(home_of(edition, side, seed), _dealt(edition, side, seed), strict=True))
            for side in Side
        }
        self.pieces = {
            (side, square): Piece(side, square) for side in Side for square in self.ranks[side]
        }
        self.done: Counter[str] = Counter()
        """Number of occurrences of each kind of behaviour."""
        self.recent: list[str] = []
        """Behaviours since the list was last cleared."""
        self.in_other_hands: set[Piece] = set()
        """Pieces that a hand is inspecting, straightening or putting back. No other hand may touch
        them."""
        self.looked_at: dict[Piece, Square] = {}
        """Pieces that are lifted for an inspection, with their squares."""
        self.in_air: set[Piece] = set()
        """Pieces that a hand has lifted for the current turn."""
        self.captured: set[Piece] = set()
        """Pieces that have left the game and are beside the board."""
        self.begun: list[Act] = []
        """Activities that were started in parallel with the turns."""
        self.ghosts: set[Square] = set()
        """Edge squares that detect a magnet beside the board."""
        self.is_bumped = False
        """Whether knocked-over pieces are being put back. Play waits until they are back."""
        self.is_calm = True
        """Whether inspections are suspended, as they are before the game and during recovery."""
        self.has_complained = False
        """Whether the table has reported an error in this turn."""
        self.is_undecided = False
        """Whether a player has set a piece down and may still change the move."""
        self.stands_since: dict[Piece, int] = {}
        """Times in milliseconds at which hands set pieces down."""
        self.pushed: set[tuple[Side, Square, Square]] = set()
        """Pushes by a sleeve during this turn: side, source and target of the piece."""
        self.busy: set[Square] = set()
        """Squares that other activities should not touch."""
        self.disturbance: set[str] = set()
        """Current errors on the board. As long as there are any, a complaint is justified."""
        self.disturbance_until = 0
        """Time in milliseconds at which the latest error ended."""
        self.commands: list[Line] = []
        """Commands that still have to be sent to the table."""

    def _usual_sensors(self) -> Sight:
        dice, sees_colours = Random(f"{self._seed} sensors"), self.profile.sees_colours
        return Sensors(self.board.felt, dice, sees_colours=sees_colours)

    @property
    def held_squares(self) -> SquareSet:
        """Squares that no turn may use. Either a player has lifted the piece there for an
        inspection, or the square detects a stray magnet."""
        return set_of({*self.looked_at.values(), *self.ghosts})

    def reseed(self, exchange: int) -> None:
        """Replace the random generator with one that does not depend on earlier draws. From then
        on, the hands act in the same way with every referee.
        """
        self.dice = Random(f"{self._seed} hands {exchange}")

    def _changed(self, square: Square) -> None:
        self.sensors.note(square, self.world.now)

    def _note(self, did: str, square: Square, side: Side) -> None:
        if self.is_logged:
            at = self.world.now / 1000
            self.log.append({"at": at, "did": did, "square": name(square), "side": side.value})

    def begin(self, act: Act, after: int = 0) -> None:
        """Start an activity that runs in parallel with the turns."""
        self.begun.append(self.world.start(act, after))

    # -- habits

    def habit(self, behaviour: Behaviour) -> Habit | None:
        """Decide at random whether a player follows a habit now. Return the habit if so, otherwise
        None."""
        habit = self.profile.habits.get(behaviour)
        if habit is None or self.dice.random() >= habit.chance:
            return None
        return habit

    def did(self, behaviour: Behaviour) -> None:
        """Count an occurrence of a kind of behaviour."""
        self.done[behaviour.value] += 1
        self.recent.append(behaviour.value)
        if self.is_logged:
            self.log.append({"at": self.world.now / 1000, "behaviour": behaviour.value})

    def draw(self, span: Duration) -> int:
        return span.draw(self.dice)

    # -- commands

    def give_command(self, side: Side | None, what: str, **fields: object) -> None:
        """Queue a command for the table, given by voice or on the screen."""
        command = {"side": side.value if side else None, "what": what, **fields}
        self.commands.append({"say": command})

    # -- errors on the board

    def begin_disturbance(self, what: str) -> None:
        """Record that there is an error on the board."""
        self.disturbance.add(what)

    def end_disturbance(self, what: str) -> None:
        self.disturbance.discard(what)
        self.disturbance_until = self.world.now


def home_of(edition: Edition, side: Side, seed: str) -> Iterable[Square]:
    """Choose the setup squares of an army."""
    home = [square for square in SQUARES if side.home >> square & 1]
    return sorted(Random(f"{seed} {side.value} squares").sample(home, edition.army.size))


def _dealt(edition: Edition, side: Side, seed: str) -> list[Rank]:
    """Deal an army to its setup squares, lowest square first."""
    ranks = edition.army.pieces
    dice = Random(f"{seed} {side.value}")
    dice.shuffle(ranks)
    # The flag is not set up in the front row, because the game would then end too soon.
    behind = range(len(ranks) // 2) if side is Side.RED else range(len(ranks) // 2, len(ranks))
    flag, there = ranks.index(Rank.FLAG), dice.choice(behind)
    ranks[flag], ranks[there] = ranks[there], ranks[flag]
    return ranks
