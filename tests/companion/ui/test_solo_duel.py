"""Duels by one person against the program, by touch: dots, refusals and turns follow the ranks.

The player model implements the rules of movement independently. It never asks the program for legal
moves: it plays the moves shown by dots, and tries every square without a dot.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import pytest

from companion.core.recognition_limits import LIMITS
from companion.core.state import Clearing, ToMove
from companion.storage.printed_pieces import FILE
from engine.board.geometry import LAKES, SQUARES, WIDTH, Side, Square, name, square, squares_in
from engine.game.game_state import Phase
from engine.game.rulings import Combat
from engine.rules.editions import EDITIONS, Edition
from tests.companion.ui.driver import Driver, Script

Drive = Callable[..., Driver]
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))
MOST_PLIES = 100
SOME = 2
"""Number of pieces whose dots are checked in most turns."""
FRAME = 0.35
"""Seconds between two images of the board: a move is stable by then."""


class Hands:
    """A person who plays alone, using the ranks drawn on the pieces."""

    def __init__(self, driver: Driver, seed: int) -> None:
        self.driver, self.dice = driver, Random(seed)
        self.offered: set[tuple[str, str]] = set()
        """Ranks for which a move to a dot was played, and whether a piece was on the target."""
        self.refused: set[str] = set()
        """Ranks for which every other square was refused at least once."""

    # Eyes

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
        """The squares that the printed rank can reach, ignoring the repetition rules."""
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
        """Every square without a dot.

        If one's own piece is there, the moved piece returns by itself.
        """
        own = {source, *self.own()}
        return [each for each in SQUARES if each not in own | dots]

    @property
    def plies(self) -> int:
        return int(self.driver.app.presenter.table.view.plies)

    # Hands

    def pass_time(self, seconds: float = FRAME) -> None:
        self.driver.script.waiting.append(self.driver.virtual_seen())
        self.driver.pass_time(seconds)
        self.driver.script.waiting.append(self.driver.virtual_seen())
        self.driver.frames(1)
        assert "look away" not in self.driver.texts()
        attacks = self.driver.on_top("attacks")
        offered = attacks.children if attacks else []
        assert all(press.answer.side is Side.RED for press in offered), "it plays for itself"
        assert self.driver.view not in ("declaration", "who-attacks", "dispute")

    def dots(self, square: Square) -> set[Square]:
        """Lift a piece, check its dots, and put it back."""
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
        """After a combat, remove one's own fallen piece from the board as the screen requests."""
        table = self.driver.app.presenter.table
        if isinstance(table.state, Clearing) and table.state.difference:
            for each in squares_in(table.state.difference.surplus):
                if self.side_at(each) is Side.RED:
                    self.driver.drag(self.driver.on_board(name(each)), (640, 330))

    def try_in_vain(self, source: Square, target: Square) -> None:
        """Set a piece down on a square without a dot: this is refused, reported, and undone."""
        table, before = self.driver.app.presenter.table, self.driver.app.presenter.table.view.plies
        label, enemy = self.label_at(source), self.side_at(target)
        stood = self.driver.tabletop.standing
        self.drag(source, target)
        self.pass_time(2.5)
        if self.side_at(source) is None:
            assert self.driver.view == "way-back", (label, name(source), name(target))
        assert (table.view.plies, self.is_over()) == (before, False), (label, name(source))
        if self.side_at(source) is None:
            self.drag(target, source)
            if enemy is Side.BLUE:
                self.driver.drag(self.driver.on_shelf("blue"), self.driver.on_board(name(target)))
        self.pass_time()
        self.driver.wait(self.is_my_turn)
        assert self.driver.tabletop.standing == stood
        assert self.label_at(source) == label
        self.refused.add(label)

    def play(self, source: Square, target: Square) -> None:
        """Move to a square with a dot: the move counts, and no rank is requested."""
        table = self.driver.app.presenter.table
        before, label = table.view.plies, self.label_at(source)
        is_attack = self.side_at(target) is Side.BLUE
        self.drag(source, target)
        for _ in range(9):
            if table.view.plies > before:
                break
            self.pass_time()
        told = (label, name(source), name(target), self.driver.view, self.driver.texts())
        assert table.view.plies > before, told
        revealed = table.view.revealed
        if isinstance(revealed, Combat) and table.view.plies == before + 1:
            assert revealed.attacker.symbol == label
        self.offered.add((label, "piece" if is_attack else "empty"))
        self.wait_for_turn()


def sit_down(drive: Drive, edition: Edition, seed: int) -> Hands:
    driver = drive(source=Script.with_simulated_board(), edition=edition, seed=seed)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    if driver.on_top("yes"):  # no other game is unfinished
        driver.tap("yes")
    hands = Hands(driver, seed)
    for _ in range(3):
        hands.pass_time()
    driver.tap_inside("red", "ready")
    for _ in range(20):
        hands.pass_time()
        if driver.view == "turn":
            return hands
    raise AssertionError(f"no game begins: {driver.texts()}")


ISF: Final = EDITIONS["isf"]


