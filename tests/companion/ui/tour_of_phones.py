"""Walk through the screens for phones."""

from collections.abc import Iterator
from pathlib import Path

from companion import pads
from companion.pads.protocols import PATIENCE
from companion.ui.base.pads import Wifi
from engine.board.geometry import Side
from tests.companion.pads.phone import Phone
from tests.companion.ui.driver import Driver
from tests.companion.ui.playing import STANDING, attack_on_screen, begin, play

NOWHERE = pads.Certificate(Path("chain.pem"), Path("key.pem"), "board.club.example")
WIFI = Wifi("Boomboard", "bombs and flags")


def tour_of_phones(driver: Driver) -> Iterator[str]:
    """Admit phones, seat both players, lose one phone, and declare."""
    settings = driver.app.presenter.settings
    settings.set_player_name(Side.RED, "Wilhelmina")
    driver.app.presenter.phones.wifi = WIFI
    open_phones(driver)
    yield "phones"
    yield from _tour_of_an_error(driver)
    yield "phones-wifi"
    driver.tap("red")
    yield "phones-red"
    red, blue = (join(driver, side) for side in Side)
    yield "phones-here"
    driver.tap("watch")
    yield "phones-watch"
    for button in ("close", "close"):
        driver.tap(button)
    begin(driver)
    yield "turn-phones"
    play(driver, STANDING, "e4 e5", "a7 a6", "e5 e6", "a6 a5")
    red.send({"token": red.token})
    driver.frames(4)
    attack_on_screen(driver, "e6", "e7")
    yield "declaration-phone"
    driver.pass_time(PATIENCE)
    yield "declaration-phone-away"
    driver.tap("no_attack")
    yield "turn-phone-away"
    red.leave()
    blue.leave()


def _tour_of_an_error(driver: Driver) -> Iterator[str]:
    """Open the phone pages with a missing certificate file, then without a certificate."""
    phones = driver.app.presenter.phones
    place, phones._place = phones._place, pads.ListenAddress(certificate=NOWHERE)
    driver.tap("let_in")
    yield "failure-phones-certificate"
    phones._place = place
    driver.tap("let_in")


def open_phones(driver: Driver) -> None:
    """Open the phone settings from the start screen."""
    for button in ("settings", "phones"):
        driver.tap(button)


def join(driver: Driver, side: Side) -> Phone:
    driver.tap(side.value)
    phone = Phone(driver.find("code").text)
    driver.clients.callback(phone.leave)
    phone.join()
    phone.listen()
    driver.wait_for_real(lambda: driver.app.presenter.phones.seats.get(side))
    driver.frames(4)
    return phone
