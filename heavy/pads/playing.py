"""Phones that are real browsers, at an evening that is played by hand."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as NotThereError

from companion.pads import Pads
from engine.sides import Side

CHROMIUM: Final = "/usr/bin/chromium"
LARGE: Final = (390, 844)
SMALL: Final = (360, 640)
A_FINGER: Final = 400
"""Milliseconds after which a finger can touch what is new: sooner the page takes no touch."""
Size = tuple[int, int]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def phone(browser: Browser, size: Size = LARGE, locale: str = "en-GB") -> BrowserContext:
    """Return another phone, with a memory of its own."""
    width, height = size
    return browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        locale=locale,
    )


def sit(pads: Pads, context: BrowserContext, side: Side) -> Page:
    """Read the code of a seat."""
    page = context.new_page()
    page.goto(pads.address(side))
    return page


def until(pads: Pads, page: Page, condition: Callable[[], object]) -> None:
    """Let the frames of the touchscreen go by until something is so."""
    while not condition():
        pads.tick()
        page.wait_for_timeout(10)


def touch_twice(pads: Pads, page: Page, choice: str) -> None:
    """Touch a choice, and once more to mean it; begin again if the page was another one by then."""
    button = page.locator(f"{choice}:enabled")
    until(pads, page, button.count)
    while button.count():
        page.wait_for_timeout(A_FINGER)
        with suppress(NotThereError):  # it may be gone by now
            button.tap(timeout=1000)
        pads.tick()
