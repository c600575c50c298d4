"""Phones simulated by real browsers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as NotThereError

from companion.pads import Pads
from engine.board.geometry import Side

CHROMIUM: Final = "/usr/bin/chromium"
LARGE: Final = (390, 844)
SMALL: Final = (360, 640)
A_FINGER: Final = 400
"""Time to wait before tapping a new element, in milliseconds. The page ignores earlier taps."""
Size = tuple[int, int]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the system's Chromium, headless."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def phone(browser: Browser, size: Size = LARGE, locale: str = "en-GB") -> BrowserContext:
    """Return a browser context that simulates a phone with its own storage."""
    width, height = size
    return browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        locale=locale,
    )


def sit(pads: Pads, context: BrowserContext, side: Side) -> Page:
    """Open the link encoded in a seat's QR code."""
    page = context.new_page()
    page.goto(pads.address(side))
    return page


def until(pads: Pads, page: Page, condition: Callable[[], object]) -> None:
    """Advance the touchscreen frame by frame until the condition is true."""
    while not condition():
        pads.tick()
        page.wait_for_timeout(10)


def touch_twice(pads: Pads, page: Page, choice: str) -> None:
    """Tap a choice, and tap it again to confirm it. If the page changes between the two taps,
    repeat both."""
    button = page.locator(f"{choice}:enabled")
    until(pads, page, button.count)
    while button.count():
        page.wait_for_timeout(A_FINGER)
        with suppress(NotThereError):  # the element may have disappeared
            button.tap(timeout=1000)
        pads.tick()
