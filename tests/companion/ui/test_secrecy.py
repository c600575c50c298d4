"""Games that differ in hidden ranks show identical lamps and pixels until the reveal."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from companion.ui.base.base_screen import READING_SECONDS
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.rulings import Contradiction
from engine.rules.editions import DEFAULT
from tests.campaigns import RARE
from tests.companion.ui import playing, sealing
from tests.companion.ui.driver import Driver
from tests.companion.ui.running_app import Script
from tests.companion.ui.tour import simulated_tour

Drive = Callable[..., Driver]


def all_that_is_seen(driver: Driver) -> bytes:
    """Return everything that is public: the screen and the lamps."""
    return driver.pixels() + repr(driver.script.lit).encode()


def public_pictures(driver: Driver, attacker: Rank, defender: Rank) -> Iterator[bytes]:
    """Play an attack with these ranks. Yield a screenshot whenever nothing private is shown."""
    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    driver.show(playing.after(image, "e6 e7"))
    yield all_that_is_seen(driver)
    # A player looks behind the curtain, touches a tile and lets go.
    playing.open_curtain(driver)
    driver.tap_tile("tiles", attacker)
    driver.pass_time(READING_SECONDS + 1)
    yield all_that_is_seen(driver)
    playing.declare(driver, attacker)
    yield all_that_is_seen(driver)
    driver.lose()
    yield all_that_is_seen(driver)
    driver.connect()
    driver.show(playing.after(image, "e6 e7"))
    driver.tap("menu")
    yield all_that_is_seen(driver)
    driver.tap("close")
    playing.open_curtain(driver)
    driver.tap_tile("tiles", defender)
    driver.tap("close")
    yield all_that_is_seen(driver)
    playing.declare(driver, defender)
    assert driver.view == "reveal"


def test_declared_rank_is_invisible(drive: Drive) -> None:
    one = list(public_pictures(drive(), Rank.SPY, Rank.MARSHAL))
    other = list(public_pictures(drive(), Rank.CAPTAIN, Rank.BOMB))
    assert len(one) == len(other) == 6
    assert [a == b for a, b in zip(one, other, strict=True)] == [True] * 6
    assert len(set(one)) > 1


def pictures_of_a_dispute(driver: Driver, insisted: Rank) -> Iterator[bytes]:
    """Attack a defender who stands by a declaration.

    Yield screenshots when nothing private is shown.
    """
    playing.begin(driver)
    image = playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    driver.show(playing.after(image, "e5 e6"))
    playing.declare(driver, Rank.CAPTAIN)
    # The player sees the proof, hesitates and lets go of the curtain.
    playing.open_curtain(driver)
    driver.tap("missing")
    driver.tap_tile("others", insisted)
    driver.pass_time(READING_SECONDS + 1)
    yield all_that_is_seen(driver)
    playing.insist(driver, insisted)
    assert driver.view == "dispute"
    yield all_that_is_seen(driver)
    for button in ("menu", "arbiter", "blue_forfeits"):
        driver.tap(button)
        yield all_that_is_seen(driver)
    driver.tap("no")
    driver.show(playing.after(driver.seen, "a1 a5"), seconds=3.5)
    yield all_that_is_seen(driver)
    driver.tap("declare_again")
    yield all_that_is_seen(driver)
    driver.tap("no")
    driver.tap("counts")
    yield all_that_is_seen(driver)
    driver.confirm()
    assert driver.view == "reveal"


@RARE
def test_upheld_rank_is_invisible(drive: Drive) -> None:
    one = list(pictures_of_a_dispute(drive(), Rank.BOMB))
    other = list(pictures_of_a_dispute(drive(), Rank.FLAG))
    assert len(one) == len(other) == 8
    assert [a == b for a, b in zip(one, other, strict=True)] == [True] * 8
    assert len(set(one)) == 8


def test_silent_defender_is_invisible(drive: Drive) -> None:
    edition = replace(DEFAULT, silent_defence=True)

    def pictures(driver: Driver, defender: Rank) -> Iterator[bytes]:
        playing.begin(driver)
        image = playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
        driver.show(playing.after(image, "e5 e6"))
        playing.declare(driver, Rank.MINER)
        playing.declare(driver, defender)
        assert "stays hidden" in driver.texts()
        yield all_that_is_seen(driver)
        driver.show(playing.after(image, "e5"))
        driver.tap("end")
        yield all_that_is_seen(driver)
        playing.play(driver, driver.seen, "a7 a6", "a4 a5", "e6 e5", "b4 b5")
        yield all_that_is_seen(driver)

    one = list(pictures(drive(edition=edition), Rank.MAJOR))
    other = list(pictures(drive(edition=edition), Rank.MARSHAL))
    assert one == other
    assert len(set(one)) == 3


def test_private_refutation_is_invisible(drive: Drive) -> None:
    edition = replace(DEFAULT, silent_defence=True)

    def pictures(driver: Driver, defender: Rank) -> Iterator[bytes]:
        playing.begin(driver)
        image = playing.play(driver, playing.STANDING, "e4 e5", "k7 k6", "e5 e6", "k6 k5")
        image = playing.defend_in_silence(driver, image, attack="e6 e7", defender=defender)
        yield all_that_is_seen(driver)
        image = playing.play(driver, image, "e7 e6", "e3 e4", "e6 e5")
        yield all_that_is_seen(driver)
        driver.show(playing.after(image, "e4 e5"))
        playing.declare(driver, Rank.SERGEANT)
        yield all_that_is_seen(driver)
        playing.open_curtain(driver)
        assert ("stayed hidden: bomb" in driver.texts()) == (defender is Rank.BOMB)
        driver.pass_time(READING_SECONDS + 1)
        yield all_that_is_seen(driver)
        playing.open_curtain(driver)
        if defender is Rank.BOMB:
            driver.tap("read")
        driver.hold_tile("tiles", Rank.MARSHAL)
        yield all_that_is_seen(driver)

    one = list(pictures(drive(edition=edition), Rank.BOMB))
    other = list(pictures(drive(edition=edition), Rank.MARSHAL))
    assert one == other
    assert len(set(one)) > 3


def pictures_of_simulated_boards(driver: Driver, seed: int) -> list[bytes]:
    driver.app.host.draw = lambda: seed
    pictures = []
    for name in simulated_tour(driver):
        pictures += [driver.pixels()] if name != "simulated-ranks" else []
    board = driver.script.simulated
    assert board
    labels = [piece.label for n in range(40) if (piece := board.at(n)) and piece.side is Side.RED]
    return [*pictures, " ".join(labels).encode()]


@RARE
def test_simulated_board_hides_printed_ranks(drive: Drive, tmp_path: Path) -> None:
    *one, one_army = pictures_of_simulated_boards(drive(source=Script.with_simulated_board()), 1)
    (tmp_path / "games.sqlite").unlink()  # hides the first game from the second setup
    *other, other_army = pictures_of_simulated_boards(
        drive(source=Script.with_simulated_board()), 2
    )
    assert one_army != other_army
    assert one == other


def pictures_of_sealed_armies(driver: Driver, name: str, piece: str) -> Iterator[bytes]:
    """Seal a setup, possibly with two pieces swapped, and attack. Yield public screenshots."""
    sealing.begin_to_seal(driver)
    sealing.draw_up(driver, Side.RED, name)
    rows = driver.find("rows")
    driver.drag(*(driver.middle(rows.spot(square(each))) for each in (piece, "e4")))
    driver.tap("seal")
    yield all_that_is_seen(driver)
    driver.tap("close")
    driver.pass_time(2)
    yield all_that_is_seen(driver)
    sealing.seal(driver, Side.BLUE, name)
    for side in Side:
        driver.tap_inside(side.value, "ready")
    yield all_that_is_seen(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "e7 e6")
    playing.attack_on_screen(driver, "e5", "e6")
    yield all_that_is_seen(driver)
    playing.open_curtain(driver)
    driver.tap("close_sealed")
    yield all_that_is_seen(driver)
    sealing.declare_as_sealed(driver)
    yield all_that_is_seen(driver)
    driver.pass_time(3)
    for button in ("menu", "arbiter"):
        driver.tap(button)
        yield all_that_is_seen(driver)


def test_sealed_ranks_are_invisible(drive: Drive) -> None:
    driver = drive()
    one = list(pictures_of_sealed_armies(driver, sealing.FORT.name, "f4"))
    forget_all(driver)
    other = list(pictures_of_sealed_armies(drive(), sealing.CORNERS.name, "e3"))
    assert one == other
    assert len(set(one)) == len(one) - 1 == 7, "only the closed curtain appears twice"


def forget_all(driver: Driver) -> None:
    """Delete this session's games, because the next session would show them on its screens."""
    driver.journals.close()
    driver.journals.path.unlink()


@RARE
def test_false_opening_is_reported_privately(drive: Drive) -> None:
    def pictures(driver: Driver, *, lies: bool) -> Iterator[bytes]:
        sealing.attack_sealed(driver)
        playing.open_curtain(driver)
        if lies:
            driver.tap("another")
            driver.hold_tile("tiles", Rank.MARSHAL)
            found = driver.app.presenter.table.conversation.contradiction
            assert isinstance(found, Contradiction)
        driver.pass_time(60)
        yield all_that_is_seen(driver)

    driver = drive()
    lying = list(pictures(driver, lies=True))
    forget_all(driver)
    assert lying == list(pictures(drive(), lies=False))
