"""Tests for the arbiters' pages over a real socket."""

import asyncio
import html
import re
import socket
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import pytest

from companion import cli
from companion.core.events import write_event
from companion.core.inputs import CallArbiter
from companion.hall.console import sign_in
from companion.hall.console.console import POLICY
from companion.hall.console.sse import OPEN_PER_SESSION
from companion.hall.protocol.feed import ItemSeals, Stands
from companion.hall.server.hall_folder import Hall, renew
from engine.board.geometry import Side
from engine.game.rulings import GameOver, Reason
from engine.records.transcript import SealState
from tests.companion.hall.hall_pages import Browser, Pages, following


@pytest.mark.parametrize("path", ["/", "/tables/table-1", "/stream", "/stream/table-1"])
def test_console_needs_a_code(path: str, pages: Pages) -> None:
    answer = pages.browser.ask("GET", path)
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in")
    assert "table-1" not in answer.text


def test_tournament_pages_are_public(pages: Pages, tmp_path: Path) -> None:
    assert pages.browser.ask("GET", "/tournament").status == 404
    assert (
        cli.main(["tournament", "new", "--file", str(tmp_path / "cup.jsonl"), "--name", "Cup"]) == 0
    )
    answer = pages.browser.ask("GET", "/tournament")
    assert (answer.status, "Cup" in answer.text) == (200, True)


def test_signed_in_arbiter_sees_the_tables(pages: Pages, codes: dict[str, str]) -> None:
    assert pages.browser.sign_in(codes["Anna"].upper().replace("-", " ")).status == 303
    page = pages.browser.ask("GET", "/").text
    assert "Anna" in page
    assert "Cannot reach the broker." in page
    assert 'id="card-table-1"' in page
    shown = pages.browser.ask("GET", "/tables/table-1").text
    assert "Both armies are ready. Red begins." in shown
    assert shown.count('class="r"') == shown.count('class="b"') == 40


def test_pages_use_the_browser_language(pages: Pages) -> None:
    answer = pages.browser.ask("GET", "/sign-in", **{"Accept-Language": "xx, no;q=0.9, de"})
    assert "Koden din" in answer.text


def test_sign_in_attempts_are_limited(pages: Pages, codes: dict[str, str]) -> None:
    statuses = [pages.browser.sign_in("wrong").status for _ in range(int(sign_in.TRIES.burst) + 1)]
    assert statuses == [403] * int(sign_in.TRIES.burst) + [429]
    assert pages.browser.sign_in(codes["Anna"]).status == 429


def test_strangers_cannot_lock_out_an_arbiter(pages: Pages, codes: dict[str, str]) -> None:
    strangers = [Browser(pages.browser.port, address=f"127.0.0.{n}") for n in range(2, 14)]
    with ThreadPoolExecutor(24) as threads:
        attempts = [threads.submit(each.sign_in, "wrong") for each in strangers for _ in range(2)]
        assert pages.browser.sign_in(codes["Anna"]).status == 303
        assert {each.result().status for each in attempts} <= {403, 429}


