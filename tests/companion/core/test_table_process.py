"""The table as a process: games, commands, malformed lines and real pipes."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.codec import to_plain
from companion.core.inputs import Input
from companion.jsonl import table_process
from companion.jsonl.requests import read_line
from companion.jsonl.table_process import TableProcess
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.actions import UpholdDeclaration
from engine.game.clocks import TimeControl
from engine.rules.editions import DEFAULT, EDITIONS
from firmware_bridge.image import Image
from tests.companion.core import game_lines
from tests.companion.core import game_lines as scenes

SILENT: Final = replace(DEFAULT, silent_defence=True)
ISF: Final = EDITIONS["isf"]


def test_small_game() -> None:
    lines = game_lines.GameLines()
    assert lines.last["state"] == "setting-up"
    lines.board = game_lines.ARMIES
    lines.wait()
    lines.command("ready", "red")
    lines.command("ready", "blue")
    lines.wait()
    assert lines.events()[-2:] == ["armies-placed", "turn-began"]
    assert (lines.last["state"], lines.last["to_move"]) == ("turn", "red")

    lines.play("e4-e5 e7-e6")
    assert lines.last["plies"] == 2
    lines.lift("e5", "e6")
    assert lines.last["state"] == "who-attacks"
    (ask,) = lines.last["asks"]
    assert (ask["to"], ask["what"]) == ("all", "who-attacks")
    assert ask["answers"] == ["red", "blue", "no-attack"]

    lines.command("attacker", "red")
    assert lines.last["state"] == "attack-open"
    for side, square, rank in (("red", "e5", "captain"), ("blue", "e6", "scout")):
        (ask,) = lines.last["asks"]
        assert (ask["to"], ask["what"], ask["square"]) == (side, "rank", square)
        assert rank in ask["answers"]
        assert "bomb" not in ask["answers"], "both pieces have moved, so neither is a bomb"
        lines.command("declare", side, rank=rank)
        assert lines.last["actions"] == [{"do": "declare", "side": side, "sealed": True}]
    combat = next(event for event in lines.last["events"] if event["event"] == "combat")
    assert combat == {
        "to": "all",
        "event": "combat",
        "side": "red",
        "source": "e5",
        "target": "e6",
        "attacker": "captain",
        "defender": "scout",
        "result": "attacker-wins",
        "reading": None,
    }
    assert lines.last["state"] == "clearing"
    lines.board = lines.last["must_show"]
    assert lines.wait()["state"] == "turn"

    lines.command("resign", "blue")
    assert lines.last["state"] == "over"
    assert lines.last["events"][0]["winner"] == "red"
    assert lines.actions() == [
        *("place-armies", "move", "move", "attack", "declare", "declare", "resign")
    ]
    assert all(list(answer) == game_lines.ANSWERED for answer in lines.answers)


def test_process_is_deterministic() -> None:
    lines = scenes.fought()
    again = TableProcess(DEFAULT, 1)
    assert [again.take(line) for line in lines.given] == lines.answers
    other = TableProcess(DEFAULT, 2)
    answers = [other.take(line) for line in lines.given]
    assert answers != lines.answers, "another seed shuffles the ranks differently"


def test_must_show_field() -> None:
    assert game_lines.GameLines().last["must_show"] == game_lines.ARMIES
    assert (
        game_lines.GameLines(DEFAULT.with_army("original")).last["must_show"] == game_lines.ARMIES
    )
    small = EDITIONS["isf"].with_army("barrage")
    assert game_lines.GameLines(small).last["must_show"] == "." * 100


def test_dying_sensor_is_ignored_with_a_piece_in_hand() -> None:
    failed = {}
    for dying in (False, True):
        lines = game_lines.GameLines.begun()
        lines.lift("e4")
        for _ in range(4):
            lines.give(complains={"square": "f5", "dying": dying})
            lines.wait()
        failed[dying] = "sensor-fails" in lines.events()
    assert failed == {False: True, True: False}


def test_clock_field() -> None:
    lines = game_lines.GameLines.begun(control=TimeControl("short", each=60))
    assert lines.last["due"] == pytest.approx(lines.at + 60, abs=game_lines.LONG)
    lines.at = lines.last["due"]
    assert lines.give(time=True)["actions"] == [{"do": "run-out", "side": "red"}]


def play_to_reveal(edition: Any, red: str, blue: str) -> game_lines.GameLines:
    lines = game_lines.attack(edition)
    lines.command("declare", "red", rank=red)
    lines.command("declare", "blue", rank="bomb")  # impossible, because the piece has moved
    lines.command("declare", "blue", rank=blue)
    return lines


def as_bytes(answers: list[game_lines.Line]) -> bytes:
    return json.dumps(answers).encode()


def test_hidden_ranks_are_not_in_the_output() -> None:
    one = play_to_reveal(DEFAULT, "captain", "scout")
    other = play_to_reveal(DEFAULT, "marshal", "general")
    assert as_bytes(one.for_all()[:-1]) == as_bytes(other.for_all()[:-1])
    assert as_bytes(one.for_all()) != as_bytes(other.for_all())


def test_silent_rank_is_never_in_the_output() -> None:
    one = play_to_reveal(SILENT, "captain", "major")
    other = play_to_reveal(SILENT, "captain", "general")
    assert one.last["events"][1]["event"] == "combat"
    assert as_bytes(one.for_all()) == as_bytes(other.for_all())


def test_proof_is_sent_only_to_its_owner() -> None:
    lines = scenes.contradicted()
    (event,) = lines.last["events"][:1]
    assert (event["to"], event["event"], event["proof"]["ground"]) == (
        "blue",
        "contradiction",
        "moved",
    )
    assert [ask["to"] for ask in lines.last["asks"]] == ["blue", "blue"]
    assert [ask["what"] for ask in lines.last["asks"]] == ["rank", "insist"]
    assert lines.last["asks"][1]["answers"] == ["bomb"]


def test_silent_refutation_comes_with_the_next_question() -> None:
    lines = game_lines.GameLines.begun(SILENT)
    lines.play("f4-f5 a7-a6 f5-f6 a6-a5")
    lines.lift("f6", "f7")
    lines.command("declare", "red", rank="captain")
    lines.command("declare", "blue", rank="bomb")
    lines.put("f7", "b")
    lines.wait()
    lines.play("f7-f6 f3-f4 k7-k6 f4-f5")
    lines.lift("f6", "f5")
    lines.command("attacker", "blue")
    (ask,) = lines.last["asks"]
    assert (ask["to"], ask["disproved"]["proof"]["rank"]) == ("blue", "bomb")
    assert "contradiction" not in lines.events()


def test_secret_name_is_not_written() -> None:
    assert "marshal" not in json.dumps(to_plain(UpholdDeclaration(Secret(Side.RED, Rank.MARSHAL))))


def test_asked_side() -> None:
    lines = game_lines.guess()
    (ask,) = lines.last["asks"]
    assert ask == {
        "to": "blue",
        "what": "guess",
        "source": "e7",
        "target": "e8",
        "rank": "colonel",
        "answers": [True, False],
        "interrupts": True,
    }
    assert [ask["what"] for ask in scenes.stalemate().last["asks"]] == ["can-move"]
    assert [ask["what"] for ask in game_lines.dispute().last["asks"]] == ["settle"]


@pytest.mark.parametrize("word", ["agree", "take-back"])
def test_offer_expires(word: str) -> None:
    lines = game_lines.clash()
    lines.command(word, "red")
    (ask,) = lines.last["asks"]
    assert ask == {"to": "blue", "what": word, "answers": [word], "interrupts": False}
    lines.play("k4-k5")
    assert lines.last["asks"] == []


def test_states_without_a_board() -> None:
    lines = game_lines.clash()
    assert lines.give(lost=True)["state"] == "no-board"
    lines.give(found={"colours": True})
    assert lines.wait()["state"] == "turn"
    lines.put("a5", lines.put("a1", "."))
    lines.put("b5", lines.put("c1", "."))
    assert lines.wait()["state"] == "disturbed"
    lines.board = lines.last["must_show"]
    assert lines.wait()["state"] == "turn"
    lines.command("take-back", "red")
    lines.command("take-back", "blue")
    assert lines.wait()["state"] == "restoring"
    lines.board = lines.last["must_show"]
    assert lines.wait()["state"] == "turn"


def frames(lines: game_lines.GameLines) -> Iterator[game_lines.Line]:
    """Yield the input lines of a game with a frame every 20 ms. Only frames carry the time."""
    board, at = "", 0.0
    for line in lines.given:
        while board and at + 0.02 < line["at"]:
            at += 0.02
            yield {"at": at, "board": board}
        if line.get("time"):
            continue
        at = max(at, line["at"])
        board = line.get("board", board)
        yield {**line, "at": at}


def test_repeated_board_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    given_lines = list(frames(scenes.fought()))
    quick, plain = TableProcess(DEFAULT, 1), TableProcess(DEFAULT, 1)
    answers = [deepcopy(quick.take(line)) for line in given_lines]
    monkeypatch.setattr(TableProcess, "_is_repeated", lambda *_: False)
    assert [plain.take(line) for line in given_lines] == answers
    assert answers[-1]["plies"] == 3


def test_repeated_board_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def counting(line: game_lines.Line, *rest: Any) -> Input:
        read.append(line.get("board"))
        return read_line(line, *rest)

    monkeypatch.setattr(table_process, "read_line", counting)
    lines = game_lines.GameLines()
    for _ in range(10):
        lines.give(board=game_lines.ARMIES)
    assert read.count(game_lines.ARMIES) == 1


@given(st.text(".rb?", min_size=100, max_size=100))
def test_board_round_trip(text: str) -> None:
    assert Image.of_tokens(text).tokens == text


def test_row_10_comes_first() -> None:
    image = Image.of_tokens("b" + "." * 98 + "r")
    assert (image.red, image.blue) == (1 << 9, 1 << 90)
