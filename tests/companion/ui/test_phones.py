"""Phones in games on the touchscreen, over real sockets."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain

import pytest

from companion import pads
from companion.pads.pads import RESTARTS
from companion.pads.protocols import PATIENCE
from companion.ui.base.pads import NetworkOptions, Wifi
from companion.ui.dialogs.pad_dialogs import QUIET, PadsDialog, modules_of
from engine.board.geometry import Side
from engine.board.ranks import Rank
from tests.campaigns import RARE
from tests.companion.pads.phone import GoneError, Phone
from tests.companion.ui import playing
from tests.companion.ui.driver import Driver
from tests.companion.ui.tour_of_phones import WIFI, join, open_phones

Drive = Callable[..., Driver]


@pytest.fixture
def opened(driver: Driver) -> Driver:
    """The screen that shows the pairing codes."""
    open_phones(driver)
    driver.tap("let_in")
    return driver


def leave_settings(driver: Driver) -> None:
    for button in ("close", "close"):
        driver.tap(button)


def attack(driver: Driver, *, phones: str) -> dict[Side, Phone]:
    """Connect the players' phones, and attack e7 with Red's piece on e6.

    Red is asked for the attacker's rank.
    """
    found = {side: join(driver, side) for side in Side if side.value in phones}
    leave_settings(driver)
    playing.begin(driver)
    playing.play(driver, playing.STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    playing.attack_on_screen(driver, "e6", "e7")
    for phone in found.values():
        phone.send({"token": phone.token})
    driver.frames(4)
    return found


def answer(driver: Driver, phone: Phone, rank: str) -> None:
    """Declare a rank on a phone, and wait until the table has received it."""
    phone.listen()
    (asked,) = phone.look()["asks"]
    phone.choose(next(each for each in asked["choices"] if each.get("rank") == rank))
    driver.wait_for_real(lambda: phone.side in driver.app.presenter.table.conversation.declared)


def is_served(address: str) -> bool:
    host, _, port = address.removeprefix("http://").partition("/")[0].rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_no_pads_before_phones_are_allowed(driver: Driver) -> None:
    playing.begin(driver)
    assert driver.app.presenter.phones._pads is None
    assert not driver.app.presenter.phones.seats


@RARE
def test_one_touch_toggles_phones(opened: Driver) -> None:
    address = opened.find("code").text
    assert is_served(address)
    opened.tap("shut_out")
    assert not is_served(address)
    assert "accepts no connections from the network" in opened.texts()
    opened.tap("let_in")
    assert is_served(opened.find("code").text)
    assert opened.find("code").text != address


def test_closing_the_codes_keeps_phones(drive: Drive) -> None:
    driver = drive()
    open_phones(driver)
    driver.tap("let_in")
    address = driver.find("code").text
    leave_settings(driver)
    assert is_served(address)
    drive()
    assert not is_served(address)


def test_phones_allowed_by_option(drive: Drive) -> None:
    driver = drive(reach=NetworkOptions(pads.ListenAddress("127.0.0.1", 0), at_once=True))
    open_phones(driver)
    assert is_served(driver.find("code").text)


def test_busy_port_is_explained(drive: Drive) -> None:
    with taken_port() as port:
        driver = drive(reach=NetworkOptions(pads.ListenAddress("127.0.0.1", port)))
        open_phones(driver)
        driver.tap("let_in")
        assert f"Another program is using port {port}." in driver.texts()
    driver.tap("let_in")
    assert is_served(driver.find("code").text)


@RARE
def test_stopped_phone_server_is_reported(opened: Driver) -> None:
    """The server is restarted a few times before it is reported as stopped."""
    for _ in range(RESTARTS + 1):
        assert "are no longer available" not in opened.texts()
        opened.app.presenter.phones._opened._link.stop()  # type: ignore[union-attr]
        opened.frames(2)
    assert "are no longer available. Open them again." in opened.texts()
    opened.tap("let_in")
    assert is_served(opened.find("code").text)


def test_code_disappears_when_a_phone_connects(opened: Driver) -> None:
    join(opened, Side.BLUE)
    assert not opened.find("code").text
    assert opened.find("blue").text == "Blue: phone connected"
    assert opened.find("red").text == "Red: no phone yet"


@RARE
def test_new_code_revokes_the_old_phone(opened: Driver) -> None:
    lost = join(opened, Side.RED)
    opened.tap("renew")
    with pytest.raises(GoneError):
        lost.send({"token": lost.token})
    assert opened.find("red").text == "Red: no phone yet"
    join(opened, Side.RED)
    assert opened.find("red").text == "Red: phone connected"


@RARE
def test_seat_without_a_phone_comes_first(opened: Driver) -> None:
    join(opened, Side.RED)
    opened.tap("close")
    opened.tap("phones")
    assert "#b" in opened.find("code").text


def test_computer_seat_has_no_code(drive: Drive) -> None:
    driver = drive(reach=NetworkOptions(pads.ListenAddress("127.0.0.1", 0), at_once=True))
    driver.connect()
    for button in ("alone", "chosen"):
        driver.tap(button)
    dialog = PadsDialog(driver.app.presenter, lambda: None, lambda: None)
    driver.app.face.modals.show(dialog)
    assert "#r" in dialog.code, "the code of the person's seat comes first"
    dialog.choose(Side.BLUE)
    assert not dialog.code
    assert dialog.advice == "The computer plays Blue, so no phone can play this side."


def test_spectator_code(opened: Driver) -> None:
    opened.tap("watch")
    assert opened.find("code").text.endswith("/watch")
    opened.tap("late")
    assert opened.app.presenter.phones._opened.delay == 60
    opened.tap("late")
    assert opened.app.presenter.phones._opened.delay == 0


@RARE
def test_wifi_code_comes_first(drive: Drive) -> None:
    driver = drive(reach=NetworkOptions(pads.ListenAddress("127.0.0.1", 0), WIFI))
    open_phones(driver)
    driver.tap("let_in")
    assert driver.find("code").text == "WIFI:T:WPA;S:Boomboard;P:bombs and flags;;"
    join(driver, Side.RED)
    driver.tap("close")
    driver.tap("phones")
    assert "#b" in driver.find("code").text  # no Wi-Fi code, because a phone has joined


@pytest.mark.parametrize(
    ("wifi", "text"),
    [
        (Wifi('a;b,c:d\\e"f', "p;q"), 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\\\e\\"f;P:p\\;q;;'),
        (Wifi("café"), "WIFI:T:nopass;S:café;;"),
    ],
)
def test_wifi_code_is_escaped(wifi: Wifi, text: str) -> None:
    assert wifi.code == text


def test_qr_code_is_drawn_sharply(opened: Driver) -> None:
    """Every module of the QR code has the right colour in its middle and at its edges."""
    code = opened.find("code")
    rows = modules_of(code.text)
    assert not any(chain(*rows[:QUIET], *rows[-QUIET:], *(row[:QUIET] for row in rows)))
    pixels, width = opened.pixels(), opened.app.root.get_root_window().width
    step = int(min(code.size)) // len(rows)
    left = int(code.x + (code.width - step * len(rows)) // 2)
    top = int(code.y + (code.height - step * len(rows)) // 2) + step * len(rows)
    assert step >= 5
    for n, row in enumerate(rows):
        for m, dark in enumerate(row):
            for x, y in ((0, 0), (step // 2, step // 2), (step - 1, step - 1)):
                at = 4 * ((top - 1 - n * step - y) * width + left + m * step + x)
                assert set(pixels[at : at + 3]) == ({0} if dark else {255})


def test_declaration_by_phone(opened: Driver) -> None:
    phones = attack(opened, phones="red")
    assert "Declare on your phone." in opened.texts()
    assert "Hold to open" not in opened.texts()
    answer(opened, phones[Side.RED], "captain")
    assert "Blue\nTake the screen." in opened.texts()
    playing.declare(opened, Rank.SERGEANT)
    assert opened.view == "reveal"


@RARE
def test_screen_is_locked_while_the_phone_declares(opened: Driver) -> None:
    attack(opened, phones="red")
    opened.hold_at(opened.face.ids.hold, 1)
    assert not opened.face.is_open


@RARE
def test_declaration_on_the_screen_despite_a_phone(opened: Driver) -> None:
    attack(opened, phones="red blue")
    opened.tap("declare_here")
    assert "Blue: look away." in opened.texts()
    playing.declare(opened, Rank.CAPTAIN)
    assert "Declare on your phone." in opened.texts()  # it is Blue's turn to declare
    assert opened.face.side is Side.BLUE


@RARE
def test_phone_declaration_closes_the_curtain(opened: Driver) -> None:
    phones = attack(opened, phones="red")
    opened.tap("declare_here")
    playing.open_curtain(opened)
    answer(opened, phones[Side.RED], "captain")
    assert not opened.face.is_open


@RARE
def test_screen_takes_over_from_a_silent_phone(opened: Driver) -> None:
    phones = attack(opened, phones="red")
    opened.pass_time(PATIENCE - 1)
    assert "Declare on your phone." in opened.texts()
    opened.pass_time(1)
    assert "Red: phone offline" in opened.texts()
    assert "Blue: look away." in opened.texts()
    phones[Side.RED].send({"token": phones[Side.RED].token})
    opened.wait_for_real(lambda: opened.face.by_phone)
    assert "Red: phone offline" not in opened.texts()


def test_turn_shows_phone_status(opened: Driver) -> None:
    blue = join(opened, Side.BLUE)
    leave_settings(opened)
    playing.begin(opened)
    blue.send({"token": blue.token})
    opened.frames(4)
    assert opened.face.seats == {Side.BLUE: True}
    opened.pass_time(PATIENCE)
    assert opened.face.seats == {Side.BLUE: False}
    assert "Blue: phone offline" in opened.texts()


@RARE
def test_phones_in_the_menu(driver: Driver) -> None:
    playing.begin(driver)
    for button in ("menu", "settings", "phones", "let_in"):
        driver.tap(button)
    join(driver, Side.RED)
    for button in ("close", "close", "close"):
        driver.tap(button)
    assert driver.face.seats == {Side.RED: True}