@pytest.mark.parametrize(
    ("edition", "seed"),
    [
        (ISF.with_army("barrage"), 3),
        (replace(EDITIONS["nordic-2015"].with_army("duel"), silent_defence=True), 25),
    ],
)
def test_a_whole_duel_by_dots_and_against_them(drive: Drive, edition: Edition, seed: int) -> None:
    """Every turn, dots are checked, one is played, and a square without a dot is tried.

    In every fifth turn all dots are checked, in the others only some pieces' dots, preferring
    pieces that can attack. If a piece can attack, it does.
    """
    hands = sit_down(drive, edition, seed)
    while not hands.is_over() and hands.plies < MOST_PLIES:
        dots: dict[Square, set[Square]] = {}
        own = hands.own()
        shuffled = hands.dice.sample(own, len(own))
        for source in sorted(shuffled, key=hands.can_attack, reverse=True):
            if hands.plies % 10 and len(dots) >= SOME and any(dots.values()):
                break
            dots[source] = hands.dots(source)
            assert dots[source] <= hands.reach(source), (hands.label_at(source), name(source))
        source = hands.dice.choice(list(dots))
        hands.try_in_vain(source, hands.dice.choice(hands.not_offered(source, dots[source])))
        turns = [(a, b) for a, found in dots.items() for b in found]
        attacks = [(a, b) for a, b in turns if hands.side_at(b)]
        hands.play(*hands.dice.choice(attacks or turns))
    assert {"2", "3"} <= {label for label, _ in hands.offered}
    assert {"F", "B"} & hands.refused
    assert "piece" in {what for _, what in hands.offered}


def test_everything_that_is_not_offered_is_refused(drive: Drive) -> None:
    """Squares without a dot are tried for one piece of each rank, both near and far."""
    hands = sit_down(drive, ISF.with_army("barrage"), 3)
    for source in {hands.label_at(each): each for each in hands.own()}.values():
        dots = hands.dots(source)
        assert dots == hands.reach(source), hands.label_at(source)
        for target in hands.dice.sample(hands.not_offered(source, dots), 5):
            hands.try_in_vain(source, target)
    assert hands.plies == 0


def has_moved(hands: Hands) -> bool:
    return hands.plies > 0


def test_every_dot_can_be_played(drive: Drive) -> None:
    """Each dot of the first turn is played in a game of its own."""
    first = sit_down(drive, ISF.with_army("barrage"), 3)
    offered = [(each, dot) for each in first.own() for dot in first.dots(each)]
    for source, target in first.dice.sample(offered, 12):
        hands = sit_down(drive, ISF.with_army("barrage"), 3)
        hands.drag(source, target)
        hands.driver.wait(partial(has_moved, hands))


@pytest.fixture
def hands(drive: Drive) -> Hands:
    return sit_down(drive, ISF.with_army("barrage"), 3)


def test_a_bomb_left_elsewhere_is_refused_and_does_not_lose(hands: Hands) -> None:
    bomb = next(each for each in hands.own() if hands.label_at(each) == "B")
    hands.drag(bomb, square("e5"))
    hands.pass_time(LIMITS.moved_bomb_loses_seconds + 1)
    assert hands.driver.view == "way-back"
    assert not hands.is_over()
    hands.drag(square("e5"), bomb)
    hands.driver.wait(hands.is_my_turn)


def test_exchanged_pieces_stand_again_where_the_referee_has_them(hands: Hands) -> None:
    one, other = hands.own()[:2]
    labels = [hands.label_at(each) for each in (one, other)]
    assert labels[0] != labels[1]
    board = hands.driver.tabletop.board
    pieces = board.lift(one), board.lift(other)
    for piece, where in zip(pieces, (other, one), strict=True):
        board.place(piece, where)
    hands.pass_time()
    assert [hands.label_at(each) for each in (one, other)] == labels


def test_no_finger_moves_the_pieces_of_the_program(hands: Hands) -> None:
    stood = hands.driver.tabletop.standing
    for each in squares_in(stood.blue):
        hands.drag(each, square("e5"))
    assert hands.driver.tabletop.standing == stood
    assert hands.plies == 0


def test_the_ranks_count_after_a_restart_without_the_file_of_ranks(
    hands: Hands, drive: Drive
) -> None:
    labels = {each: hands.label_at(each) for each in hands.own()}
    hands.driver.shelf.path.with_name(FILE).unlink()
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("resume")
    again = Hands(driver, 1)
    again.pass_time()
    again.wait_for_turn()
    assert {each: again.label_at(each) for each in again.own()} == labels
    for each, label in labels.items():
        assert bool(again.dots(each)) == (label not in "FB")


def test_resumed_solo_game_keeps_its_ranks(hands: Hands, drive: Drive) -> None:
    labels = hands.labels()
    other = sit_down(drive, ISF.with_army("barrage"), 4)
    assert other.labels() != labels
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("games")
    driver.tap_at(*driver.middle(driver.find("rows").children[-2]))
    again = Hands(driver, 1)
    again.pass_time()
    again.wait_for_turn()
    assert again.labels() == labels
    for each in again.own():
        assert bool(again.dots(each)) == (labels[each] not in "FB")


def test_nobody_chooses_a_turn_for_the_program(hands: Hands) -> None:
    source, dots = next((each, dots) for each in hands.own() if (dots := hands.dots(each)))
    empty = next(each for each in dots if hands.side_at(each) is None)
    hands.driver.carry(name(source), name(empty))
    hands.driver.show_virtual()
    assert hands.driver.app.presenter.table.view.to_move is Side.BLUE
    blue = next(squares_in(hands.driver.tabletop.standing.blue))
    hands.driver.tap_at(*hands.driver.on_board(name(blue)))
    assert hands.driver.face.chosen is None
