"""Faults of the phone, the browser and the network that the pages must survive."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.core.inputs import CommandInput, OfferDraw
from companion.pads import Pads, service
from engine.board.geometry import Side
from tests.companion.core.table_driver import attack
from tests.companion.pads.pad_driver import PadDriver, pads_of
from tests.companion.pads.page_views import begun
from tests.integration.pads.playing import A_FINGER, chromium, phone, sit, until
from tests.integration.pads.sealing import sealed_table

SILENT: Final = 10_500
"""Time after which a page notices that nothing arrives, in milliseconds."""
AWAY: Final = "Cannot reach the board. Trying again …"
NO_STORAGE: Final = (
    "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }});"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def driver() -> PadDriver:
    made = begun()
    made.play("e4-e5 e7-e6")
    return made


@pytest.fixture
def pads(driver: PadDriver) -> Iterator[Pads]:
    with pads_of(driver) as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, pads: Pads) -> Iterator[Page]:
    """Open a player's page without a seat. Its modules can be imported."""
    context = phone(browser)
    opened = context.new_page()
    opened.goto(pads.spectators_address.replace("/watch", "/"))
    expect(opened.locator("#problem")).to_be_visible()
    yield opened
    context.close()


def run(page: Page, script: str) -> Any:
    return page.evaluate(f"async () => {{ {script} }}")


def asked(browser: Browser, driver: PadDriver, pads: Pads) -> Page:
    """Open the page of a player who has to declare a rank."""
    attack(driver)
    opened = sit(pads, phone(browser), Side.RED)
    until(pads, opened, opened.locator(".tile").count)
    opened.wait_for_timeout(A_FINGER)
    return opened


def test_phone_without_storage_takes_a_seat(browser: Browser, pads: Pads) -> None:
    context = phone(browser)
    context.add_init_script(NO_STORAGE)
    opened = sit(pads, context, Side.RED)
    until(pads, opened, opened.locator("#board rect").count)
    assert opened.locator("#problem").is_hidden()


def test_two_tabs_keep_both_sealed_armies(page: Page) -> None:
    digests = run(
        page,
        """
        const { Seals } = await import("/seals.js");
        const tabs = [new Seals(), new Seals()];
        for (const tab of tabs) tab.seal("red", { a1: "flag" });
        const stored = JSON.parse(localStorage.getItem("seals")).map((each) => each.digest);
        return stored.filter((each) => tabs.every((tab) => tab.find(each)));
        """,
    )
    assert len(digests) == 2


def test_proved_setup_has_the_viewers_rank_signs(page: Page) -> None:
    shown = run(
        page,
        """
        const { show } = await import("/show.js");
        const fallen = [{ sign: "F", rank: "flag", name: "Flag", count: 1 }];
        const army = { side: "red", name: "Ada", fallen };
        show({ language: "en", title: "", text: "", said: [],
          sides: [{ ...army, setup: "10 9", signs: { marshal: "1", general: "2" } }] });
        return [...document.querySelectorAll("#armies .rows b")].map((each) => each.textContent);
        """,
    )
    assert shown == ["1", "2"]
    expect(page.get_by_role("img", name="Flag", include_hidden=True)).to_have_count(1)


def test_silent_connection_is_reported(browser: Browser, pads: Pads) -> None:
    opened = phone(browser).new_page()
    opened.clock.install()
    opened.goto(pads.address(Side.RED))
    until(pads, opened, opened.locator("#board rect").count)
    opened.route("**/say", lambda route: None)
    with opened.expect_request("**/say"):
        opened.clock.fast_forward(3000)
    opened.clock.fast_forward(SILENT)
    expect(opened.locator("#problem")).to_have_text(AWAY)


def test_message_during_a_keep_alive_is_confirmed_at_once(page: Page) -> None:
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    sent = run(
        page,
        """
        const { Channel } = await import("/channel.js");
        const sent = [];
        const channel = new Channel({}, { showProblem() {}, sent: (id) => sent.push(id) });
        channel.listen = async () => { channel.heardAt = Date.now(); };
        let release = () => {};
        const say = (message) => "id" in message
          ? Promise.resolve({ taken: true, shows: 0 })
          : new Promise((go) => { release = () => go({ shows: 0 }); });
        channel.keep({ say });
        await Promise.resolve();
        await Promise.resolve();
        channel.say({ id: "one" });
        release();
        for (let turn = 0; turn < 50; turn++) await Promise.resolve();
        return sent;
        """,
    )
    assert sent == ["one"]


def test_first_touch_does_not_survive_a_change_of_the_choices(
    browser: Browser, driver: PadDriver, pads: Pads
) -> None:
    opened = asked(browser, driver, pads)
    opened.locator(".tile").first.tap()
    expect(opened.locator(".armed")).to_have_count(1)
    for _ in range(2):
        opened.locator("article .quiet").tap()
    expect(opened.locator(".tile").first).to_be_visible()
    expect(opened.locator(".armed")).to_have_count(0)


def test_offer_can_be_answered_beside_other_ranks(
    browser: Browser, driver: PadDriver, pads: Pads
) -> None:
    opened = asked(browser, driver, pads)
    driver.submit(CommandInput(driver.now, OfferDraw(Side.BLUE)))
    until(pads, opened, lambda: opened.locator("#asks article").count() == 2)
    opened.locator("article .quiet").tap()
    expect(opened.locator("#asks [data-do=draw]")).to_be_visible()
    expect(opened.locator("article .quiet")).to_have_count(1)


