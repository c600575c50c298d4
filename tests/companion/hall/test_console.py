"""The arbiters' pages, requested as browsers do, over a real socket."""

import http.client
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion import cli
from companion.core.inputs import CallArbiter
from companion.hall.console.arbiters import TRIES
from companion.hall.console.console import POLICY, Console
from companion.hall.protocol.feed_item import read_item
from companion.hall.server.hall_folder import Hall
from companion.hall.server.receiver import HallReceiver
from companion.hall.server.store import NewItem, Store, StoreProxy
from companion.hall.server.tables import Tables
from companion.hall.tournament.pages import routes
from companion.web.server import ServerConfig
from engine.board.geometry import Side
from tests.companion.hall.saved_tables import SavedTable, told_of
from tests.companion.web.site import serving


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Browser:
    port: int
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, form: Mapping[str, str] | str | None = None, **more: str
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Cookie": self.cookie, **more}
        body = urlencode(form) if isinstance(form, Mapping) else form
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        got = {name.lower(): value for name, value in response.getheaders()}
        if "set-cookie" in got:
            self.cookie = got["set-cookie"].partition(";")[0]
        return Answer(response.status, got, text)

    def sign_in(self, code: str) -> Answer:
        return self.ask("POST", "/sign-in", {"code": code})


@dataclass
class Pages:
    tables: Tables
    browser: Browser
    store: Store
    game: str


@pytest.fixture
def pages(hall: Hall, database: str, tmp_path: Path) -> Iterator[Pages]:
    """The pages of a hall with a game at table-1; the broker is offline."""
    table = SavedTable(tmp_path / "games.sqlite")
    table.play(6)
    ((game, items),) = told_of(table.path).items()
    table.journal.close()
    tables, library, store = Tables(), StoreProxy(database), Store(database)
    store.add(NewItem("table-1", game, number, text) for number, text in enumerate(items, start=1))
    for text in items:
        tables.show("table-1", game, read_item(text))
    tables.set_presence("table-1", is_here=True)
    receiver = HallReceiver(hall.broker("hall"), database, hall.key, tables)
    public = routes(tmp_path / "cup.jsonl")
    application = Console(hall, tables, receiver, library).application(public)
    with serving(ServerConfig(application, POLICY, host="127.0.0.1", port=0)) as port:
        yield Pages(tables, Browser(port), store, game)
    store.close()
    library.close()


@pytest.mark.parametrize("path", ["/", "/tables/table-1", "/stream", "/stream/table-1"])
def test_without_a_code_there_is_nothing_to_see(path: str, pages: Pages) -> None:
    answer = pages.browser.ask("GET", path)
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in")
    assert "table-1" not in answer.text


def test_the_tournament_is_for_everybody(pages: Pages, tmp_path: Path) -> None:
    assert pages.browser.ask("GET", "/tournament").status == 404
    assert (
        cli.main(["tournament", "new", "--file", str(tmp_path / "cup.jsonl"), "--name", "Cup"]) == 0
    )
    answer = pages.browser.ask("GET", "/tournament")
    assert (answer.status, "Cup" in answer.text) == (200, True)


def test_who_has_a_code_sees_the_tables(pages: Pages, codes: dict[str, str]) -> None:
    assert pages.browser.sign_in(codes["Anna"].upper().replace("-", " ")).status == 303
    page = pages.browser.ask("GET", "/").text
    assert "Anna" in page
    assert "Cannot reach the broker." in page
    assert 'id="card-table-1"' in page
    shown = pages.browser.ask("GET", "/tables/table-1").text
    assert "Both armies are ready. Red begins." in shown
    assert shown.count('class="r"') == shown.count('class="b"') == 40


def test_the_pages_speak_the_browsers_language(pages: Pages) -> None:
    answer = pages.browser.ask("GET", "/sign-in", **{"Accept-Language": "xx, no;q=0.9, de"})
    assert "Koden din" in answer.text


def test_codes_can_be_tried_a_few_times_only(pages: Pages, codes: dict[str, str]) -> None:
    statuses = [pages.browser.sign_in("wrong").status for _ in range(int(TRIES.burst) + 1)]
    assert statuses == [403] * int(TRIES.burst) + [429]
    assert pages.browser.sign_in(codes["Anna"]).status == 429


def test_every_answer_has_strict_headers(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    for path in (
        "/",
        "/sign-in",
        "/tables/table-1",
        "/static/console.js",
        "/tournament",
        "/nowhere",
    ):
        answer = pages.browser.ask("GET", path)
        expected = POLICY.headers
        assert {name: answer.headers.get(name.lower()) for name in expected} == expected
        assert "style=" not in answer.text
        assert "<script>" not in answer.text
    assert "httponly" in pages.browser.sign_in(codes["Bert"]).headers["set-cookie"].lower()


@pytest.mark.parametrize(
    "from_elsewhere",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_nothing_that_another_page_sends_is_done(
    from_elsewhere: dict[str, str], pages: Pages, codes: dict[str, str]
) -> None:
    pages.browser.sign_in(codes["Anna"])
    act = {"what": "pause", "game": pages.game}
    answer = pages.browser.ask("POST", "/tables/table-1/act", act, **from_elsewhere)
    assert answer.status == 403
    assert pages.store.acts("table-1", pages.game) == []


def test_an_act_is_recorded_with_its_author(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    act = {"what": "forfeit", "choice": "both", "game": pages.game}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert (recorded.author, recorded.said) == ("Bert", {"what": "forfeit", "side": None})
    assert "Bert: Both lose – sending …" in pages.browser.ask("GET", "/tables/table-1").text


def test_who_is_called_says_so_and_only_then(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    assert "On my way" not in pages.browser.ask("GET", "/tables/table-1").text
    now = pages.tables.get("table-1")
    assert now
    assert now.item
    item = replace(now.item, number=now.item.number + 1, call=CallArbiter(Side.BLUE))
    pages.tables.show("table-1", pages.game, item)
    assert "Blue calls the arbiter." in pages.browser.ask("GET", "/").text
    assert "On my way" in pages.browser.ask("GET", "/tables/table-1").text
    act = {"what": "answer-call", "game": pages.game}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert (recorded.author, recorded.said) == ("Bert", {"what": "answer-call"})


def test_an_act_for_an_earlier_game_is_not_done(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    act = {"what": "pause", "game": "2020-01-01 00:00:00/1"}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    assert pages.store.acts("table-1", pages.game) == []


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"what": "declare", "choice": "spy"}, 400),
        ({"what": "give-time", "choice": "green"}, 400),
        ("%ff=%fe&" * 20, 400),
        ("x" * (POLICY.body_size + 1), 413),
    ],
)
def test_what_is_no_act_is_refused(
    form: Mapping[str, str] | str, status: int, pages: Pages, codes: dict[str, str]
) -> None:
    pages.browser.sign_in(codes["Anna"])
    assert pages.browser.ask("POST", "/tables/table-1/act", form).status == status


def test_who_signs_out_is_out(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    assert pages.browser.ask("POST", "/sign-out", {}).status == 303
    assert pages.browser.ask("GET", "/").status == 303


def test_an_open_page_hears_what_changes(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    connection = http.client.HTTPConnection("127.0.0.1", pages.browser.port)
    connection.request("GET", "/stream", headers={"Cookie": pages.browser.cookie})
    response = connection.getresponse()
    assert b"card-table-1" in response.readline()
    response.readline()
    pages.tables.set_presence("table-1", is_here=False)
    assert b"The table is no longer there" in response.readline()
    connection.close()
