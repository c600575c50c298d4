"""The data that opens sealed setups is kept, and proves the setups after the game."""

from collections.abc import Callable

import pytest

from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.rules.editions import DEFAULT
from tests.campaigns import RARE
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, begin, declare, open_curtain, turn_cards
from tests.companion.ui.sealing import (
    CORNERS,
    FORT,
    armies_in,
    attack_sealed,
    attack_sealed_on_phone,
    declare_as_sealed,
    seal,
    sealed_rank,
)

Drive = Callable[..., Driver]


@pytest.fixture
def attacked(driver: Driver) -> Driver:
    """Game with the fort setup, in which Red's general attacks Blue's scout."""
    return attack_sealed(driver)


@pytest.fixture
def on_phone(driver: Driver) -> Driver:
    """Game in which Red, whose army was sealed on a phone, is asked for a rank."""
    return attack_sealed_on_phone(driver)


@RARE
def test_openings_survive_a_restart(attacked: Driver, drive: Drive) -> None:
    seen = attacked.seen
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(seen)
    declare_as_sealed(driver)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)


@RARE
def test_new_game_keeps_the_seals_of_the_saved_one(attacked: Driver) -> None:
    seen = attacked.seen
    for button in ("menu", "leave", "begin", "yes"):
        attacked.tap(button)
    attacked.show(STANDING)
    seal(attacked, Side.RED, CORNERS.name)
    for button in ("back", "yes", "resume"):
        attacked.tap(button)
    attacked.show(seen)
    open_curtain(attacked)
    assert attacked.find("sealed").rank is sealed_rank(Side.RED, "e4")


@RARE
def test_an_abandoned_game_keeps_its_openings(attacked: Driver) -> None:
    path = attacked.journals.path.with_name("seals.txt")
    assert len(armies_in(path)) == 2
    for button in ("menu", "leave"):
        attacked.tap(button)
    attacked.app.presenter.settings.edition = DEFAULT
    begin(attacked)
    assert len(armies_in(path)) == 2, "the first game can still be resumed"


@RARE
def test_damaged_openings_file_is_reported(attacked: Driver, drive: Drive) -> None:
    attacked.journals.path.with_name("seals.txt").write_text("{")
    seen = attacked.seen
    driver = drive()
    driver.connect()
    driver.tap("resume")
    driver.show(seen)
    assert "seals-damaged.txt" in driver.texts()
    driver.tap("break_seals")
    driver.confirm()
    declare(driver, Rank.SPY)
    assert driver.app.presenter.table.conversation.declared == (Side.RED,)


def resign(driver: Driver) -> None:
    for button in ("menu", "red_resigns"):
        driver.tap(button)
    driver.confirm()
    assert driver.view == "end"
    driver.pass_time(4)


def prove(driver: Driver, side: Side) -> None:
    driver.tap(f"{side.value}_setup")
    driver.confirm()


@RARE
def test_proved_setup_is_public(attacked: Driver) -> None:
    for _side in Side:
        declare_as_sealed(attacked)
    turn_cards(attacked)
    resign(attacked)
    attacked.tap("red_setup")
    assert "Show Red's setup?" in attacked.texts()
    attacked.tap("no")
    assert not attacked.app.presenter.table.view.proved
    prove(attacked, Side.RED)
    assert "match everything its pieces did" in attacked.texts()
    shown = attacked.find("rows")
    assert shown.setup == FORT.setup
    attacked.tap("close")
    board = attacked.app.presenter.table.view.board
    assert attacked.face.ranks == {
        at: sealed_rank(Side.RED, "e4") if at == square("e6") else FORT.setup.ranks[at]
        for at in board.standing(Side.RED).values()
    }
    assert attacked.on_top("take_back") is None, "a proved setup cannot be taken back"
    attacked.tap("red_setup")
    assert attacked.find("rows").setup == FORT.setup, "the setup can be viewed again"
    attacked.tap("close")
    path = attacked.journals.path.with_name("seals.txt")
    assert len(armies_in(path)) == 1, "openings are deleted after the proof"
    prove(attacked, Side.BLUE)
    assert {*attacked.app.presenter.table.view.proved} == {*Side}


@RARE
def test_no_proof_before_the_end_or_with_broken_seals(attacked: Driver) -> None:
    for button in ("menu", "arbiter", "break_blue"):
        attacked.tap(button)
    attacked.confirm()
    resign(attacked)
    assert attacked.on_top("red_setup")
    assert attacked.on_top("blue_setup") is None


@RARE
def test_army_sealed_by_phone_is_proved_there(on_phone: Driver) -> None:
    resign(on_phone)
    assert on_phone.on_top("red_setup") is None
    assert on_phone.on_top("blue_setup")


@RARE
def test_contradictions_of_a_proof_are_marked(attacked: Driver) -> None:
    """Blue stands by a declaration that contradicts the seal, and the arbiter accepts it."""
    declare_as_sealed(attacked)
    open_curtain(attacked)
    attacked.tap("another")
    attacked.hold_tile("tiles", Rank.SPY)
    attacked.hold("insist", HOLD_SECONDS + 0.1)
    attacked.tap("counts")
    attacked.confirm()
    turn_cards(attacked)
    resign(attacked)
    prove(attacked, Side.BLUE)
    assert "The army breaks the rules" in attacked.texts()
    framed = [each.square for each in attacked.find("rows").children if each.chosen]
    assert framed == [square("f4")], "f4 on the dialog's board is e7 from Blue's side"
