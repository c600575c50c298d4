"""Everything that can be done by touch can also be done with the keyboard."""

from collections.abc import Callable

import pytest
from kivy.core.window import Window

from companion.session.tabletop import Tabletop
from companion.ui.base.input_devices import ENTER, ESCAPE, TAB
from companion.ui.widgets.board_picture import BoardPicture, PieceTray
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square, squares_in
from engine.board.ranks import Rank
from engine.game.rulings import Declared
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, attack_on_screen, begin, begin_simulated
from tests.companion.ui.running_app import LOOK, Script

Drive = Callable[..., Driver]
UP, DOWN, RIGHT, LEFT = 273, 274, 275, 276
RETURN = 13
assert RETURN in ENTER


class Keys:
    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def down(self, key: int, letter: str | None = None, *modifiers: str) -> None:
        presenter = self.driver.app.presenter
        self.driver.now += LOOK
        self.driver.wait_for_real(lambda: not presenter.is_new)
        Window.dispatch("on_key_down", key, 0, letter, list(modifiers))
        self.driver.frames(1)

    def up(self, key: int) -> None:
        Window.dispatch("on_key_up", key, 0)
        self.driver.frames(4)

    def type(self, *keys: int) -> None:
        for key in keys:
            self.down(key)
            self.up(key)

    def hold(self, key: int, seconds: float) -> None:
        self.down(key)
        self.driver.pass_time(seconds / 2)
        Window.dispatch("on_key_down", key, 0, None, [])  # the operating system repeats a held key
        self.driver.pass_time(seconds / 2)
        self.up(key)

    def letter(self, letter: str) -> None:
        self.down(ord(letter), letter)
        self.up(ord(letter))

    @property
    def focus(self) -> object:
        return self.driver.app.keyboard.focus

    def come_to(self, name: str) -> None:
        """Press Tab until the widget `name` has the focus ring."""
        for _ in range(60):
            if self.focus is self.driver.find(name).__self__:
                return
            self.type(TAB)
        raise AssertionError(f"Tab never reaches {name!r}")


@pytest.fixture
def keys(driver: Driver) -> Keys:
    return Keys(driver)


def test_tab_order(keys: Keys) -> None:
    assert keys.focus is None
    seen: list[object] = []
    while keys.focus not in seen:
        seen.append(keys.focus)
        keys.type(TAB)
    assert len(seen) >= 6
    keys.down(TAB, None, "shift")
    assert keys.focus is seen[-1]


def test_focus_ring_is_visible(keys: Keys) -> None:
    before = keys.driver.pixels()
    keys.type(TAB)
    assert keys.driver.pixels() != before


def test_mouse_hides_the_focus_ring(driver: Driver, keys: Keys) -> None:
    keys.type(TAB)
    driver.tap_at(5, 5)
    assert keys.focus is None


def test_game_started_by_keyboard(driver: Driver, keys: Keys) -> None:
    driver.connect()
    keys.come_to("begin")
    keys.type(RETURN)
    driver.show(STANDING)
    for side in Side:
        ready = driver.find(side.value).ids["ready"].__self__
        while keys.focus is not ready:
            keys.type(TAB)
        keys.type(RETURN)
    driver.wait(lambda: driver.view == "turn")


def test_escape_toggles_the_menu(driver: Driver, keys: Keys) -> None:
    begin(driver)
    keys.type(ESCAPE)
    assert driver.find("red_resigns")
    keys.type(ESCAPE)
    with pytest.raises(AssertionError):
        driver.find("red_resigns")


def test_covered_widgets_get_no_focus(driver: Driver, keys: Keys) -> None:
    begin(driver)
    keys.type(ESCAPE)
    seen: list[object] = []
    while keys.focus not in seen:
        seen.append(keys.focus)
        keys.type(TAB)
    assert driver.face.ids.board.__self__ not in seen
    assert driver.find("close").__self__ in seen


def test_attack_and_declaration_by_keyboard(driver: Driver, keys: Keys) -> None:
    begin(driver)
    keys.come_to("board")
    keys.type(RETURN, UP, UP, UP, RETURN)
    keys.come_to("attack")
    keys.type(RETURN)
    assert driver.view == "declaration"
    keys.come_to("hold")
    keys.hold(RETURN, HOLD_SECONDS + 0.1)
    emitted: list[object] = []
    driver.app.host.listen(emitted.append)
    keys.letter("2")
    tile = keys.focus
    assert getattr(tile, "rank", None) is Rank.SCOUT
    keys.hold(RETURN, HOLD_SECONDS + 0.1)
    assert emitted[0] == Declared(Side.BLUE), (
        "the attacker is a proved scout, so only Blue declares"
    )


def test_short_enter_declares_nothing(driver: Driver, keys: Keys) -> None:
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    keys.come_to("hold")
    keys.hold(RETURN, HOLD_SECONDS + 0.1)
    keys.letter("0")
    assert getattr(keys.focus, "rank", None) is Rank.MARSHAL
    keys.type(RETURN)
    assert driver.app.presenter.table.conversation.question