def test_focus_stays_on_a_touched_choice(browser: Browser, driver: PadDriver, pads: Pads) -> None:
    opened = asked(browser, driver, pads)
    opened.locator(".tile").first.focus()
    opened.keyboard.press("Enter")
    expect(opened.locator(".tile.armed")).to_be_focused()


def test_focus_and_names_in_the_setup_editor(browser: Browser) -> None:
    with sealed_table(browser) as table:
        opened = table.pages[Side.RED]
        scout = opened.locator(".tray [data-rank=scout]")
        expect(scout).to_have_attribute("aria-label", "Scout ×8")
        scout.focus()
        opened.keyboard.press("Enter")
        expect(opened.locator(".tray .held")).to_be_focused()
        opened.locator("[data-at='4']").focus()
        opened.keyboard.press("Enter")
        expect(opened.locator("[data-at='4'] b")).to_have_text("2")
        expect(opened.locator("[data-at='4']")).to_be_focused()


def test_first_announcement_is_spoken(page: Page) -> None:
    spoken = run(
        page,
        """
        const { Voice } = await import("/voice.js");
        const spoken = [], voice = new Voice();
        voice.on = true;
        voice.say = (text) => spoken.push(text);
        voice.hear([], "en");
        voice.hear([{ n: 0, text: "first" }], "en");
        voice.hear([{ n: 0, text: "first" }, { n: 1, text: "second" }], "en");
        return spoken;
        """,
    )
    assert spoken == ["first", "second"]


def test_proof_without_the_openings(page: Page) -> None:
    asked_for = run(
        page,
        """
        const { sealedAsk } = await import("/sealed_ask.js");
        return sealedAsk({ title: "Proof", texts: ["x"], choices: [{}], opens: "all" }, undefined);
        """,
    )
    assert asked_for["texts"] == ["Your army is sealed on the touchscreen or on another phone."]
    assert asked_for["choices"] == []


def test_latest_language_wins(page: Page) -> None:
    held: list[Route] = []
    page.route("**/texts/de", lambda route: held.append(route))  # noqa: PLW0108 (built-in methods cannot be handlers)
    with page.expect_request("**/texts/de"):
        page.evaluate("void import('/texts.js').then(({ loadTexts }) => loadTexts('de'))")
    run(page, "await (await import('/texts.js')).loadTexts('fr');")
    with page.expect_response("**/texts/de") as arrived:
        held[0].continue_()
    arrived.value.finished()
    back = run(
        page,
        """
        await new Promise((go) => setTimeout(go));
        return [(await import("/texts.js")).text("back"), document.documentElement.lang];
        """,
    )
    assert back == ["Retour", "fr"]


def test_refused_texts_are_requested_again(page: Page) -> None:
    page.route("**/texts/de", lambda route: route.fulfill(status=503), times=1)
    load = "await (await import('/texts.js')).loadTexts('de');"
    text = run(page, f"{load}{load} return (await import('/texts.js')).text('back');")
    assert text == "Zurück"


@pytest.mark.parametrize(
    ("locale", "language", "words"),
    [("fil-PH", "en", "This code"), ("no-NO", "nb", "Denne koden"), ("de-AT", "de", "Dieser Code")],
)
def test_page_without_a_table_has_the_phones_language(
    browser: Browser, pads: Pads, locale: str, language: str, words: str
) -> None:
    context = phone(browser, locale=locale)
    opened = context.new_page()
    opened.goto(pads.spectators_address.replace("/watch", "/"))
    expect(opened.locator("#problem")).to_contain_text(words)
    assert opened.locator("html").get_attribute("lang") == language
    context.close()


def test_silent_spectators_stream_is_reopened(browser: Browser, pads: Pads) -> None:
    opened = phone(browser).new_page()
    opened.clock.install()
    opened.goto(pads.spectators_address)
    until(pads, opened, opened.locator("#board rect").count)
    with opened.expect_request("**/watch/events"):
        opened.clock.fast_forward(SILENT + 3000)


def test_spectators_stream_has_heartbeats(
    page: Page, pads: Pads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "HEARTBEAT", 0.01)
    run(
        page,
        """
        const events = new EventSource("/watch/events");
        events.addEventListener("pulse", () => { document.title = "pulse"; });
        """,
    )
    expect(page).to_have_title("pulse")


def test_story_is_requested_again(browser: Browser, pads: Pads) -> None:
    opened = phone(browser).new_page()
    opened.clock.install()
    step = {
        "place": "1 of 9",
        "text": "So it began.",
        "board": "." * 100,
        "marked": [],
        "ranks": {},
    }
    story = {"language": "en", "moments": [{"start": 0, "steps": [step]}], "closing": []}
    opened.route("**/story/en", lambda route: route.fulfill(json=story))
    opened.route("**/story/en", lambda route: route.abort(), times=1)
    opened.goto(pads.spectators_address.replace("/watch", "/story#en"))
    expect(opened.locator("#problem")).to_have_text(AWAY)
    opened.clock.fast_forward(4000)
    expect(opened.locator("#place")).to_have_text("1 of 9")
    expect(opened.locator("#problem")).to_be_hidden()


def test_missing_story_leads_to_the_spectators_page(browser: Browser, pads: Pads) -> None:
    opened = phone(browser).new_page()
    opened.goto(pads.spectators_address.replace("/watch", "/story#en"))
    opened.wait_for_url("**/watch")
