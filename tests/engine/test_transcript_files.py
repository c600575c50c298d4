"""Tests for the native file format: round trips, and error messages for damaged files."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import TIME_CONTROLS
from engine.records.record import RecordError
from engine.records.record_files import read, read_transcript, write_transcript
from engine.records.serialization import ACTIONS
from engine.records.transcript import Transcript, TranscriptEntry
from engine.rules.editions import EDITIONS
from engine.rules.rules import Violation, ViolationKind
from tests.engine.cases import each
from tests.engine.damage import Damage, damaged, damages
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED, Setup, way
from tests.engine.transcripts import (
    ARMIES,
    DISPUTE,
    DUEL,
    FIGHT,
    IN_ENEMY_ROWS,
    NORDIC,
    TRAVEL_DUEL,
    full,
    game_of,
    games,
)

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "records.md"
TALKATIVE: Final = replace(
    full(
        game_of(
            "b4-b5, b7-b6, b5xb6, Red says spy, Blue insists on bomb, the arbiter refuses it, "
            "Blue says marshal, k7-k6, the arbiter lets i4-k5 stand, k6xk5, withdrawn, i7-i6, "
            "taken back",
            actions.Resign(BLUE),
        )
    ),
    control=TIME_CONTROLS["bronstein"],
    players=("north", "söuth"),
)
WRITTEN: Final = write_transcript(TALKATIVE)
STORIES: Final = {
    "nothing": game_of(""),
    "talkative": TALKATIVE,
    "dispute": game_of(f"{DISPUTE}, the arbiter accepts it", actions.TimeExpired(None)),
    "moved bomb": game_of(DISPUTE, edition=TRAVEL_DUEL),
    "silence": game_of(
        "f4-f5, f7-f6, f5xf6, Red says general, Blue says marshal",
        actions.Forfeit(RED),
        edition=replace(TRAVEL_DUEL, silent_defence=True, aggressor_advantage=True),
    ),
    "a bomb with an undeclared rank moves": game_of(
        "f4-f5, i7-i6, f5-f6, i6-i5, f6xf7, Red says general, Blue says bomb, f7-f6",
        edition=replace(TRAVEL_DUEL, silent_defence=True),
    ),
    "infiltration": game_of(
        f"{IN_ENEMY_ROWS}, k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 major, "
        "Blue answers right",
        actions.AgreeDraw(),
        edition=NORDIC,
        drawn=ARMIES,
    ),
    "a long move and a tap": game_of(
        "a4-a6",
        actions.Amend(square("a6"), square("a7")),
        actions.Declare(Secret(BLUE, Rank.MINER)),
    ),
    "a piece that was moved on": game_of(
        "a4-a5", actions.Amend(square("a5"), square("a6")), actions.Forfeit(None)
    ),
    "a game end that was taken back": game_of(
        FIGHT, actions.Resign(RED), actions.TakeBack(), actions.TimeExpired(RED)
    ),
    "neither side can move": game_of(
        FIGHT, actions.ClaimStalemate(), actions.AnswerStalemate(able=False)
    ),
    "one can move": game_of(
        "b4-b5",
        actions.ClaimStalemate(),
        actions.AnswerStalemate(able=True),
        actions.Move(square("b5"), square("b6")),
    ),
    "an arbiter makes corrections": game_of(
        f"a4-a6, i7-i6, {FIGHT}",
        actions.Correct(actions.RankCorrection(square("b4"), Rank.SCOUT)),
        actions.Correct(actions.NotAScout(square("a4"))),
        actions.Correct(actions.SwapCorrection(square("a1"), square("c1"))),
    ),
    "both players adopt the board": game_of(
        f"a4-a6, i7-i6, {FIGHT}",
        actions.AdoptBoard(
            (actions.Relocation(*way("a6 a5")), actions.Relocation(*way("i6 k6"))),
            1 << square("a1"),
            BLUE,
        ),
        actions.AdoptBoard((), 0, RED),
    ),
    "touched": game_of(
        "",
        actions.Touch(square("e4")),
        actions.Move(34, 44),
        edition=replace(TRAVEL_DUEL, touch_move=True),
    ),
    "carried off": game_of(
        "",
        actions.Touch(square("e4"), carried=True),
        actions.FreeTouched(),
        actions.Move(square("b4"), square("b5")),
        edition=replace(TRAVEL_DUEL, touch_move=True),
    ),
}


def reread(transcript: Transcript) -> Transcript:
    return read_transcript(write_transcript(transcript).encode())


# -- round trips


@given(games())
@examples(20)
def test_game_round_trip(game: Transcript) -> None:
    assert reread(game) == game
    assert write_transcript(reread(game)) == write_transcript(game)


@each("story", STORIES.values(), ids=STORIES)
def test_every_action_round_trip(story: Transcript) -> None:
    assert reread(story) == story
    assert reread(story).outcome == story.outcome


def test_format_is_detected_by_content() -> None:
    for blank in (b"", b"\n\n  ", b"\xef\xbb\xbf"):
        assert read(blank + WRITTEN.encode()) == TALKATIVE
    assert read(WRITTEN.encode("utf-16")) == TALKATIVE


def test_every_action_has_a_line() -> None:
    lines = WRITTEN.splitlines()

    assert sum('"do": ' in line for line in lines) == len(TALKATIVE.entries)
    assert max(line.count('"do": ') for line in lines) == 1


def test_documented_example() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)

    game = read_transcript(example.encode())

    assert write_transcript(game) == example
    assert game.outcome


def test_every_action_is_documented() -> None:
    _, after = DOCUMENT.read_text().split("### Actions\n")
    rows, _ = after.split("### Rulings\n")
    named = " ".join(re.findall(r"^- (`[a-z-]+`)", rows, re.MULTILINE))
    assert set(re.findall(r"`([a-z-]+)`", named)) == set(ACTIONS)


def test_illegal_last_action_is_omitted() -> None:
    placing = Setup.parse(DUEL).placing
    fault = Violation(
        ViolationKind.WRONG_COUNT, 0, EDITIONS["isf"].cite(ViolationKind.WRONG_COUNT.rule)
    )
    illegal = replace(TALKATIVE, entries=(TranscriptEntry(0, placing, (fault,)),))

    with pytest.raises(RecordError, match="breaks a rule"):
        write_transcript(illegal)


def test_removed_pieces_are_written_by_squares() -> None:
    story = STORIES["both players adopt the board"]
    written = write_transcript(story)
    assert written.count('"removed": "a1"') == 2, "once in the action and once in its ruling"

    action, ruling = written.rsplit('"removed": "a1"', 1)
    assert "differ from the referee's" in refusal(f'{action}"removed": "a2"{ruling}')


# -- errors


def refusal(data: bytes | str) -> str:
    with pytest.raises(RecordError) as error:
        read_transcript(data if isinstance(data, bytes) else data.encode())
    assert len(str(error.value)) < 400, "the error message is too long"
    return str(error.value)


def changed(**values: Any) -> str:
    """Return the file with different values for some keys."""
    return json.dumps(json.loads(WRITTEN) | values)


def with_action(number: int, **values: Any) -> str:
    """Return the file with different values in one action (numbered from 1). A value of None
    removes its key."""
    entries = json.loads(WRITTEN)["actions"]
    action = entries[number - 1] | values
    entries[number - 1] = {key: value for key, value in action.items() if value is not None}
    return changed(actions=entries)


def test_malformed_json_names_its_line() -> None:
    lines = WRITTEN.splitlines()
    lines[11] = lines[11][:-3]

    assert re.match(r"line 1[23]: this is not well-formed JSON \(.*\)", refusal("\n".join(lines)))


def test_undecodable_text_names_its_line() -> None:
    assert refusal(b'{"format":\n\n"\x80"}').startswith("line 3: the text cannot be decoded")


@each("data", ["{}", '{"format": "chess"}', '{"format": [[[{}]]]}', "[]", "1"])
def test_other_json_is_refused(data: str) -> None:
    assert refusal(data) == "line 1: this JSON is not a game: “format” must be “boomboard-game”"


@each("version", [1, 3, 99, "2", None, [2], True, 2.0])
def test_another_version(version: object) -> None:
    assert refusal(changed(version=version)).endswith("; this program reads 2")


@each("key", sorted(json.loads(WRITTEN).keys() - {"format", "version"}))
def test_keys_are_required_and_typed(key: str) -> None:
    plain = json.loads(WRITTEN)
    del plain[key]
    assert refusal(json.dumps(plain)) == f"“{key}” is missing"
    wrong: list[object] = [7, "x" * 1000, [[[]]], {"x": 1}, {"red": 1, "blue": 2}, True]
    for value in wrong:
        refusal(changed(**{key: value}))


def test_unknown_key_is_refused() -> None:
    assert refusal(changed(note="fun")) == "“note” is not a key of a game"


@each(
    ("values", "expected"),
    [
        ({"at": None}, "“at” of action 2 must be a time in seconds"),
        ({"at": "now"}, "“at” of action 2 must be a time in seconds"),
        ({"at": True}, "“at” of action 2 must be a time in seconds"),
        ({"at": 10**400}, "“at” of action 2 must be a time in seconds"),
        ({"do": "castle"}, "action 2: no action is called 'castle'"),
        ({"do": 5}, 'action 2: "do" of an action must be a string'),
        (
            {"source": None},
            'action 2: "source" of "move" must be the name of a square',
        ),
        (
            {"source": "j4"},
            'action 2: "source" of "move" must be the name of a square',
        ),
        ({"rank": "spy"}, "action 2 has the unexpected key “rank”"),
        ({"rulings": None}, "action 2 must be an object with “rulings”"),
        ({"rulings": []}, "the rulings on action 2 differ from the referee's"),
        (
            {"target": "a4"},
            "action 2 breaks a rule: a piece of the same side is on the target (a4 b4)",
        ),
        ({"do": "attack"}, "action 2 breaks a rule: no opposing piece is on the target"),
    ],
)
def test_bad_action_is_reported_by_number(values: dict[str, Any], expected: str) -> None:
    assert refusal(with_action(2, **values)).startswith(expected)


def test_forged_ruling_is_refused() -> None:
    combat = next(n for n, e in enumerate(TALKATIVE.entries, 1) if "Combat" in repr(e.rulings))
    rulings = json.loads(WRITTEN)["actions"][combat - 1]["rulings"]
    forged = [ruling | {"result": "attacker-wins"} for ruling in rulings]

    message = refusal(with_action(combat, rulings=forged))

    assert message == f"the rulings on action {combat} differ from the referee's"


def test_forged_outcome_is_refused() -> None:
    outcome = json.loads(WRITTEN)["outcome"]

    for forged in (outcome | {"winner": "blue"}, None):
        assert refusal(changed(outcome=forged)) == "“outcome” differs from the last ruling"


def test_all_faults_of_a_setup_at_once() -> None:
    """Red has eleven pieces, one of them on a lake."""
    red = "a1 a4 b4 c1 d1 e4 f1 f4 i4 k4 c5"

    message = refusal(with_action(1, red=red))

    assert message == (
        "action 1 breaks a rule: an army does not have the number of pieces that the edition asks "
        "for; pieces are on a lake (c5)"
    )


def test_ranks_outside_the_army() -> None:
    ranks = json.loads(WRITTEN)["ranks"]

    assert (
        refusal(changed(ranks=ranks | {"a1": "king"}))
        == "“ranks” must map squares to ranks; found 'king' on 'a1'"
    )
    assert (
        refusal(changed(ranks=ranks | {"a1": 3}))
        == "“ranks” must map squares to ranks; found 3 on 'a1'"
    )
    assert refusal(changed(ranks=ranks | {"z9": "flag"})).endswith("found 'flag' on 'z9'")
    assert refusal(changed(ranks=ranks | {"a2": "flag"})).startswith("no piece was set up on a2")
    assert refusal(changed(ranks=ranks | {"f1": "flag"})) == (
        "2 pieces of the rank flag are given for red, but the army has 1"
    )
    assert "because the game has revealed the rank spy" in refusal(
        changed(ranks=ranks | {"b4": "scout"})
    )


@each(
    ("edition", "expected"),
    [
        ({"id": "house-rules"}, "no edition is called 'house-rules'"),
        ({"id": []}, "“id” in “edition” must be a string or a number; found []"),
        (
            {"army": "barbarian"},
            "ISF game rules: expected the army original or duel or barrage, found 'barbarian'",
        ),
        (
            {"two_squares_limit": "3"},
            "no edition allows 'two_squares_limit' to be '3'",
        ),
        (
            {"two_squares_limit": 10**99},
            "“two_squares_limit” in “edition” must be a string or a number; found 1000",
        ),
        ({"touch_move": 1}, "no edition allows 'touch_move' to be 1"),
        ({"castling": True}, "no edition allows 'castling' to be True"),
    ],
)
def test_unknown_edition(edition: dict[str, Any], expected: str) -> None:
    own = json.loads(WRITTEN)["edition"]

    assert refusal(changed(edition=own | edition)).startswith(expected)


@each("begun", ["yesterday", "2026-11-21", "2026-11-21T10:11:08Z\n", 5, None])
def test_malformed_start_time(begun: object) -> None:
    assert refusal(changed(begun=begun)).startswith("“begun” must be ")


@each("players", [["A", "B"], {"red": "A"}, {"red": "A", "blue": None}, "A"])
def test_players_without_two_names(players: object) -> None:
    assert refusal(changed(players=players)).startswith("“players” must have the two names")


@each(
    "data",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        changed(version="@").replace('"@"', "[" * 900 + "]" * 900),
        changed(edition="@").replace('"@"', '{"id": ' + "[" * 900 + "]" * 900 + "}"),
        changed(players="@").replace('"@"', "9" * 5000),
        changed(begun="@").replace('"@"', "NaN"),
        changed(outcome="@").replace('"@"', "-Infinity"),
        changed(begun="x" * 100_000),
        changed(**{"x" * 100_000: 1}),
        changed(ranks={"x" * 100_000: "y" * 100_000}),
        with_action(1, do="x" * 100_000),
        with_action(1, red="a1 " * 100_000 + "y" * 100_000),
        with_action(2, rank="y" * 100_000),
        with_action(2, **{"x" * 100_000: "y"}),
        '{"format": "boomboard-game", "version": 2, "version": 2}',
        WRITTEN.replace('"do": "resign"', '"do": "resign", "do": "agree-draw"'),
    ],
)
def test_hostile_input(data: str) -> None:
    assert data != WRITTEN
    refusal(data)


# -- damage of every kind


def read_or_refuse(data: bytes) -> None:
    """Check that the bytes either raise a RecordError or give a transcript that can be written."""
    try:
        game = read(data)
    except RecordError:
        return
    assert isinstance(game, Transcript)
    assert reread(game) == game


@given(damages)
@examples(60)
def test_random_damage(suffered: list[Damage]) -> None:
    read_or_refuse(b"{" + damaged(WRITTEN.encode(), suffered)[1:])


def test_truncation_anywhere() -> None:
    for end in range(len(WRITTEN) - 2):
        refusal(WRITTEN[:end] if end else "{")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.data(), values)
@examples(80)
def test_swapped_values(data: st.DataObject, value: object) -> None:
    plain = json.loads(WRITTEN)
    place: Any = plain
    while True:
        keys = range(len(place)) if isinstance(place, list) else list(place)
        key = data.draw(st.sampled_from(keys))
        if not (isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans())):
            break
        place = place[key]
    place[key] = value

    read_or_refuse(json.dumps(plain).encode())


@given(st.data())
@examples(40)
def test_shuffled_actions(data: st.DataObject) -> None:
    entries = json.loads(WRITTEN)["actions"]

    read_or_refuse(changed(actions=data.draw(st.permutations(entries))).encode())
    assert isinstance(TALKATIVE.entries[0].action, actions.PlaceArmies)