def test_letter_key_beside_a_printed_rank(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    for source, target in (("e4", "e5"), ("e7", "e6"), ("e5", "e6")):
        driver.carry(source, target)
        driver.show_virtual()
    keys = Keys(driver)
    keys.come_to("hold")
    keys.hold(RETURN, HOLD_SECONDS + 0.1)
    assert driver.on_top("sealed")
    for letter in "5b":
        keys.letter(letter)
    assert driver.view == "declaration"


def test_escape_leaves_the_setup(driver: Driver, keys: Keys) -> None:
    driver.connect()
    driver.tap("begin")
    keys.type(ESCAPE)
    assert driver.view == "start"


def test_keys_during_an_effect(driver: Driver, keys: Keys) -> None:
    begin(driver)
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    assert driver.view == "end"
    keys.type(UP, TAB, DOWN)
    assert keys.focus


def test_letter_key_finds_a_tile_on_another_page(driver: Driver, keys: Keys) -> None:
    for button in ("settings", "accessibility", "letters", "close", "close"):
        driver.tap(button)
    begin(driver)
    attack_on_screen(driver, "e4", "e7")
    keys.come_to("hold")
    keys.hold(RETURN, HOLD_SECONDS + 0.1)
    for rank in (Rank.SCOUT, Rank.SERGEANT, Rank.LIEUTENANT, Rank.MAJOR, Rank.COLONEL):
        keys.letter(rank.symbol)
        assert getattr(keys.focus, "rank", None) is rank


def test_pieces_are_carried_by_keyboard(drive: Callable[..., Driver]) -> None:
    driver = drive(source=Script.with_simulated_board())
    keys = Keys(driver)
    driver.connect()
    keys.come_to("begin")
    keys.type(RETURN)
    keys.come_to("set_up")
    keys.type(RETURN)
    while keys.focus is not driver.app.face.simulated_board:
        keys.type(TAB)
    simulated_board = driver.script.simulated
    assert simulated_board
    keys.type(RETURN)
    assert simulated_board.at(square("e4")) is None, "the piece is lifted"
    keys.type(UP, RETURN)
    assert simulated_board.at(square("e5"))


def test_setup_pieces_are_swapped_by_keyboard(drive: Callable[..., Driver]) -> None:
    driver = drive(source=Script.with_simulated_board())
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    driver.show_virtual()
    driver.tap("setups")
    keys, board = Keys(driver), driver.script.simulated
    assert board
    left, right = square("a4"), square("b4")
    before = board.at(left), board.at(right)
    keys.type(TAB)
    while keys.focus is not driver.find("rows").spot(left):
        keys.type(TAB)
    keys.type(RETURN, RIGHT, RETURN)
    after = board.at(left), board.at(right)
    assert [piece and piece.label for piece in after] == [
        piece and piece.label for piece in reversed(before)
    ]
    keys.type(ESCAPE)
    assert driver.app.face.modals.modal is None


def come_to_board(keys: Keys) -> tuple[Tabletop, BoardPicture]:
    """Press Tab until the simulated board has the focus ring."""
    tabletop, board = keys.driver.app.host.tabletop, keys.driver.app.face.simulated_board
    assert tabletop
    assert board
    while keys.focus is not board:
        keys.type(TAB)
    return tabletop, board


def test_pieces_are_laid_beside_the_board_by_keyboard(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    keys = Keys(driver)
    tabletop, _ = come_to_board(keys)
    keys.type(RETURN, DOWN, DOWN, DOWN, DOWN, RETURN)
    assert len(tabletop.beside[Side.RED]) == 1
    assert not tabletop.standing.occupied >> square("e4") & 1
    keys.type(LEFT, RETURN, UP, UP, UP, UP, RETURN)
    assert not tabletop.beside[Side.RED]
    assert tabletop.standing == STANDING


def test_pieces_beside_the_board_get_focus(drive: Drive) -> None:
    driver = drive(source=Script.with_simulated_board())
    begin_simulated(driver)
    keys = Keys(driver)
    tabletop, board = come_to_board(keys)
    for each in squares_in(STANDING.occupied):
        piece = tabletop.board.lift(each)
        tabletop.beside[piece.side].append(piece)
    keys.type(DOWN, DOWN, DOWN, DOWN)
    reached = []
    for key in [LEFT] * 40 + [RIGHT] * 80:
        keys.down(key)
        piece_there = PieceTray(board).piece_at(*board.to_widget(*driver.app.keyboard._point()))
        if piece_there:
            reached.append(piece_there)
    assert reached[:40] == list(reversed(tabletop.beside[Side.RED]))
    assert reached[-40:] == list(reversed(tabletop.beside[Side.BLUE]))
    assert len(reached) == 40 + 39 + 40
