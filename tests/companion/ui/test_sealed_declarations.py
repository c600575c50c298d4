"""With sealed armies, declarations and answers to guesses either match the seals or break them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.core.inputs import CommandInput
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import AnswerGuess, BreakSeals, Declare
from engine.game.game_state import Phase
from engine.rules.editions import EDITIONS
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import (
    INTO_ENEMY_ROWS,
    STANDING,
    after,
    attack_on_screen,
    begin,
    declare,
    infiltrate,
    open_curtain,
    play,
    turn_cards,
)
from tests.companion.ui.sealing import (
    attack_sealed,
    attack_sealed_on_phone,
    begin_sealed,
    begin_to_seal,
    declare_as_sealed,
    draw_up,
    seal,
    seal_on_phone,
    sealed_rank,
)
from tests.companion.ui.tour_of_phones import join, open_phones

Drive = Callable[..., Driver]
NORDIC = replace(EDITIONS["nordic-2015"], sealed_armies=True)


@pytest.fixture
def attacked(driver: Driver) -> Driver:
    """Game with the fort setup, in which Red's general attacks Blue's scout."""
    return attack_sealed(driver)


@pytest.fixture
def on_phone(driver: Driver) -> Driver:
    """Game in which Red, whose army was sealed on a phone, is asked for a rank."""
    return attack_sealed_on_phone(driver)


def sealed_otherwise(driver: Driver, source: str, target: str) -> None:
    """Seal the fort setup for both sides, with two of Red's pieces swapped."""
    begin_to_seal(driver)
    draw_up(driver, Side.RED)
    rows = driver.find("rows")
    driver.drag(*(driver.middle(rows.spot(square(each))) for each in (source, target)))
    driver.tap("seal")
    driver.tap("close")
    seal(driver, Side.BLUE)
    for side in Side:
        driver.tap_inside(side.value, "ready")


@RARE
def test_only_the_sealed_rank_is_offered(attacked: Driver) -> None:
    open_curtain(attacked)
    assert attacked.find("sealed").rank is sealed_rank(Side.RED, "e4")
    assert attacked.on_top("missing") is None
    attacked.hold("sealed", HOLD_SECONDS + 0.1)
    declare_as_sealed(attacked)
    turn_cards(attacked)
    assert "Red wins the combat" in attacked.texts()


@RARE
def test_only_the_fighters_seals_are_opened(attacked: Driver) -> None:
    for _side in Side:
        declare_as_sealed(attacked)
    declarations = [
        each for each in attacked.app.presenter.table.referee.actions if isinstance(each, Declare)
    ]
    commitments = attacked.app.presenter.table.commitments
    for action, piece in zip(declarations, map(square, ("e4", "e7")), strict=True):
        side = action.rank.owner
        commitment = commitments[side]
        opened = [at for at in commitment.commitments if commitment.holds(side, at, action.opening)]
        assert opened == [piece]


@RARE
def test_dispute_about_a_sealed_rank(
    attacked: Driver,
) -> None:
    open_curtain(attacked)
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.MARSHAL)
    assert "This piece was sealed with a different rank." in attacked.texts()
    attacked.tap("again")
    assert attacked.find("sealed").rank is Rank.GENERAL
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.MARSHAL)
    attacked.hold("insist", HOLD_SECONDS + 0.1)
    assert attacked.view == "dispute"
    assert "The seal shows a different rank." in attacked.texts()


@RARE
def test_impossible_sealed_rank_is_refused(attacked: Driver) -> None:
    open_curtain(attacked)
    for button in ("another", "missing"):
        attacked.tap(button)
    attacked.tap_tile("others", Rank.BOMB)
    assert "This piece was sealed with a different rank." in attacked.texts()


@RARE
def test_moved_bomb_is_detected_by_its_seal(driver: Driver) -> None:
    sealed_otherwise(driver, "a2", "e4")
    image = play(driver, STANDING, "e4 e5", "e7 e6", "a4 a5")
    driver.show(after(image, "e6 e5"))
    declare_as_sealed(driver)
    open_curtain(driver)
    assert driver.find("sealed").rank is Rank.BOMB
    driver.hold("sealed", HOLD_SECONDS + 0.1)
    assert "That is impossible" in driver.texts()
    assert "sealed with a different rank" not in driver.texts()
    driver.hold("insist", HOLD_SECONDS + 0.1)
    assert driver.view == "dispute"
    assert "The seal shows the same rank." in driver.texts()


@RARE
def test_player_who_sealed_by_phone_declares_there(on_phone: Driver) -> None:
    assert "Declare on your phone." in on_phone.texts()
    assert "Your phone holds the key to this seal." in on_phone.texts()
    assert on_phone.on_top("hold") is None


