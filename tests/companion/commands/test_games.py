"""Use ``boomboard games`` to list, show, export and delete saved games. No rank may be revealed
before a game ends.
"""

import builtins
import io
import json
import re
import struct
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.reports.score_sheet import score_sheet
from companion.speech.i18n import Language
from companion.storage.journal import Journal
from companion.storage.printed_pieces import PrintedPieces
from companion.storage.records import as_transcript, read_record
from engine.board.geometry import names, squares_in
from engine.board.ranks import Rank
from engine.game.actions import Action, Resign
from engine.game.clocks import NO_CLOCK, ClockState
from engine.game.referee import Referee
from engine.records.gravon import read_gravon_xml, write_gravon_xml
from engine.records.record_files import read_transcript, write_transcript
from engine.rules.editions import DEFAULT, EDITIONS, Edition
from tests.engine.tables import RED
from tests.engine.transcripts import DUEL, FIGHT, ISF_DUEL, all_actions, full, game_of

WHOLE = all_actions(DUEL, FIGHT, Resign(RED))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def keep(data: Path, *played: Action, edition: Edition = ISF_DUEL, origin: str = "board") -> int:
    """Save a game in the folder, as the application does during play."""
    with closing(Journal(data / "games.sqlite", origin)) as journal:
        game = journal.begin(edition, 1, NO_CLOCK)
        referee = Referee.replay(edition, played)
        journal.append(game, 4.0, played, referee.outcome, ClockState(), plies=referee.plies)
        return game


class CommandOutput:
    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> None:
        self.code = main(["games", *map(str, arguments)])
        self.out, self.err = capsys.readouterr()


Games = Callable[..., CommandOutput]


@pytest.fixture
def games(capsys: pytest.CaptureFixture[str], data: Path) -> Games:
    """Return a function that runs the command on this test's folder of games."""
    return lambda *arguments: CommandOutput(capsys, *arguments, "--data", data)


def refusal(output: CommandOutput) -> str:
    """Return the error message: a single sentence, with no other output."""
    assert (output.code, output.out) == (2, "")
    (line,) = output.err.splitlines()
    assert line.startswith("boomboard: ")
    assert line.endswith(".")
    return line.removeprefix("boomboard: ")