def test_known_browser_is_not_locked_out(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    stranger = Browser(pages.browser.port)
    while stranger.sign_in("wrong").status == 403:
        pass
    assert stranger.sign_in(codes["Anna"]).status == 429
    assert pages.browser.sign_in(codes["Anna"]).status == 303
    forged = Browser(pages.browser.port, cookie="boomboard-browser=" + "0" * 96)
    assert forged.sign_in(codes["Anna"]).status == 429


@pytest.mark.parametrize(
    "forged",
    ["é" * 96, "0" * 32 + "é" * 64, "é", '"'],
    ids=["long", "signature", "short", "malformed"],
)
def test_forged_browser_cookie_is_ignored(forged: str, pages: Pages, codes: dict[str, str]) -> None:
    browser = Browser(pages.browser.port, cookie=f"boomboard-browser={forged}")
    assert browser.sign_in("wrong").status == 403
    browser.cookie = f"boomboard-browser={forged}"
    assert browser.sign_in(codes["Anna"]).status == 303


def test_responses_have_strict_headers(pages: Pages, codes: dict[str, str]) -> None:
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
def test_cross_site_forms_are_refused(
    from_elsewhere: dict[str, str], pages: Pages, codes: dict[str, str]
) -> None:
    pages.browser.sign_in(codes["Anna"])
    act = {"what": "pause", "game": pages.game}
    answer = pages.browser.ask("POST", "/tables/table-1/act", act, **from_elsewhere)
    assert answer.status == 403
    assert pages.store.acts("table-1", pages.game) == []


def show(pages: Pages, **changes: Any) -> float:
    """Add an item. Return its time of arrival."""
    now, at = pages.tables.get("table-1"), time.time()
    assert now
    assert now.item
    item = replace(now.item, number=now.item.number + 1, **changes)
    pages.tables.show("table-1", pages.game, item, since=at)
    return at


def test_acts_are_recorded_with_their_author(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    act = {"what": "give-time", "choice": "red", "game": pages.game}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert (recorded.author, recorded.content["what"]) == ("Bert", "give-time")
    at = time.strftime("%H:%M", time.localtime(recorded.at))
    line = f"{at} · Bert · Red: 1 minute more – sending …"
    assert line in pages.browser.ask("GET", "/tables/table-1").text


def test_ending_a_game_is_confirmed(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    act = {"what": "forfeit", "choice": "both", "game": pages.game}
    asked = pages.browser.ask("POST", "/tables/table-1/act", act)
    assert asked.status == 200
    assert "table-1 · End the game" in asked.text
    assert "Both lose" in asked.text
    assert "Anna – Bert" in asked.text
    assert pages.store.acts("table-1", pages.game) == []
    confirmed = {**act, "confirmed": "yes"}
    for name, value in confirmed.items():
        assert f'name="{name}" value="{value}"' in asked.text
    assert pages.browser.ask("POST", "/tables/table-1/act", confirmed).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert recorded.content == {"what": "forfeit", "side": None}


def test_arbiter_takes_back_an_end(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    for reason, is_offered in ((Reason.RESIGNATION, False), (Reason.FORFEIT, True)):
        show(pages, outcome=write_event(GameOver(Side.RED, reason)))
        page = pages.browser.ask("GET", "/tables/table-1").text
        assert ("Reopen the game" in page) is is_offered
    act = {"what": "reopen", "game": pages.game}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert recorded.content == {"what": "reopen"}


def test_urgent_table_shows_time_and_caller(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    at = time.strftime("%H:%M", time.localtime(show(pages, stands=Stands.VIOLATION)))
    page = pages.browser.ask("GET", "/").text
    assert f"since {at}" in page
    assert "Arbiter:" not in page
    act = {"what": "attend", "game": pages.game}
    assert "On my way" in pages.browser.ask("GET", "/tables/table-1").text
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    at = time.strftime("%H:%M", time.localtime(recorded.at))
    assert f"Arbiter: Bert, {at}" in pages.browser.ask("GET", "/").text
    assert f"{at} · Bert · On my way</li>" in pages.browser.ask("GET", "/tables/table-1").text


def test_wrong_table_clock_is_shown(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    for ahead, words in ((-120.4, "is 2 minutes slow"), (7.0, "is 7 seconds fast")):
        for _ in range(2):
            pages.tables.set_presence("table-1", is_here=True, clock_ahead=ahead)
        for path in ("/", "/tables/table-1"):
            assert f"computer clock {words}" in html.unescape(pages.browser.ask("GET", path).text)


def test_seals_are_shown_beside_the_result(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    seals = ItemSeals("linen otter feather winter (8da9 54fb bdd5)", SealState.PROVED, None)
    show(pages, seals=seals)
    words = "Seals: linen otter feather winter (8da9 54fb bdd5)"
    assert words in pages.browser.ask("GET", "/tables/table-1").text
    assert "proved" not in pages.browser.ask("GET", "/").text
    seals = replace(seals, blue=SealState.NOT_PROVED)
    show(pages, seals=seals, outcome=write_event(GameOver(Side.RED, Reason.RESIGNATION)))
    shown = [pages.browser.ask("GET", path).text for path in ("/", "/tables/table-1")]
    assert words in shown[1]
    assert all("Red: proved" in each and "Blue: not proved" in each for each in shown)


def test_announcements_have_a_time_of_day(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    page = pages.browser.ask("GET", "/tables/table-1").text
    assert re.search(r"<li>\d\d:\d\d · ply 0 · Both armies are ready\.", page)


def test_pause_can_always_be_ended(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    for stands in Stands:
        show(pages, stands=stands, is_paused=True)
        page = pages.browser.ask("GET", "/tables/table-1").text
        assert 'value="go-on"' in page
        assert 'value="pause"' not in page
        assert ">Pause<" in page


def test_call_is_shown(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    assert "On my way" not in pages.browser.ask("GET", "/tables/table-1").text
    show(pages, call=CallArbiter(Side.BLUE))
    assert "Blue calls the arbiter." in pages.browser.ask("GET", "/").text
    assert "On my way" in pages.browser.ask("GET", "/tables/table-1").text
    act = {"what": "answer-call", "game": pages.game}
    assert pages.browser.ask("POST", "/tables/table-1/act", act).status == 303
    (recorded,) = pages.store.acts("table-1", pages.game)
    assert (recorded.author, recorded.content) == ("Bert", {"what": "answer-call"})


def test_act_for_an_earlier_game_is_refused(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Bert"])
    act = {"what": "pause", "game": "2020-01-01 00:00:00/1"}
    answer = pages.browser.ask("POST", "/tables/table-1/act", act)
    assert answer.status == 409
    assert "Too late: the game has moved on" in answer.text
    assert 'href="/tables/table-1"' in answer.text
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
def test_unknown_act_is_refused(
    form: Mapping[str, str] | str, status: int, pages: Pages, codes: dict[str, str]
) -> None:
    pages.browser.sign_in(codes["Anna"])
    assert pages.browser.ask("POST", "/tables/table-1/act", form).status == status


def test_sign_out(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    assert pages.browser.ask("POST", "/sign-out", {}).status == 303
    assert pages.browser.ask("GET", "/").status == 303


def arbiters_at(folder: Path, hall: Hall, now: float) -> sign_in.Arbiters:
    """Return the arbiters of a hall that started at `now`."""
    sessions = sign_in.Sessions(folder, lambda: now)
    return sign_in.Arbiters(lambda: hall.arbiters, hall.signing_key, lambda: now, sessions)


def test_session_expires_after_twelve_hours(
    folder: Path, hall: Hall, codes: dict[str, str]
) -> None:
    token = asyncio.run(arbiters_at(folder, hall, 0).sign_in(codes["Anna"], "127.0.0.1"))
    assert token
    assert arbiters_at(folder, hall, sign_in.SHIFT_SECONDS - 1).author(token) == "Anna"
    assert arbiters_at(folder, hall, sign_in.SHIFT_SECONDS).author(token) is None
    assert arbiters_at(folder, hall, -60).author(token) is None, (
        "a session from the future is invalid"
    )


def test_session_survives_a_restart(folder: Path, hall: Hall, codes: dict[str, str]) -> None:
    first, second = (arbiters_at(folder, hall, 100) for _ in range(2))
    anna, bert = (
        asyncio.run(hall_program.sign_in(codes[name], "127.0.0.1"))
        for hall_program, name in ((first, "Anna"), (second, "Bert"))
    )
    assert anna
    assert bert
    assert anna not in (folder / "sessions.json").read_text()
    restarted = arbiters_at(folder, hall, 101)
    assert (restarted.author(anna), restarted.author(bert)) == ("Anna", "Bert")
    restarted.sign_out(anna)
    assert (first.author(anna), first.author(bert)) == (None, "Bert")
    assert arbiters_at(folder, hall, 102).author(anna) is None


def test_damaged_sessions_file_signs_everyone_out(
    folder: Path, hall: Hall, codes: dict[str, str]
) -> None:
    for damaged in (b"", b"[]", b'{"x": 1}', b"\xff", b'{"x": ["a", "b"]}'):
        (folder / "sessions.json").write_bytes(damaged)
        arbiters = arbiters_at(folder, hall, 1)
        assert arbiters.author("x") is None
        token = asyncio.run(arbiters.sign_in(codes["Anna"], str(damaged)))
        assert token
        assert arbiters_at(folder, hall, 2).author(token) == "Anna"


class TestSignInQueue:
    def test_fewer_tries_come_first(self) -> None:
        async def run() -> list[float]:
            turns, done = sign_in.SignInQueue(), []

            async def check(tries: float) -> None:
                async with turns.turn(tries):
                    done.append(tries)
                    await asyncio.sleep(0)

            await asyncio.gather(*map(check, (4, 3, 1, 0, 2)))
            return done

        assert asyncio.run(run()) == [4, 0, 1, 2, 3]

    def test_full_queue_refuses_the_most_frequent(self) -> None:
        async def run() -> list[object]:
            turns = sign_in.SignInQueue()

            async def check(tries: float) -> float:
                async with turns.turn(tries):
                    await asyncio.sleep(0)
                    return tries

            tries = [0, *[5] * sign_in.MOST_WAITING, 1, 2]
            return await asyncio.gather(*map(check, tries), return_exceptions=True)

        results = asyncio.run(run())
        refused = [each for each in results if isinstance(each, sign_in.TooManyTriesError)]
        assert len(refused) == 2
        assert {0, 1, 2} < {*results} - {*refused}

    def test_cancelled_check_frees_its_turn(self) -> None:
        async def run() -> str:
            turns = sign_in.SignInQueue()

            async def check() -> str:
                async with turns.turn(0):
                    await asyncio.sleep(0)
                    return "done"

            tasks = [asyncio.create_task(check()) for _ in range(4)]
            await asyncio.sleep(0)
            for task in tasks[:3]:
                task.cancel()
            return await tasks[3]

        assert asyncio.run(run()) == "done"


def test_session_end_closes_open_pages(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser) as heard:
        assert [kind for kind, _ in islice(heard, 2)] == ["message", "pulse"]
        pages.browser.ask("POST", "/sign-out", {})
        pages.tables.set_presence("table-1", is_here=False)
        assert next(heard, None) is None


def test_a_revoked_code_ends_its_sessions(
    pages: Pages, folder: Path, codes: dict[str, str]
) -> None:
    other = Browser(pages.browser.port)
    other.sign_in(codes["Bert"])
    pages.browser.sign_in(codes["Anna"])
    with following(pages.browser) as heard:
        next(heard)
        new = renew(folder, ["Anna"])
        assert [*heard]
    assert pages.browser.ask("GET", "/").status == 303
    assert other.ask("GET", "/").status == 200
    assert pages.browser.sign_in(codes["Anna"]).status == 403
    assert pages.browser.sign_in(new["Anna"]).status == 303


def test_streams_of_one_arbiter_are_limited(pages: Pages, codes: dict[str, str]) -> None:
    pages.browser.sign_in(codes["Anna"])
    other = Browser(pages.browser.port)
    other.sign_in(codes["Bert"])
    with ExitStack() as open_pages:
        for _ in range(OPEN_PER_SESSION):
            next(open_pages.enter_context(following(pages.browser)))
        assert pages.browser.ask("GET", "/stream").status == 503
        next(open_pages.enter_context(following(other)))


def test_chunked_body_with_a_length_is_bounded(pages: Pages) -> None:
    host = f"127.0.0.1:{pages.browser.port}"
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with socket.create_connection(("127.0.0.1", pages.browser.port)) as line:
        head = f"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        size = 64 * 2**20
        with suppress(BrokenPipeError, ConnectionResetError):
            head += "Content-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n"
            line.sendall(f"{head}{size:x}\r\n".encode())
            for _ in range(size // 2**16):
                line.sendall(bytes(2**16))
    assert pages.browser.ask("GET", "/sign-in").status == 200
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 8_000  # in KB
