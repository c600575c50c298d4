"""Games against each difficulty level of the computer, which thinks in a background thread."""

from collections.abc import Callable
from typing import Final

import pytest

from companion.opponent.levels import Level
from companion.session import computer_side
from companion.speech.small_texts import OPPONENTS
from engine.board.geometry import Side, name, square, squares_in
from engine.board.ranks import SYMBOLS, Rank
from engine.game.actions import AnswerGuess, Infiltrate, Move
from engine.rules.editions import EDITIONS, Edition
from tests.campaigns import RARE, Campaign, slow_after_first
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import infiltrate
from tests.companion.ui.running_app import Script
from tests.companion.ui.solo_hands import Hands, sit_down

Drive = Callable[..., Driver]
ISF: Final = EDITIONS["isf"]
BARRAGE: Final = ISF.with_army("barrage")
MOST_PLIES: Final = 400
GAMES = Campaign("alone", 1, 40)


def play_on(hands: Hands) -> None:
    """Make a legal move, preferably an attack."""
    turns = [(source, to) for source in hands.own() for to in hands.reach(source)]
    dots = {
        source: set(squares_in(hands.driver.app.presenter.table.ways(source)))
        for source, _ in turns
    }
    legal = [(source, to) for source, to in turns if to in dots[source]]
    attacks = [(source, to) for source, to in legal if hands.side_at(to) is Side.BLUE]
    hands.play(*hands.dice.choice(attacks or legal))


def play_to_the_end(hands: Hands) -> None:
    while not hands.is_over() and hands.plies < MOST_PLIES:
        play_on(hands)


def armies() -> list[tuple[Level, Edition]]:
    editions = [BARRAGE, ISF.with_army("duel"), EDITIONS["nordic-2015"], *EDITIONS.values()]
    return [(level, edition) for edition in editions for level in Level]


@GAMES
def test_games_against_each_level(drive: Drive) -> None:
    """The computer's army is hidden until the end."""
    for number, (level, edition) in enumerate(armies()[: GAMES.size]):
        hands = sit_down(drive, edition, 31 + number, level=level)
        driver = hands.driver
        assert driver.app.host.players.level is level
        assert not driver.tabletop.shows(Side.BLUE)
        play_to_the_end(hands)
        for _ in range(9):
            if driver.view == "end":
                break
            if driver.on_top("end"):
                driver.tap("end")
            hands.pass_time(1.0)
        if hands.is_over():
            assert driver.view == "end"
            assert driver.tabletop.shows(Side.BLUE)
            blue = driver.app.presenter.table.view.board.blue
            assert set(squares_in(blue)) <= driver.find("board").ranks.keys()


@RARE
def test_level_is_remembered(drive: Drive) -> None:
    hands = sit_down(drive, BARRAGE, 3, level=Level.MARSHAL)
    assert OPPONENTS[Level.MARSHAL].name == hands.driver.app.host.players.blue
    driver = drive(source=Script.with_simulated_board())
    assert "Augusta · Marshal" in driver.texts()
    driver.tap("alone")
    assert "Forgets nothing" in driver.texts()
    driver.tap_option("levels", Level.RECRUIT)
    assert "Loves to attack" in driver.texts()
    driver.tap("close")
    driver = drive(source=Script.with_simulated_board())
    assert "Pip · Recruit" in driver.texts()


@RARE
def test_resumed_game_keeps_its_level(drive: Drive) -> None:
    sit_down(drive, BARRAGE, 3, level=Level.RECRUIT)
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    driver.tap("alone")
    driver.tap_option("levels", Level.MARSHAL)
    driver.tap("close")
    driver.tap("resume")
    driver.pass_time(1)
    assert driver.app.host.players.level is Level.RECRUIT


def test_setup_pieces_of_the_computer_stay(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board(), edition=ISF)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    blue = {at: driver.tabletop.board.at(at) for at in squares_in(Side.BLUE.home)}
    for source in (60, 75, 99):
        driver.carry(name(source), "e5")
    driver.tap("set_up")
    driver.show_virtual()
    labels = {at: piece and piece.label for at, piece in blue.items()}
    standing = {at: driver.tabletop.board.at(at) for at in squares_in(Side.BLUE.home)}
    assert {at: piece and piece.label for at, piece in standing.items()} == labels