@RARE
def test_broken_seal_allows_declarations(on_phone: Driver) -> None:
    on_phone.tap("break_seals")
    assert "Break the seals of Red?" in on_phone.texts()
    on_phone.confirm()
    assert on_phone.app.presenter.table.view.sealed == {Side.BLUE}
    declare(on_phone, Rank.SPY)
    declare_as_sealed(on_phone)
    assert on_phone.view == "reveal"


@RARE
def test_breaking_seals_needs_the_code(on_phone: Driver) -> None:
    on_phone.app.presenter.settings.code = "1234"
    on_phone.tap("break_seals")
    on_phone.enter_code("1111")
    assert on_phone.app.presenter.table.view.sealed == {*Side}
    on_phone.enter_code("1234")
    assert on_phone.app.presenter.table.view.sealed == {Side.BLUE}


@RARE
def test_arbiter_breaks_seals_of_one_side(attacked: Driver) -> None:
    for button in ("menu", "arbiter", "break_blue"):
        attacked.tap(button)
    assert "Break the seals of Blue?" in attacked.texts()
    attacked.confirm()
    assert attacked.app.presenter.table.view.sealed == {Side.RED}
    declare_as_sealed(attacked)
    declare(attacked, Rank.MARSHAL)
    assert attacked.view == "reveal"
    for button in ("menu", "arbiter"):
        attacked.tap(button)
    assert attacked.find("break_blue").disabled
    assert not attacked.find("break_red").disabled


@RARE
def test_broken_seal_closes_the_curtain(attacked: Driver) -> None:
    open_curtain(attacked)
    attacked.app.presenter.submit(CommandInput(attacked.now, BreakSeals(Side.RED)))
    attacked.frames(2)
    assert not attacked.face.is_open
    declare(attacked, Rank.SPY)
    assert attacked.app.presenter.table.conversation.declared == (Side.RED,)


def test_no_seals_to_break(driver: Driver) -> None:
    begin(driver)
    for button in ("menu", "arbiter"):
        driver.tap(button)
    assert driver.on_top("break_red") is None


@RARE
def test_player_who_sealed_on_the_screen_declares_there(driver: Driver) -> None:
    """A phone cannot open a commitment made on the screen."""
    open_phones(driver)
    driver.tap("let_in")
    red = join(driver, Side.RED)
    for button in ("close", "close"):
        driver.tap(button)
    begin_sealed(driver)
    play(driver, STANDING, "e4 e5", "e7 e6")
    red.send({"token": red.token})
    driver.frames(4)
    attack_on_screen(driver, "e5", "e6")
    assert driver.app.presenter.phones.seats[Side.RED], "the phone is connected"
    assert "Declare on your phone." not in driver.texts()
    declare_as_sealed(driver)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)
    red.leave()


def about_to_guess(drive: Drive, seal: Callable[[Driver, Side], object]) -> Driver:
    """Seal both armies with `seal`, and move Red's piece from e4 to f7."""
    driver = drive(edition=NORDIC)
    driver.connect()
    driver.tap("begin")
    driver.show(STANDING)
    for side in Side:
        seal(driver, side)
        driver.tap_inside(side.value, "ready")
    play(driver, STANDING, *INTO_ENEMY_ROWS)
    return driver


@pytest.fixture
def guessed(drive: Drive) -> Driver:
    """Game in which Red's piece has moved from e4 to f7 and correctly guesses the rank of f9."""
    driver = about_to_guess(drive, seal)
    setup = driver.app.presenter.seals.sealed(Side.BLUE)
    assert setup
    infiltrate(driver, "f7", "f9", sealed_rank(Side.BLUE, "f9", setup))
    return driver


@RARE
def test_true_answer_opens_one_seal(guessed: Driver) -> None:
    guessed.tap("right")
    guessed.confirm()
    (answer,) = (
        each
        for each in guessed.app.presenter.table.referee.actions
        if isinstance(each, AnswerGuess)
    )
    assert answer.opening
    commitment = guessed.app.presenter.table.commitments[Side.BLUE]
    assert commitment.holds(Side.BLUE, square("f9"), answer.opening.unseal())
    assert guessed.app.presenter.table.view.phase is not Phase.GUESS


@RARE
def test_false_answer_is_refused_privately(guessed: Driver) -> None:
    guessed.tap("wrong")
    guessed.confirm()
    assert guessed.app.presenter.table.view.phase is Phase.GUESS
    assert "sealed" not in guessed.texts().lower()
    open_curtain(guessed)
    assert "This piece was sealed with this rank: scout." in guessed.texts()


@RARE
def test_phone_seals_are_opened_on_the_phone(drive: Drive) -> None:
    driver = about_to_guess(drive, seal_on_phone)
    infiltrate(driver, "f7", "f9", Rank.MARSHAL)
    assert "Your phone holds the key to this seal." in driver.texts()
    assert driver.on_top("wrong") is None
    driver.tap("right")
    assert "Break the seals of Blue?" in driver.texts()
    driver.confirm()
    driver.tap("wrong")
    driver.confirm()
    assert driver.app.presenter.table.view.phase is not Phase.GUESS
