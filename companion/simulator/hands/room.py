"""What both people share: the board, its sensors, and what may be said to the referee."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from companion.simulator.hands.behaviours import Behaviour, Habit
from companion.simulator.hands.board import Board, Piece
from companion.simulator.hands.contract import Line
from companion.simulator.hands.profiles import Profile
from companion.simulator.hands.sensors import Sensors
from companion.simulator.hands.sight import Sight, Watching
from companion.simulator.hands.spans import Span
from companion.simulator.hands.world import Act, World
from engine.ranks import Rank
from engine.rulebook.editions import Edition
from engine.sides import Side
from engine.squares import SQUARES, Square, SquareSet, name, set_of


class Room:
    """A table with two people at it, as one world."""

    def __init__(
        self, profile: Profile, edition: Edition, seed: str, watching: Watching | None = None
    ) -> None:
        """Prepare a game of these players; the same seed gives the same game.

        `watching` makes what the board is seen by, if not by sensors that are only thought of.
        """
        self.profile = profile
        self._seed = seed
        self.dice = Random(f"{seed} hands")
        self.world = World()
        self.log: list[Line] = []
        """Log of the true motions of the hands, if it is kept."""
        self.is_logged = False
        """Whether what the hands do is kept."""
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
        """How often each behaviour has occurred."""
        self.recent: list[str] = []
        """What was done since somebody last emptied this list."""
        self.in_other_hands: set[Piece] = set()
        """Pieces that somebody straightens or is about to mend: nobody else touches them."""
        self.looked_at: dict[Piece, Square] = {}
        """Pieces that are held for a look, by the squares to which they go back."""
        self.in_air: set[Piece] = set()
        """Pieces that a hand has lifted for the turn that is made."""
        self.captured: set[Piece] = set()
        """Pieces that have left the game and lie beside the board."""
        self.begun: list[Act] = []
        """Activities beside the turns that may still go on."""
        self.ghosts: set[Square] = set()
        """Edge squares that show a magnet beside the board."""
        self.is_bumped = False
        """Whether knocked pieces are being put back: play waits for that."""
        self.is_calm = True
        """Whether looks are suspended, as before the game and during recovery."""
        self.is_told = False
        """Whether the table has reported that something is wrong, since the last turn began."""
        self.is_undecided = False
        """Whether a piece has been set down by somebody who may yet think better."""
        self.stands_since: dict[Piece, int] = {}
        """When hands have set the pieces down, in milliseconds."""
        self.pushed: set[tuple[Side, Square, Square]] = set()
        """What a sleeve has pushed during this turn: whose, from where, to where."""
        self.busy: set[Square] = set()
        """Squares that somebody is about to use, so that nobody else should."""
        self.trouble: set[str] = set()
        """What is really not as it should be: while anything is, a complaint is none."""
        self.trouble_until = 0
        """When the latest trouble was over, in milliseconds."""
        self.sayings: list[Line] = []
        """What has been said and the table has not heard."""

    def _usual_sensors(self) -> Sight:
        dice, sees_colours = Random(f"{self._seed} sensors"), self.profile.sees_colours
        return Sensors(self.board.felt, dice, sees_colours=sees_colours)

    @property
    def held_squares(self) -> SquareSet:
        """The squares of pieces that are looked at, and of ghosts: no turn may need them."""
        return set_of({*self.looked_at.values(), *self.ghosts})

    def throw_anew(self, exchange: int) -> None:
        """Take dice that do not know what was thrown before.

        So the hands go on alike before every referee, whatever that has made of them so far.
        """
        self.dice = Random(f"{self._seed} hands {exchange}")

    def _changed(self, square: Square) -> None:
        self.sensors.note(square, self.world.now)

    def _note(self, did: str, square: Square, side: Side) -> None:
        if self.is_logged:
            at = self.world.now / 1000
            self.log.append({"at": at, "did": did, "square": name(square), "side": side.value})

    def begin(self, act: Act, after: int = 0) -> None:
        """Start something beside the turns; the room remembers it until it has ended."""
        self.begun.append(self.world.start(act, after))

    # -- habits

    def habit(self, behaviour: Behaviour) -> Habit | None:
        """Throw the dice whether somebody does this now; None if not."""
        habit = self.profile.habits.get(behaviour)
        if habit is None or self.dice.random() >= habit.chance:
            return None
        return habit

    def did(self, behaviour: Behaviour) -> None:
        """Count that it was done."""
        self.done[behaviour.value] += 1
        self.recent.append(behaviour.value)
        if self.is_logged:
            self.log.append({"at": self.world.now / 1000, "behaviour": behaviour.value})

    def draw(self, span: Span) -> int:
        """Draw a duration in milliseconds."""
        return span.draw(self.dice)

    # -- words

    def say(self, side: Side | None, what: str, **fields: object) -> None:
        """Say something to the table, by voice or by finger."""
        said = {"side": side.value if side else None, "what": what, **fields}
        self.sayings.append({"say": said})

    # -- trouble

    def begin_trouble(self, what: str) -> None:
        """Something is wrong on the board from now on."""
        self.trouble.add(what)

    def end_trouble(self, what: str) -> None:
        """It is right again."""
        self.trouble.discard(what)
        self.trouble_until = self.world.now


def home_of(edition: Edition, side: Side, seed: str) -> Iterable[Square]:
    """Choose the squares on which an army sets up."""
    home = [square for square in SQUARES if side.home >> square & 1]
    return sorted(Random(f"{seed} {side.value} squares").sample(home, edition.army.size))


def _dealt(edition: Edition, side: Side, seed: str) -> list[Rank]:
    """Deal an army onto its squares, the lowest square first."""
    ranks = edition.army.pieces
    dice = Random(f"{seed} {side.value}")
    dice.shuffle(ranks)
    # Nobody sets the flag up in front, where a game would be over soon.
    behind = range(len(ranks) // 2) if side is Side.RED else range(len(ranks) // 2, len(ranks))
    flag, there = ranks.index(Rank.FLAG), dice.choice(behind)
    ranks[flag], ranks[there] = ranks[there], ranks[flag]
    return ranks