class HeldWorker(computer_side.BackgroundWorker[computer_side.Decision]):
    """Worker that can hold back its results."""

    is_held = False
    started = 0

    def start(self, job: Callable[[], computer_side.Decision]) -> None:
        self.started += 1
        super().start(job)

    @property
    def is_done(self) -> bool:
        return not self.is_held and super().is_done


def after_first_move(drive: Drive, worker: HeldWorker) -> Hands:
    hands = sit_down(drive, BARRAGE, 3, worker=worker)
    source = next(each for each in hands.own() if hands.reach(each))
    empty = next(to for to in hands.reach(source) if hands.side_at(to) is None)
    hands.drag(source, empty)
    hands.driver.wait(lambda: hands.plies == 1)
    return hands


def test_screen_is_responsive_while_the_computer_thinks(drive: Drive) -> None:
    worker = HeldWorker()
    worker.is_held = True
    hands = after_first_move(drive, worker)
    for _ in range(10):
        hands.pass_time(0.5)
    assert hands.plies == 1
    hands.driver.tap("menu")
    assert hands.driver.on_top("red_resigns")
    hands.driver.tap("close")
    worker.is_held = False
    hands.driver.wait_for_real(lambda: worker.is_done)
    hands.pass_time()
    hands.wait_for_turn()
    assert hands.plies == 2


@RARE
def test_late_computer_move_is_replaced(drive: Drive) -> None:
    worker = HeldWorker()
    worker.is_held = True
    hands = after_first_move(drive, worker)
    for _ in range(round(computer_side.DEADLINE / 0.5) + 3):
        hands.pass_time(0.5)
    hands.wait_for_turn()
    assert hands.plies == 2


def test_outdated_computer_move_is_dropped(drive: Drive) -> None:
    worker = HeldWorker()
    worker.is_held = True
    hands = after_first_move(drive, worker)
    hands.pass_time(0.5)
    for button in ("menu", "red_take_back", "yes"):
        hands.driver.tap(button)
    for _ in range(6):
        hands.pass_time(0.5)
    worker.is_held = False
    table = hands.driver.app.presenter.table
    assert table.view.to_move is Side.RED
    hands.wait_for_turn()
    hands.pass_time(3)
    assert hands.plies == 0


