"""Commands to the table process, and the states in which each takes effect."""

from collections.abc import Callable

import pytest

from companion.jsonl.requests import MISTAKES, NAMES
from tests.companion.core import game_lines as scenes
from tests.companion.core.game_lines import WORDS, GameLines, Line, clash, refused


def test_words_are_complete() -> None:
    assert set(WORDS) == set(NAMES)


@pytest.mark.parametrize("word", NAMES)
def test_words_in_their_state(word: str) -> None:
    scene, fields, event = WORDS[word]
    answer = scene().give(say={"what": word, **fields})
    assert [emitted["event"] for emitted in answer["events"]][:1] == [event][: bool(event)]


@pytest.mark.parametrize("word", [*NAMES])
def test_words_before_the_game(word: str) -> None:
    lines = GameLines()
    before = lines.give(time=True)
    answer = lines.give(say={"what": word, **WORDS[word][1]})
    expected = {"ready": ["setup-seen"], "doubt": ["doubt"]}
    assert [event["event"] for event in answer["events"]] == expected.get(word, [])
    assert {**answer, "events": []} == before


@pytest.mark.parametrize("word", [*NAMES])
def test_words_after_the_game(word: str) -> None:
    lines = clash()
    before = {**lines.command("resign", "red"), "actions": [], "events": []}
    answer = lines.give(say={"what": word, **WORDS[word][1]})
    expected = {"take-back": ["offer-take-back"], "doubt": ["doubt"]}
    assert [event["event"] for event in answer["events"]] == expected.get(word, [])
    assert {**answer, "events": [], "asks": []} == before


def test_refused_move_is_allowed() -> None:
    lines = refused()
    assert lines.command("let-stand")["actions"] == [
        {"do": "override", "source": "e4", "target": "f5"}
    ]
    assert lines.command("let-stand")["actions"] == []


@pytest.mark.parametrize(
    ("mistake", "fields"),
    [
        ("wrong-rank", {"square": "e6", "rank": "major"}),
        ("exchanged", {"square": "e6", "other": "d4"}),
        ("no-long-move", {"square": "e6"}),
    ],
)
def test_kinds_of_corrections(mistake: str, fields: Line) -> None:
    assert mistake in MISTAKES
    lines = scenes.fought()
    if mistake == "no-long-move":
        lines.play("k7-k5")
        fields = {"square": "k5"}
    answer = lines.command("correct", mistake=mistake, **fields)
    assert answer["events"][0]["mistake"]["mistake"] == mistake
    assert not lines.command("correct", mistake=mistake, **{**fields, "square": "c5"})["events"]


def test_read_ends_the_reveal() -> None:
    lines = scenes.fought()
    before = lines.last["due"]
    assert before is not None
    after = lines.command("read")["due"]
    assert after is None or after > before, "only the removal of the losers may still be due"


@pytest.mark.parametrize(
    ("scene", "word", "fields"),
    [
        (scenes.attack, "declare", {"side": "blue", "rank": "spy"}),  # Red is asked first.
        (scenes.attack, "insist", {"side": "red", "rank": "spy"}),
        (scenes.contradicted, "insist", {"side": "blue", "rank": "flag"}),  # Blue declared a bomb.
        (scenes.contradicted, "no-attack", {}),  # Red has already declared.
        (scenes.clash, "attacker", {"side": "red"}),
        (scenes.clash, "move", {"source": "e5", "target": "f5"}),  # The board detects moves itself.
        (scenes.clash, "let-stand", {}),
        (scenes.clash, "settle", {"accepted": True}),
        (scenes.clash, "answer-guess", {"right": True}),
        (scenes.clash, "answer-cannot-move", {"able": True}),
        (scenes.guess, "attack", {"source": "e7", "target": "e8"}),
        (scenes.attack, "infiltrate", {"source": "e5", "target": "e6", "rank": "spy"}),
    ],
)
def test_unfitting_input_changes_nothing(
    scene: Callable[[], GameLines], word: str, fields: Line
) -> None:
    lines = scene()
    before = lines.give(time=True)
    assert lines.give(say={"what": word, **fields}) == before


def test_agreements_of_both_sides() -> None:
    lines = clash()
    lines.command("agree", "red")
    assert lines.command("agree", "red")["events"] == []
    assert lines.command("agree", "blue")["actions"] == [{"do": "agree-draw"}]
    lines.command("take-back", "blue")
    assert lines.command("take-back", "red")["actions"] == [{"do": "take-back"}]
    assert lines.last["state"] == "turn"


def test_both_must_agree_on_a_board() -> None:
    lines = refused()
    (offered,) = lines.command("accept-board", "red", to_move="blue")["events"]
    shifted = [{"source": "e4", "target": "f5"}]
    assert (offered["shifted"], offered["removed"]) == (shifted, [])
    (ask,) = lines.last["asks"]
    assert (ask["to"], ask["what"], ask["answers"]) == ("blue", "accept-board", ["blue"])
    assert not ask["interrupts"]

    accepted = {"do": "accept-board", "shifted": "e4-f5", "removed": "", "to_move": "blue"}
    assert lines.command("accept-board", "blue", to_move="blue")["actions"] == [accepted]
    lines.wait()
    assert (lines.last["state"], lines.last["to_move"]) == ("turn", "blue")
    assert lines.last["must_show"] == lines.board


def test_reasons_against_adopting_a_board() -> None:
    lines = clash()
    lines.put("a5", "b")
    lines.wait()
    (ruling,) = lines.command("accept-board", "red", to_move="blue")["events"]
    assert (ruling["event"], ruling["obstacle"], ruling["squares"]) == (
        "board-refused",
        "too-many",
        ["a5"],
    )


def test_touched_piece_that_cannot_move() -> None:
    """Only the owner is asked, and only the owner can answer."""
    lines = scenes.carried_off()
    (asked,) = lines.last["asks"]
    touched = {"to": "red", "what": "touched", "square": "f4", "answers": ["cannot-move"]}
    assert asked == {**touched, "interrupts": False}
    before = {**lines.wait(), "at": None}
    lines.command("touched-cannot-move", "blue")
    lines.play("k4-k5")
    assert lines.events()[-1] == "violation"
    lines.play("k5-k4")
    answer = lines.command("touched-cannot-move", "red")
    assert (answer["actions"], answer["events"]) == ([], [])
    assert {**lines.wait(), "at": None} == before
    lines.play("k4-k5")
    assert lines.actions()[-2:] == ["free-touched", "move"]