def test_list_of_games(games: Games, data: Path) -> None:
    keep(data, *WHOLE[:3])
    keep(data, *WHOLE)
    keep(data, *WHOLE[:2])
    keep(data, edition=EDITIONS["isf"], origin="simulated")
    with closing(Journal(data / "games.sqlite")) as journal:
        keep(data, *WHOLE[:2], origin="spoiled")
        journal.file.connection.execute("UPDATE game SET seed = 2 WHERE id = 5")

    listed = games("list")

    assert listed.code == 0
    head, *lines = [re.split("  +", line.strip()) for line in listed.out.splitlines()]
    assert head == ["no.", "begun", "rules", "plies", "end"]
    assert [[number, *rest] for number, _, *rest in lines] == [
        ["1", "isf, duel", "2", "not over"],
        ["2", "isf, duel", "3", "Blue wins (resignation)"],
        ["3", "isf, duel", "1", "not over"],
        ["4", "isf", "0", "not over"],
        ["5", "?", "?", "damaged"],
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", begun) for _, begun, *_ in lines)
    assert max(map(len, listed.out.splitlines())) <= 80


def test_no_games(games: Games, data: Path) -> None:
    assert games("list").out == f"There are no saved games in {data / 'games.sqlite'}.\n"


def test_score_sheet_of_a_kept_game(games: Games, data: Path) -> None:
    sheet = games("show", keep(data, *WHOLE)).out

    assert sheet.startswith("Score sheet\nRules: Tournament (ISF game rules)\nStarted: 20")
    assert "2. b5xb6 (1>10)" in sheet
    assert games("show", 1, "--language", "de").out.startswith("Spielprotokoll\n")


def test_score_sheet_of_a_file(games: Games, sample: Path) -> None:
    record = read_record(sample)

    for rules in (DEFAULT, EDITIONS["isf"]):
        shown = games("show", sample, "--edition", rules.id).out
        assert shown == score_sheet(as_transcript(record, rules), Language("en"))


def test_position_at_a_ply(games: Games, sample: Path) -> None:
    lines = games("show", sample, "--ply", 1).out.splitlines()
    assert lines[0] == "1/206  e4-e5"
    assert len(lines) == 13
    assert games("show", sample, "--ply", 0).out.startswith("0/206\n\n10 ")


def test_position_heading_matches_the_score_sheet(games: Games, sample: Path) -> None:
    sheet = games("show", sample).out.split()
    plies = [games("show", sample, "--ply", ply).out.split("\n")[0] for ply in (3, 4)]
    assert plies == ["3/206  e5-e4", "4/206  e7xe4 (2<7)"]
    assert "e7xe4" in sheet


@pytest.mark.parametrize("ply", [207, -1])
def test_position_out_of_range(games: Games, sample: Path, ply: int) -> None:
    assert refusal(games("show", sample, "--ply", ply)).endswith(
        f"there is no ply {ply}; this game has 206 legal plies."
    )


def test_names_are_escaped_in_the_terminal(games: Games, sample: Path, tmp_path: Path) -> None:
    wild = replace(read_record(sample), players=("A\r\nB\u202e\u2066", "\t\x85" + "☠" * 99))
    path = tmp_path / "wild.xml"
    path.write_bytes(write_gravon_xml(wild))

    shown = games("show", path)

    assert shown.code == 0
    assert shown.out.isprintable() or set(filter(lambda c: not c.isprintable(), shown.out)) == {
        "\n"
    }
    assert "Red: A??B??\nBlue: ??☠" in shown.out


@pytest.mark.parametrize(
    "wanted",
    [
        ("show", 1),
        ("show", 1, "--ply", 0),
        *[("export", 1, "--format", format_) for format_ in ("json", "gravon", "text", "svg")],
    ],
)
def test_unfinished_game_is_not_shown(games: Games, data: Path, wanted: tuple[object, ...]) -> None:
    keep(data, *WHOLE[:-1])

    assert refusal(games(*wanted)).startswith("Game 1 is not over, and cannot be viewed")


def test_earlier_unfinished_game_is_not_shown(games: Games, data: Path) -> None:
    keep(data, *WHOLE[:-1])
    keep(data, *WHOLE)

    assert refusal(games("show", 1)).startswith("Game 1 is not over, and cannot be viewed")


def test_json_export_round_trip(games: Games, data: Path) -> None:
    keep(data, *WHOLE)
    with closing(Journal(data / "games.sqlite")) as journal:
        kept = journal.transcript(1)

    assert read_transcript(games("export", 1).out.encode()) == kept


def test_record_to_json_and_back(games: Games, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    assert games("export", sample, "--out", path).out == ""

    again = read_gravon_xml(games("export", path, "--format", "gravon").out.encode())

    assert again == read_record(sample)
    assert games("show", path).out == games("show", sample).out


def test_illegal_record_is_not_exported(games: Games, sample: Path) -> None:
    text = sample.read_text()
    sample.write_text(
        text.replace('id="5" source="F4" target="F5"', 'id="5" source="F4" target="G5"')
    )

    assert "violates a rule of original-1992" in refusal(games("export", sample))
    assert "(ply 5) breaks a rule" in " ".join(
        games("export", sample, "--format", "text").out.split()
    )
    gravon = games("export", sample, "--format", "gravon").out.encode()
    assert read_gravon_xml(gravon) == read_record(sample)


def test_gravon_export_needs_all_ranks(games: Games, data: Path, tmp_path: Path) -> None:
    keep(data, *WHOLE)
    assert "the ranks of 18 pieces are not known" in refusal(
        games("export", 1, "--format", "gravon")
    )
    path = tmp_path / "full.json"
    path.write_text(write_transcript(full(game_of(FIGHT, Resign(RED)))))

    record = read_gravon_xml(games("export", path, "--format", "gravon").out.encode())

    assert len(record.moves) == 3
    path.write_text(write_transcript(full(game_of("the arbiter lets e4-f5 stand"))))
    assert "cannot contain the action 'override'" in refusal(
        games("export", path, "--format", "gravon")
    )


def test_pictures(games: Games, sample: Path, tmp_path: Path) -> None:
    svg, turned = (
        games("export", sample, "--format", "svg", "--ply", 1, *more).out
        for more in ((), ("--turned",))
    )
    assert svg.startswith("<svg ")
    assert "e5 r" in svg
    assert "last-move" in svg
    assert turned != svg

    path = tmp_path / "end.png"
    games("export", sample, "--format", "png", "--out", path)
    assert struct.unpack(">II", path.read_bytes()[16:24]) == (1000, 1000)


def test_png_is_not_written_to_a_terminal(
    sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    for screen, code in ((Screen(io.BytesIO()), 2), (io.TextIOWrapper(io.BytesIO()), 0)):
        monkeypatch.setattr(sys, "stdout", screen)
        assert main(["games", "export", str(sample), "--format", "png"]) == code
        screen.flush()
        assert screen.buffer.getvalue().startswith(b"\x89PNG") == (code == 0)  # type: ignore[attr-defined]
    assert "choose a file with --out" in capsys.readouterr().err


def test_existing_file_needs_force(games: Games, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "there.txt"
    path.write_text("precious")
    wanted = ("export", sample, "--format", "text", "--out", path)

    assert refusal(games(*wanted)) == (
        f"{path} already exists; choose another file, or overwrite it with --force."
    )
    assert path.read_text() == "precious"
    assert games(*wanted, "--force").code == 0
    assert path.read_text().startswith("Score sheet")
    nowhere = tmp_path / "no folder" / "game.json"
    assert "cannot be written (No such file" in refusal(games("export", sample, "--out", nowhere))


@pytest.mark.parametrize(
    ("options", "output"),
    [
        (("--turned",), "--turned needs a picture"),
        (("--turned", "--format", "text"), "--turned needs a picture"),
        (("--ply", 3), "--ply selects a position, but json contains a whole game"),
        (("--ply", 3, "--format", "gravon"), "--ply selects a position, but gravon contains"),
    ],
)
def test_invalid_options_of_export(
    games: Games, sample: Path, options: tuple[object, ...], output: str
) -> None:
    assert refusal(games("export", sample, *options)).startswith(output)


def test_game_is_shown_by_its_rules(games: Games, data: Path) -> None:
    keep(data, *WHOLE)

    assert games("show", 1, "--edition", "isf").code == 0
    assert refusal(games("show", 1, "--edition", "travel-2017")).startswith(
        "This game was refereed under isf;"
    )


@pytest.mark.parametrize("named", ["nothing.xml", "", "9" * 5000, "no\0game"])
def test_missing_file(games: Games, named: str) -> None:
    assert "the file cannot be opened" in refusal(games("show", named))


def test_damaged_file_names_its_place(games: Games, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{\n "format": oops\n}')

    assert refusal(games("show", path)).startswith(f"{path}: line 2: this is not well-formed JSON")


def test_oversized_setup_in_json(games: Games, tmp_path: Path) -> None:
    plain = json.loads(write_transcript(game_of(FIGHT)))
    plain["actions"][0]["red"] = names(RED.home | 1 << 44)
    assert len([*squares_in(RED.home)]) == 40
    path = tmp_path / "game.json"
    path.write_text(json.dumps(plain))

    output = refusal(games("show", path))

    assert "action 1 breaks a rule: an army does not have the number" in output
    assert "outside their four rows (e5)" in output


@pytest.mark.parametrize(
    ("answer", "left"), [("y", []), ("Yes ", []), ("n", [1]), ("", [1]), ("j", [1])]
)
def test_game_is_deleted_after_confirmation(
    games: Games,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    left: list[int],
) -> None:
    keep(data, *WHOLE)
    asked: list[str] = []

    def confirm(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr(builtins, "input", confirm)

    output = games("delete", 1)

    assert asked == ["Delete game 1 permanently? [y/N] "]
    assert output.out == f"Game 1 was {'not ' if left else ''}deleted.\n"
    with closing(Journal(data / "games.sqlite")) as journal:
        assert [game.number for game in journal.games()] == left


def test_game_is_deleted_with_yes(games: Games, data: Path) -> None:
    keep(data, *WHOLE)

    assert games("delete", 1, "--yes").out == "Game 1 was deleted.\n"
    assert "There is no game 1 in" in refusal(games("delete", 1))
    assert "There is no game 99999999999999999999 in" in refusal(games("delete", 10**20 - 1))


def test_printed_ranks_are_deleted_with_their_game(games: Games, data: Path) -> None:
    keep(data, *WHOLE)
    printed = PrintedPieces(data / "games.sqlite")
    keep(data, *WHOLE)
    printed.keep(2, {0: Rank.FLAG}, "2026-11-25T12:00:00Z")
    for game, left in ((1, {0: Rank.FLAG}), (2, None)):
        games("delete", game, "--yes")
        assert printed.of(2, 1, "2026-11-25T12:00:00Z") == left


def test_unanswered_confirmation_keeps_the_game(
    games: Games, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(data, *WHOLE)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert "add --yes" in games("delete", 1).err
    assert games("show", 1).code == 0


def test_story_of_a_game(games: Games, sample: Path) -> None:
    output = games("show", sample, "--story")
    assert output.code == 0
    assert output.out.startswith("What you could have known\n\n25 of 206\n\n10  b4  b3  b7  b2")
    assert "\nattacked it with the spy. The attack could not fail.\n" in output.out
    assert "Attacks that were certain to win and were not made: Red 6, Blue 3.\n" in output.out


def test_review_of_every_attack(games: Games, sample: Path) -> None:
    output = games("show", sample, "--review", "--language", "de")
    assert output.out.startswith("Was man wissen konnte\n\nHalbzug 4: ")
    assert output.out.count("\n\nHalbzug ") == 28 + 9


def test_unfinished_record_has_no_review(games: Games, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(write_transcript(game_of(FIGHT)))
    assert "no legal end" in refusal(games("show", file, "--review"))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--story", "--ply", "3"), "whole game"),
        (("--review", "--ply", "3"), "whole game"),
        (("--story", "--incidents"), "either"),
        (("--story", "--review"), "either"),
    ],
)
def test_options_that_do_not_fit_a_story(
    games: Games, sample: Path, options: tuple[str, ...], why: str
) -> None:
    assert why in refusal(games("show", sample, *options))


def test_unfinished_game_has_no_story(games: Games, data: Path) -> None:
    number = keep(data, *all_actions(DUEL, FIGHT))
    assert "not over" in refusal(games("show", number, "--story"))


def test_book_of_evenings(games: Games, data: Path) -> None:
    assert games("book").out.startswith("There are no finished games in ")
    keep(data, *WHOLE)
    output = games("book", "--language", "de")
    assert output.code == 0
    assert "Rot – Blau: Blau gewinnt" in output.out


def test_deleting_the_book_deletes_its_games(
    games: Games, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(data, *WHOLE)
    unfinished = keep(data, *all_actions(DUEL, FIGHT))
    monkeypatch.setattr(builtins, "input", lambda _question: "n")
    assert games("book", "--delete").out == "The book was not deleted.\n"
    assert len(games("list").out.splitlines()) == 3
    assert games("book", "--delete", "--yes").out == "The book was deleted.\n"
    _, left = games("list").out.splitlines()
    assert left.split()[0] == str(unfinished)
    assert games("book", "--delete").out.startswith("There are no finished games in ")


@pytest.mark.parametrize(
    "arguments", ["list", "book", "book --delete --yes", "delete 1 --yes", "show 1", "export 1"]
)
def test_reading_creates_no_folder(games: Games, data: Path, arguments: str) -> None:
    output = games(*arguments.split())
    assert "There are no " in output.out or "There is no game 1 in " in output.err
    assert not data.exists()