@pytest.mark.parametrize("error", slow_after_first("variants", [ValueError, RuntimeError]))
def test_computer_player_error_does_not_stop_the_game(
    drive: Drive, error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    class FailingWorker(computer_side.BackgroundWorker[computer_side.Decision]):
        def start(self, _job: Callable[[], computer_side.Decision]) -> None:
            def fail() -> computer_side.Decision:
                raise error

            super().start(fail)

    hands = sit_down(drive, BARRAGE, 3, worker=FailingWorker())
    play_on(hands)
    assert hands.plies == 2
    assert "the computer player failed" in caplog.text


def test_computer_move_delay(drive: Drive) -> None:
    hands = sit_down(drive, BARRAGE, 3)
    source = next(each for each in hands.own() if hands.reach(each))
    empty = next(to for to in hands.reach(source) if hands.side_at(to) is None)
    hands.drag(source, empty)
    hands.driver.wait(lambda: hands.plies == 1)
    began = hands.driver.now
    actions = hands.driver.app.presenter.table.referee.actions
    answered = len(actions) + 1
    blue = hands.driver.tabletop.standing.blue
    hands.driver.wait(
        lambda: len(actions) >= answered or hands.driver.tabletop.standing.blue != blue
    )
    assert hands.driver.now - began + 0.5 >= computer_side.MIN_TURN_SECONDS
    assert hands.driver.now - began <= computer_side.MAX_TURN_SECONDS + 0.5


def test_solo_take_back(drive: Drive) -> None:
    hands = sit_down(drive, BARRAGE, 3)
    stood = hands.driver.tabletop.standing
    source = next(each for each in hands.own() if hands.reach(each))
    empty = next(to for to in hands.reach(source) if hands.side_at(to) is None)
    hands.play(source, empty)
    assert hands.plies == 2
    hands.driver.tap("menu")
    assert "Red takes back a move" in hands.driver.texts()
    hands.driver.tap("red_take_back")
    assert "If the other side has answered, its move is taken back as well." in hands.driver.texts()
    assert "has to agree" not in hands.driver.texts()
    hands.driver.tap("yes")
    for _ in range(8):
        hands.pass_time(0.5)
    assert hands.plies == 0
    assert hands.driver.tabletop.standing == stood
    assert hands.is_my_turn()


class ScriptedWorker(computer_side.ImmediateWorker[computer_side.Decision]):
    """Worker that returns the given decisions in turn."""

    def __init__(self, *decisions: computer_side.Decision) -> None:
        super().__init__()
        self.left = [*decisions]

    def start(self, _job: Callable[[], computer_side.Decision]) -> None:
        decision = self.left[0]
        super().start(lambda: decision)

    @property
    def result(self) -> computer_side.Decision:
        return self.left.pop(0)


def moves(*ways: str) -> list[Move]:
    return [Move(*way.split()) for way in ways]


def stand_on(driver: Driver, rank: Rank, where: str) -> None:
    """During setup, swap two of the player's pieces so that `rank` stands on the square `where`."""
    board = driver.tabletop.board
    symbols = {at: piece.label for at in squares_in(Side.RED.home) if (piece := board.at(at))}
    source = next(at for at, symbol in symbols.items() if symbol == rank.symbol)
    if source != square(where):
        one, other = board.lift(source), board.lift(square(where))
        board.place(one, square(where))
        board.place(other, source)


def begin_nordic(drive: Drive, worker: computer_side.Worker[computer_side.Decision]) -> Hands:
    """Begin a game with infiltrators, one of them on e4."""
    source, edition = Script.with_simulated_board(), EDITIONS["nordic-2015"]
    driver = drive(source=source, edition=edition, worker=worker)
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    stand_on(driver, Rank.INFILTRATOR, "e4")
    driver.show_virtual()
    driver.tap_inside("red", "ready")
    hands = Hands(driver, 1)
    for _ in range(9):
        hands.pass_time()
    assert driver.view == "turn"
    return hands


@pytest.mark.parametrize("right", slow_after_first("variants", [True, False]))
@RARE
def test_computer_answers_a_guess(drive: Drive, *, right: bool) -> None:
    worker = ScriptedWorker(*moves("f7 f6", "f6 f5", "a7 a6", "a6 a5", "a5 a6"))
    hands = begin_nordic(drive, worker)
    for source, target in (("e4", "e5"), ("e5", "e6"), ("e6", "f6"), ("f6", "f7")):
        hands.play(square(source), square(target))
    rank = SYMBOLS[hands.label_at(square("f8"))]
    guess = rank if right else next(r for r in Rank if r not in (rank, Rank.BOMB, Rank.FLAG))
    infiltrate(hands.driver, "f7", "f8", guess)
    for _ in range(9):
        hands.pass_time()
    actions = hands.driver.app.presenter.table.referee.actions
    answers = [action for action in actions if isinstance(action, AnswerGuess)]
    assert [answer.right for answer in answers] == [right]


@pytest.mark.parametrize("right", slow_after_first("variants", [True, False]))
def test_guess_by_the_computer(drive: Drive, *, right: bool) -> None:
    worker = ScriptedWorker(*moves("e7 e6", "e6 e5", "e5 e4"))
    hands = begin_nordic(drive, worker)
    for source, target in (("e4", "e5"), ("e5", "f5"), ("f5", "f6")):
        hands.play(square(source), square(target))
    rank = SYMBOLS[hands.label_at(square("e3"))]
    guess = rank if right else next(r for r in Rank if r not in (rank, Rank.BOMB, Rank.FLAG))
    worker.left.append(Infiltrate(square("e4"), square("e3"), guess))
    hands.drag(square("a4"), square("a5"))
    for _ in range(12):
        hands.pass_time()
        assert hands.driver.view != "guess"
    assert hands.plies == 8
    assert (hands.side_at(square("e3")) is None) is right
