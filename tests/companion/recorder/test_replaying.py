"""A replayed trace repeats all decisions, with their reasons."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import inputs
from companion.core.game_options import GameOptions
from companion.recorder.recorder import Recorder
from companion.recorder.replay import (
    Decision,
    DecisionKind,
    explain_in_words,
    replay,
    turn_text,
    write_explanation,
)
from companion.recorder.trace_files import TraceError
from companion.recorder.trace_reader import Trace, read_trace
from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.game.actions import Attack, Resign
from engine.game.clocks import TIME_CONTROLS
from engine.rules.editions import EDITIONS
from firmware_bridge.image import PieceLocation
from firmware_bridge.wire import BoardKind
from tests.companion.core import table_driver
from tests.companion.recorder.recordings import change, difference, record, record_driver


def resumed() -> table_driver.TableDriver:
    """Return a game with a power cut after the first of two declarations."""
    before = table_driver.attack(table_driver.clash())
    before.declare(Side.RED, Rank.CAPTAIN)
    driver = before.replugged(7.0)
    driver.declare(Side.BLUE, Rank.SCOUT)
    driver.wait()
    return driver


def resumed_after(driver: table_driver.TableDriver) -> GameOptions:
    table, before = driver.table, table_driver.attack(table_driver.clash())
    before.declare(Side.RED, Rank.CAPTAIN)
    return GameOptions(
        table.referee.edition,
        driver.seed,
        driver.control,
        tuple(before.table.referee.actions),
        [step.clock for step in before.steps if step.actions][-1],
        before.steps[-1].saved,
    )


def talkative() -> table_driver.TableDriver:
    """Return a game with inputs of every type. During the game, the board is reconnected."""
    driver = table_driver.attack(table_driver.clash())
    for kind in (inputs.NoAttack, inputs.RevealDismissed, inputs.TimePassed, inputs.BoardLost):
        driver.submit(kind(driver.now))
    driver.submit(inputs.BoardFound(driver.now, sees_colours=True))
    driver.submit(inputs.PieceLocated(driver.now, red=PieceLocation(4.0, 3.5, 0.1)))
    for where in (square("f5"), None):
        driver.submit(inputs.BoardFaultReported(driver.now, where))
    driver.submit(inputs.BoardFaultReported(driver.now, square("f5"), is_dying=True))
    driver.wait()
    driver.command(inputs.IgnoreSquare(square("a1"), doubted=True))
    driver.command(inputs.Pause())
    driver.wait()
    driver.command(inputs.Resume())
    driver.wait()
    driver.command(inputs.OfferDraw(Side.BLUE))
    for call in (
        inputs.CallArbiter(None),
        inputs.WithdrawCall(Side.RED),
        inputs.CallArbiter(Side.BLUE),
        inputs.AnswerCall(),
    ):
        driver.command(call)
    driver.take_back()
    driver.command(Attack(square("e5"), square("e6")))
    driver.wait()
    driver.command(Resign(Side.RED))
    driver.wait()
    return driver


def set_clock() -> table_driver.TableDriver:
    driver = table_driver.clash(control=TIME_CONTROLS["total"])
    driver.command(inputs.AdjustClock(Side.RED, 90))
    driver.command(inputs.AdjustClock(Side.BLUE, -30))
    driver.wait()
    return driver


def guessed() -> table_driver.TableDriver:
    driver = table_driver.infiltrator()
    driver.infiltrate("e7", "e8", Rank.COLONEL)
    driver.wait()
    return driver


GAMES: dict[str, Callable[[], table_driver.TableDriver]] = {
    "a combat": lambda: table_driver.fight(Rank.CAPTAIN, Rank.SCOUT),
    "a dispute": table_driver.dispute,
    "an infiltration": guessed,
    "without colours": lambda: table_driver.attack(table_driver.clash(BoardKind.PRESENCE)),
    "with a clock": lambda: table_driver.fight(
        Rank.CAPTAIN, Rank.MAJOR, control=TIME_CONTROLS["bronstein"]
    ),
    "other rules": lambda: table_driver.fight(
        Rank.CAPTAIN, Rank.MAJOR, replace(table_driver.NORDIC, silent_defence=True, touch_move=True)
    ),
    "words": talkative,
    "a clock that is set": set_clock,
}


@pytest.mark.parametrize("name", GAMES)
def test_replay_gives_the_same_outcome(name: str, tmp_path: Path) -> None:
    driver = GAMES[name]()
    trace = read_trace(record_driver(driver, tmp_path))
    assert [note.given for note in trace.notes] == driver.inputs
    assert (trace.end, trace.is_stripped) == ("closed", False)
    assert not [each.difference for each in replay(trace) if each.difference]


def test_resumed_trace_is_replayed(tmp_path: Path) -> None:
    driver = resumed()
    assert difference(record(driver.inputs, resumed_after(driver), tmp_path)) is None


SQUARES = st.sampled_from(["e4", "e5", "e6", "e7", "f4", "f5", "f7", "a4", "k7"])


@settings(max_examples=20)
@given(st.lists(st.tuples(SQUARES, SQUARES, st.sampled_from([0.02, 0.1, 0.4, 1.0])), max_size=8))
def test_random_traces_are_replayed(
    tmp_path_factory: pytest.TempPathFactory, doings: list[tuple[str, str, float]]
) -> None:
    driver = table_driver.clash()
    for source, target, seconds in doings:
        image, board = driver.board.image(), driver.board
        stands = image.occupied >> square(source) & 1
        if stands and (source == target or not image.occupied >> square(target) & 1):
            piece = board.lift(square(source))
            driver.wait(seconds)
            board.place(piece, square(target))
        driver.wait(seconds)
    assert difference(record_driver(driver, tmp_path_factory.mktemp("traces"))) is None


def decisions(trace: Trace) -> list[Decision]:
    return [decision for each in replay(trace) for decision in each.decisions]


def test_decisions_are_explained(tmp_path: Path) -> None:
    trace = read_trace(record_driver(table_driver.fight(Rank.CAPTAIN, Rank.SCOUT), tmp_path))
    kinds = [each.kind.value for each in decisions(trace)]
    assert kinds == [
        *["accepted"] * 4,  # the armies, two moves, the attack
        "question",
        "accepted",
        "question",
        "accepted",
        "complaint",  # the result of the combat is not yet final
    ]


def test_recorded_explanations(tmp_path: Path) -> None:
    driver = table_driver.clash()
    driver.board.place(driver.board.lift(square("e5")), square("f5"))  # between two frames
    driver.wait()
    trace = read_trace(record_driver(driver, tmp_path))
    latest = [each for each in decisions(trace) if each.kind is DecisionKind.ACCEPTED][-1]
    explanation, *others = latest.explanations
    assert [turn_text(turn) for turn in explanation.turns] == ["e5-f5"]
    assert "e5-f5 (lifted " in explain_in_words(explanation, trace.start)
    assert others
    assert all(explanation.cost <= other.cost for other in others)
    assert any(write_explanation(other)["strays"] == ["f5"] for other in others)
    assert any(
        "of unknown origin has been on f5 since" in explain_in_words(other, trace.start)
        for other in others
    )


def test_explanations_of_a_violation(tmp_path: Path) -> None:
    driver = table_driver.clash()
    driver.move("e5", "f6")
    trace = read_trace(record_driver(driver, tmp_path))
    refused = decisions(trace)[-1]
    assert refused.kind is DecisionKind.REFUSED
    assert write_explanation(refused.explanations[0])["wrong"] == ["e5-f6"]
    assert "e5 is misplaced on f6" in explain_in_words(refused.explanations[0], trace.start)


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("actions", [{"do": "move", "source": "e4", "target": "e6"}], "actions"),
        ("events", [], "events"),
        ("sum", "0123456789abcdef", "sum"),
        ("sealed", {"rank": "scout", "events": []}, "private events"),
    ],
)
def test_changed_file_is_detected(tmp_path: Path, key: str, value: object, what: str) -> None:
    driver = table_driver.attack(table_driver.clash())
    driver.declare(Side.RED, Rank.CAPTAIN)
    path = record_driver(driver, tmp_path)
    assert difference(path) is None
    change(path, key, value)
    found = difference(path)
    assert found is not None
    assert found.what == what


def test_changed_input_is_detected(tmp_path: Path) -> None:
    path = record_driver(table_driver.clash(), tmp_path)
    change(path, "same", [7.0], number=-1)
    found = difference(path)
    assert found is not None


def test_failing_input_is_kept(tmp_path: Path) -> None:
    driver = table_driver.clash()
    errors: list[str] = []
    with Recorder(tmp_path, errors.append) as recorder:
        recorder.begin(GameOptions(driver.table.referee.edition, driver.seed))
        recorder.hear(driver.inputs[0])
    trace = read_trace(next(tmp_path.iterdir()))
    (note,) = trace.notes
    assert (note.given, note.is_answered, errors) == (driver.inputs[0], False, [])
    (replayed,) = replay(trace)
    assert replayed.difference is not None
    assert replayed.difference.what == "break", "the current table does not raise the exception"


def test_table_exception_ends_the_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = read_trace(record_driver(table_driver.clash(), tmp_path))

    def break_over(*_: object) -> None:
        raise ZeroDivisionError("by hand")

    monkeypatch.setattr("companion.core.table.Table._take_command", break_over)
    *_, last = replay(trace)
    assert last.broke == "ZeroDivisionError: by hand"
    assert last.difference is not None
    assert last.difference.what == "break"


def test_unfollowable_game_is_refused(tmp_path: Path) -> None:
    driver = resumed()
    path = record(driver.inputs, resumed_after(driver), tmp_path)
    change(path, "sealed", {"actions": [{"do": "take-back"}]}, number=0)
    with pytest.raises(TraceError, match="cannot be replayed"):
        list(replay(read_trace(path)))


def test_secret_line_without_actions_is_refused(tmp_path: Path) -> None:
    driver = resumed()
    path = record(driver.inputs, resumed_after(driver), tmp_path)
    change(path, "sealed", {"x": []}, number=0)
    with pytest.raises(TraceError, match="damaged in line 1"):
        read_trace(path)


def test_traces_of_all_editions(tmp_path: Path) -> None:
    for edition in EDITIONS.values():
        path = record([], GameOptions(edition, 5), tmp_path / edition.id)
        assert read_trace(path).beginning() == GameOptions(edition, 5)


def test_trace_names_the_computer_side(tmp_path: Path) -> None:
    beginning = GameOptions(EDITIONS["isf"], 5, computer=Side.BLUE)
    assert read_trace(record([], beginning, tmp_path)).beginning() == beginning
