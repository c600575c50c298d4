import pytest

from engine import Side
from engine.board.geometry import square
from tests.hands.answers import answer, choose_explanation, read_turns
from tests.hands.board import Ply, Turn
from tests.hands.film import room_with
from tests.hands.responses import Ask


def turns(drawn: str) -> list[Turn]:
    return read_turns(drawn)


def test_turns_are_read_from_words_and_from_data() -> None:
    run = Turn(square("e4"), square("e10"), attacks=True)
    assert read_turns("Red e4xe10, then nothing") == [run]
    data = "[{'do': 'attack', 'source': 'e4', 'target': 'e10'}]"
    assert read_turns(data) == [run]
    assert read_turns("none of these") == []


@pytest.mark.parametrize(
    ("answers", "done", "heard", "number"),
    [
        (["e4-e6 f7-f6", "e4-e5 f7-f6 e5-e6"], "e4-e5 f7-f6 e5-e6", "", 1),
        (["e5-e6", "nothing"], "e4-e5", "e4-e5", 1),
        (["e5-e6", "e4-e6"], "e4-e6", "e4-e5", 1),
        (["e5-e6", "e4-e6"], "e4-e5 f7-f6", "e4-e5", None),
        (["f7-f6", "e5-e6"], "e4-e5 f7-f6", "e4-e5", 0),
    ],
)
def test_true_hypothesis_is_chosen(
    answers: list[str], done: str, heard: str, number: int | None
) -> None:
    assert choose_explanation(answers, turns(done), turns(heard)) == number


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("red", "blue", "no-attack"), {"side": "red", "what": "attacker"}),
        (("blue", "no-attack"), {"side": None, "what": "no-attack"}),
    ],
)
def test_only_offered_answers_are_given(answers: tuple[str, ...], expected: object) -> None:
    room = room_with()
    ply = Ply(0, Side.RED, Turn(square("e4"), square("e7"), attacks=True))
    assert answer(room, Ask("all", "attack", ("e7", "e6"), True, answers), [ply], [])
    assert room.commands == [{"say": expected}]
