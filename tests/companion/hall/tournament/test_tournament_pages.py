"""Run a club tournament from the command line, and read its public pages."""

import asyncio
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from companion import cli
from companion.hall.tournament.pages import routes

SCRIPTS = {f'<script src="/static/{name}.js" defer>' for name in ("pulse", "tournament")}


async def _get(path: str, file: Path) -> tuple[int, dict[str, str], str]:
    """Request a page with an ASGI call."""
    published: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        published.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path.partition("?")[0],
        "query_string": path.partition("?")[2].encode(),
        "headers": [(b"accept-language", b"de-AT,en")],
    }
    await Starlette(routes=routes(file, lambda: "14:30"))(scope, receive, send)
    headers = {key.decode(): value.decode() for key, value in published[0]["headers"]}
    body = b"".join(each.get("body", b"") for each in published[1:])
    return int(published[0]["status"]), headers, body.decode()


def get(path: str, file: Path) -> tuple[int, dict[str, str], str]:
    return asyncio.run(_get(path, file))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cup.jsonl"


def run_tournament(file: Path, *words: str) -> int:
    return cli.main(["tournament", words[0], "--file", str(file), *words[1:]])


def test_whole_tournament(file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    players = tmp_path / "players.csv"
    players.write_text("name,rating\nAda,1800\n<Grace>,1700\nAlan,1600\nEmmy,\n", encoding="utf-8")
    assert run_tournament(file, "new", "--name", "Cup", "--rounds", "3", "--by", "Ida") == 0
    assert run_tournament(file, "add", "--csv", str(players)) == 0
    assert run_tournament(file, "pair", "--round-robin") == 0
    assert run_tournament(file, "result", "1", "draw", "--reason", "agreed") == 0
    assert run_tournament(file, "pair", "--round-robin") == 2
    assert "table 2 has no result yet" in capsys.readouterr().err
    assert run_tournament(file, "result", "2", "blue-absent") == 0
    assert run_tournament(file, "standings") == 0
    assert "   1  <Grace>" in capsys.readouterr().out
    assert run_tournament(file, "result", "1", "red", "--by", "Ida") == 0
    assert run_tournament(file, "log") == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert '"by": "Ida"' in last
    assert '"result": "red"' in last
    for sheet in ("pairings", "standings", "cross-table", "slips"):
        out = tmp_path / f"{sheet}.html"
        assert run_tournament(file, "print", sheet, "-o", str(out)) == 0
        assert "&lt;Grace&gt;" in out.read_text(encoding="utf-8")
    assert run_tournament(file, "export", "--format", "trf") == 0


def test_tournament_pages_show_standings(file: Path) -> None:
    status, headers, body = get("/tournament", file)
    assert (status, body) == (404, "Es gibt noch kein Turnier.")
    assert headers["refresh"] == "10"
    run_tournament(file, "new", "--name", "Cup")
    for name in ("Ada", "<script>", "Alan"):
        run_tournament(file, "add", name)
    run_tournament(file, "pair", "--round-robin")
    pages = ("", "/pairings", "/cross-table", "/screen")
    for path in pages:
        status, _, body = get(f"/tournament{path}", file)
        assert status == 200
        assert "&lt;script&gt;" in body
        assert not any(word in body for word in ("style=", "<style", "onclick"))
        assert set(re.findall(r"<script.*?>", body)) == SCRIPTS
        assert "Aktualisiert: 14:30<" in body
    assert "Spielfrei: Ada" in body


def test_hall_display_shows_all_tables(file: Path) -> None:
    run_tournament(file, "new", "--name", "Cup")
    for number in range(1, 60):
        run_tournament(file, "add", f"Player {number:02}")

    def shown(part: str) -> tuple[list[str], str]:
        _, _, body = get(f"/tournament/screen{part}", file)
        then = re.search(r'content="10; url=([^"]*)"', body)
        assert then
        assert f'data-next="{then[1]}"' in body
        return re.findall(r"Player \d\d", body), then[1]

    run_tournament(file, "pair", "--round-robin")
    seen, address = [], ""
    for _ in range(3):
        players, then = shown(address)
        assert 0 < len(players) <= 2 * 12 + 1, "at most 12 tables and one bye"
        seen += players
        address = then.removeprefix("/tournament/screen")
    assert len(set(seen)) == 59
    assert shown(address)[0] == shown("")[0], "after the last page the first one follows"


@pytest.mark.parametrize("part", ["0", "-1", "4000", "x", "²", "9" * 5000])
def test_hall_display_handles_any_number(part: str, file: Path) -> None:
    run_tournament(file, "new", "--name", "Cup")
    status, _, body = get(f"/tournament/screen?part={part}", file)
    assert (status, "Cup" in body) == (200, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("pairings",), "does not exist"),
        (("new", "--points", "1-2-3"), "are inconsistent"),
        (("add",), "Give a player's name"),
    ],
)
def test_impossible_requests_are_explained(
    words: tuple[str, ...], why: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tournament(file, *words) == 2
    assert why in capsys.readouterr().err
