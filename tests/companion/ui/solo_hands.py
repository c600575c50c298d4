"""A single player on the simulated board.

The player implements the movement rules independently, and never asks the application for legal
moves.
"""

from collections.abc import Callable
from random import Random

from companion.core.state import Clearing, ToMove
from companion.opponent.levels import Level
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, name, squares_in
from engine.game.game_state import Phase
from engine.game.rulings import Combat
from engine.rules.editions import Edition
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script

Drive = Callable[..., Driver]
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))
FRAME = 0.35
"""Time between two images, in seconds. A move becomes stable within this time."""


class Hands:
    def __init__(self, driver: Driver, seed: int) -> None:
        self.driver, self.dice = driver, Random(seed)
        self.offered: set[tuple[str, str]] = set()
        """For each kind of move to a square marked with a dot: the rank, and "piece" or "empty" for
        the target."""
        self.refused: set[str] = set()
        """Ranks of the pieces whose moves to squares without a dot have been refused."""

    def side_at(self, square: Square) -> Side | None:
        piece = self.driver.tabletop.board.at(square)
        return piece.side if piece else None

    def label_at(self, square: Square) -> str:
        piece = self.driver.tabletop.board.at(square)
        assert piece
        assert piece.label
        return piece.label

    def labels(self) -> dict[Square, str]:
        occupied = self.driver.tabletop.standing.occupied
        return {each: self.label_at(each) for each in squares_in(occupied)}

    def own(self) -> list[Square]:
        return [each for each in SQUARES if self.side_at(each) is Side.RED]

    def reach(self, square: Square) -> set[Square]:
        """Return the squares that a piece's rank allows it to reach, ignoring repetition rules."""
        label = self.label_at(square)
        if label in "FB":
            return set()
        found = set()
        for across, up in STEPS:
            x, y = square % WIDTH, square // WIDTH
            for _ in range(WIDTH if label == "2" else 1):
                x, y = x + across, y + up
                to = y * WIDTH + x
                if not (0 <= x < WIDTH and 0 <= y < WIDTH) or LAKES >> to & 1:
                    break
                if self.side_at(to) is not Side.RED:
                    found.add(to)
                if self.side_at(to):
                    break
        return found

    def can_attack(self, square: Square) -> bool:
        return any(self.side_at(each) is Side.BLUE for each in self.reach(square))

    def not_offered(self, source: Square, dots: set[Square]) -> list[Square]:
        """Return the squares without a dot, except those of the player's own pieces.

        A piece that is dropped on a piece of its own side returns automatically.
        """
        own = {source, *self.own()}
        return [each for each in SQUARES if each not in own | dots]

    @property
    def plies(self) -> int:
        return int(self.driver.app.presenter.table.view.plies)

    def pass_time(self, seconds: float = FRAME) -> None:
        self.driver.script.waiting.append(self.driver.virtual_seen())
        self.driver.pass_time(seconds)
        self.driver.script.waiting.append(self.driver.virtual_seen())
        self.driver.frames(1)
        assert "look away" not in self.driver.texts()
        attacks = self.driver.on_top("attacks")
        offered = attacks.children if attacks else []
        assert all(press.answer.side is Side.RED for press in offered), (
            "the computer answers its own questions"
        )
        assert self.driver.view not in ("declaration", "who-attacks", "dispute")

    def dots(self, square: Square) -> set[Square]:
        """Lift a piece and put it back. Return the squares marked with dots."""
        finger = self.driver.touch_at(*self.driver.on_board(name(square)))
        self.pass_time()
        assert self.driver.face.lifted == square
        board = self.driver.find("board")
        dots = set(squares_in(int(board.ways)))
        x, y = self.driver.on_board(name(square))
        self.driver.slide(finger, x + 20, y)
        self.driver.slide(finger, x, y)
        self.driver.release(finger)
        self.pass_time()
        self.driver.wait(self.is_my_turn)
        return dots

    def drag(self, source: Square, target: Square) -> None:
        self.driver.carry(name(source), name(target))
        self.pass_time()

    def is_my_turn(self) -> bool:
        table = self.driver.app.presenter.table
        stands = self.driver.tabletop.standing == table.expected
        is_ready = isinstance(table.state, ToMove) and table.state.lifted is None
        return is_ready and table.view.to_move is Side.RED and stands

    def is_over(self) -> bool:
        return self.driver.app.presenter.table.view.phase is Phase.OVER

    def wait_for_turn(self) -> None:
        for _ in range(200):
            if self.is_over() or (self.is_my_turn() and self.driver.view == "turn"):
                return
            if self.driver.on_top("end") and self.driver.view == "reveal":
                self.driver.tap("end")
            self.put_right()
            self.pass_time(0.6)
        raise AssertionError(f"stuck on {self.driver.view}: {self.driver.texts()}")

    def put_right(self) -> None:
        """Remove the player's fallen piece after a combat."""
        table = self.driver.app.presenter.table
        if isinstance(table.state, Clearing) and table.state.difference:
            for each in squares_in(table.state.difference.surplus):
                if self.side_at(each) is Side.RED:
                    self.driver.drag(self.driver.on_board(name(each)), (640, 330))

    def try_in_vain(self, source: Square, target: Square) -> None:
        """Set a piece down on a square without a dot.

        The move must be refused, reported and undone.
        """
        table, before = self.driver.app.presenter.table, self.driver.app.presenter.table.view.plies
        label, enemy = self.label_at(source), self.side_at(target)
        stood = self.driver.tabletop.standing
        self.drag(source, target)
        self.pass_time(2.5)
        if self.side_at(source) is None:
            assert self.driver.view == "recovery", (label, name(source), name(target))
            assert not self.driver.on_top("allow_move"), "a person who plays alone has no arbiter"
        assert (table.view.plies, self.is_over()) == (before, False), (label, name(source))
        if self.side_at(source) is None:
            self.drag(target, source)
            if enemy is Side.BLUE:
                self.driver.drag(self.driver.on_tray("blue"), self.driver.on_board(name(target)))
        self.pass_time()
        self.driver.wait(self.is_my_turn)
        assert self.driver.tabletop.standing == stood
        assert self.label_at(source) == label
        self.refused.add(label)

    def play(self, source: Square, target: Square) -> None:
        """Move to a square with a dot. The app must accept the move and not ask for a rank."""
        table = self.driver.app.presenter.table
        before, label = table.view.plies, self.label_at(source)
        is_attack = self.side_at(target) is Side.BLUE
        self.drag(source, target)
        for _ in range(9):
            if table.view.plies > before:
                break
            self.pass_time()
        context = (label, name(source), name(target), self.driver.view, self.driver.texts())
        assert table.view.plies > before, context
        revealed = table.view.revealed
        if isinstance(revealed, Combat) and table.view.plies == before + 1:
            assert revealed.attacker.symbol == label
        self.offered.add((label, "piece" if is_attack else "empty"))
        self.wait_for_turn()


def sit_down(
    drive: Drive, edition: Edition, seed: int, *, level: Level = Level.CADET, **options: object
) -> Hands:
    """Start a game against the computer, with the player's army ready."""
    driver = drive(source=Script.with_simulated_board(), edition=edition, seed=seed, **options)
    driver.connect()
    driver.tap("alone")
    driver.tap_option("levels", level)
    driver.tap("chosen")
    if driver.on_top("yes"):  # another game is unfinished
        driver.tap("yes")
    hands = Hands(driver, seed)
    for _ in range(3):
        hands.pass_time()
    driver.tap_inside("red", "ready")
    for _ in range(20):
        hands.pass_time()
        if driver.view == "turn":
            return hands
    raise AssertionError(f"no game has begun: {driver.texts()}")
