"""Test the calibration dialogue without a terminal, a screen or real time."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.diagnostics.calibration import (
    ANSWER_SECONDS,
    TASKS,
    CalibrationPhase,
    GuidedCalibration,
)
from companion.diagnostics.report import marks
from companion.speech.i18n import Language
from engine.board.geometry import Side, name, squares_in
from firmware_bridge.link import Connected, Event, LinkError, LinkErrorKind, MessageReceived
from firmware_bridge.simulated_board.board import SimulatedBoard, inject
from firmware_bridge.wire import (
    BoardKind,
    Calibrate,
    CalibrationReply,
    CalibrationResult,
    CalibrationStep,
    Hello,
    HostCommand,
    Identify,
    ResetCause,
    State,
)
from tests.companion.diagnostics.boards import ARMIES, HELLO, PRESENCE, squares

PORT = "/dev/ttyUSB0"
UNPLUGGED = LinkError(LinkErrorKind.UNPLUGGED, PORT, "it is gone")
SILENT = LinkError(LinkErrorKind.SILENT, PORT, "no frame")
NEW = replace(HELLO, calibration=0xCAFE)
RED, BLUE = Side.RED.home, Side.BLUE.home

Given = Callable[[GuidedCalibration, float], None]
Line = tuple[float, Given]


def well(step: CalibrationStep) -> Given:
    return answered(step, {CalibrationResult.DONE: 0})


def answered(step: CalibrationStep, results: dict[CalibrationResult, int]) -> Given:
    return received(MessageReceived(CalibrationReply(step, results)))


def received(event: Event) -> Given:
    return lambda calibration, now: calibration.take(event, now)


GO_ON, LEAVE, TICK = GuidedCalibration.go_on, GuidedCalibration.leave, GuidedCalibration.tick
EMPTY, STAND, SAVE, ABORT = (
    *(CalibrationStep.EMPTY, CalibrationStep.ARMIES),
    *(CalibrationStep.SAVE, CalibrationStep.ABORT),
)
TO_STEP_2: list[Line] = [(0, GO_ON), (0.6, well(EMPTY))]
TO_SAVING: list[Line] = [*TO_STEP_2, (300, GO_ON), (300.6, well(STAND))]
ALL_ASKED: list[HostCommand] = [Calibrate(EMPTY), Calibrate(STAND), Calibrate(SAVE)]


def play(
    script: Sequence[Line], hello: Hello = HELLO, language: str = "en"
) -> tuple[GuidedCalibration, list[HostCommand]]:
    asked: list[HostCommand] = []
    calibration = GuidedCalibration(hello, asked.append, Language(language))
    for at, happens in script:
        happens(calibration, at)
    return calibration, asked


ENDINGS: dict[str, tuple[list[Line], CalibrationPhase, str, list[HostCommand]]] = {
    "saved": (
        [*TO_SAVING, (300.7, well(SAVE)), (300.8, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, but lost before its introduction": (
        [*TO_SAVING, (300.7, well(SAVE)), (300.8, received(UNPLUGGED))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, then silent": (
        [*TO_SAVING, (300.7, well(SAVE)), (302.8, TICK)],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "saved, but the answer is lost": (
        [*TO_SAVING, (302.6, TICK), (302.7, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "the request to save is lost": (
        [*TO_SAVING, (302.6, TICK), (302.7, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board has not saved it. Start again",
        [*ALL_ASKED, Identify(), Calibrate(ABORT)],
    ),
    "lost while saving": (
        [*TO_SAVING, (300.7, received(UNPLUGGED))],
        CalibrationPhase.DOUBTFUL,
        "The board is unplugged. Plug it in again.",
        ALL_ASKED,
    ),
    "lost while saving, back with the new calibration": (
        [
            *TO_SAVING,
            (300.7, received(UNPLUGGED)),
            (390, TICK),
            (400, received(Connected(PORT, NEW))),
        ],
        CalibrationPhase.SAVED,
        "",
        ALL_ASKED,
    ),
    "lost while saving, back without the new calibration": (
        [*TO_SAVING, (300.7, received(UNPLUGGED)), (400, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board has not saved it.",
        [*ALL_ASKED, Calibrate(ABORT)],
    ),
    "silent while saving": (
        [*TO_SAVING, (302.6, TICK), (304.6, TICK)],
        CalibrationPhase.DOUBTFUL,
        "The board does not answer.",
        [*ALL_ASKED, Identify()],
    ),
    "left at once": (
        [(1, LEAVE), (1.1, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(ABORT)],
    ),
    "cancelled at the second step": (
        [*TO_STEP_2, (200, LEAVE), (200.1, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "cancelled while the board is busy": (
        [*TO_STEP_2, (300, GO_ON), (300.2, LEAVE), (300.6, well(STAND)), (300.7, well(ABORT))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(EMPTY), Calibrate(STAND), Calibrate(ABORT)],
    ),
    "cancelled too late": (
        [*TO_SAVING, (300.7, LEAVE), (300.8, well(SAVE)), (300.9, received(Connected(PORT, NEW)))],
        CalibrationPhase.SAVED,
        "",
        [*ALL_ASKED, Identify()],
    ),
    "unplugged during a step": (
        [*TO_STEP_2, (200, received(UNPLUGGED))],
        CalibrationPhase.UNCHANGED,
        "The board is unplugged. Plug it in again. Then start again.",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "silent while busy": (
        [(0, GO_ON), (1.1, received(SILENT))],
        CalibrationPhase.UNCHANGED,
        "The board has stopped responding.",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "restarted, with an introduction": (
        [*TO_STEP_2, (200, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "The board restarted and lost the measurements. Start again",
        [Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "restarted unnoticed": (
        [*TO_STEP_2, (200, GO_ON), (200.1, answered(STAND, {CalibrationResult.OUT_OF_ORDER: 0}))],
        CalibrationPhase.UNCHANGED,
        "The board restarted and lost the measurements. Start again",
        [Calibrate(EMPTY), Calibrate(STAND), Calibrate(ABORT)],
    ),
    "without an answer": (
        [(0, GO_ON), (1.9, TICK), (2, TICK), (3.9, TICK), (4, TICK)],
        CalibrationPhase.UNCHANGED,
        "The board does not answer. Flash it with “boomboard flash”. Then start again.",
        [Calibrate(EMPTY), Calibrate(EMPTY), Calibrate(ABORT)],
    ),
    "unplugged during the cancellation": (
        [(1, LEAVE), (1.1, received(UNPLUGGED))],
        CalibrationPhase.UNCHANGED,
        "The board is unplugged.",
        [Calibrate(ABORT), Calibrate(ABORT)],
    ),
    "restarted during the cancellation": (
        [(1, LEAVE), (1.1, received(Connected(PORT, HELLO)))],
        CalibrationPhase.UNCHANGED,
        "",
        [Calibrate(ABORT)],
    ),
}


@pytest.mark.parametrize(
    ("script", "phase", "error", "asked"), list(ENDINGS.values()), ids=list(ENDINGS)
)
def test_calibration_outcomes(
    script: list[Line], phase: CalibrationPhase, error: str, asked: list[HostCommand]
) -> None:
    calibration, commands = play(script)
    assert calibration.phase is phase
    assert calibration.error.startswith(error)
    assert bool(calibration.error) == bool(error)
    assert commands == asked
    assert calibration.verdict == {
        CalibrationPhase.SAVED: "Saved: the board uses the new calibration.",
        CalibrationPhase.UNCHANGED: "Nothing was changed.",
        CalibrationPhase.DOUBTFUL: (
            "The board will report whether it was saved as soon as it is back."
        ),
    }.get(phase)


def test_late_or_lost_answer() -> None:
    calibration, asked = play([(0, GO_ON), (2, TICK), (2.6, well(EMPTY)), (2.7, well(EMPTY))])
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    assert asked == [Calibrate(EMPTY), Calibrate(EMPTY)]


def test_no_next_step_while_busy() -> None:
    _, asked = play([(0, GO_ON), (0.1, GO_ON), (0.2, received(MessageReceived(State(20, ARMIES))))])
    assert asked == [Calibrate(EMPTY)]


def test_checksum_of_the_active_calibration() -> None:
    calibration, _ = play(TO_STEP_2)
    assert calibration.checksum == HELLO.calibration
    calibration, _ = play(ENDINGS["saved"][0])
    assert calibration.checksum == NEW.calibration
    calibration, _ = play(ENDINGS["saved, then silent"][0])
    assert calibration.checksum is None


def refused(*results: dict[CalibrationResult, int], hello: Hello = HELLO) -> GuidedCalibration:
    """Return a calibration whose second step was refused once with each of the given results."""
    script = list(TO_STEP_2)
    for n, result in enumerate(results, start=1):
        script += [(100 * n, GO_ON), (100 * n + 0.6, answered(STAND, result))]
    calibration, _ = play(script, hello)
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    return calibration


def test_occupied_square() -> None:
    occupied = {CalibrationResult.OCCUPIED: squares("e5", "k10")}
    calibration, _ = play([(0, GO_ON), (0.6, answered(EMPTY, occupied))])
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, EMPTY)
    (finding,) = calibration.findings
    assert finding.text.startswith("Something is detected on e5, k10. Remove it.")
    assert finding.squares == squares("e5", "k10")


FORGET = CalibrationStep.FORGET


def emptied(*felt: int) -> tuple[GuidedCalibration, list[HostCommand]]:
    """Refuse the first step once for each set of occupied squares.

    Return the calibration and its commands.
    """
    calibration, asked = play([])
    for each in felt:
        if asked and asked[-1] == Calibrate(FORGET):
            well(FORGET)(calibration, 0.5)
        else:
            calibration.go_on(0)
        answered(EMPTY, {CalibrationResult.OCCUPIED: each})(calibration, 0.6)
    return calibration, asked


@pytest.mark.parametrize(
    ("felt", "asked"),
    [
        (["e4"], [EMPTY]),
        (["e4", "d4"], [EMPTY, EMPTY]),
        (["e4", "e4 d4"], [EMPTY, EMPTY]),
        (["e4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY]),
        (["e4 d4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY]),
        (["e4", "e4", "e4", "e4"], [EMPTY, EMPTY, FORGET, EMPTY, EMPTY]),
    ],
)
def test_old_calibration_is_set_aside(felt: list[str], asked: list[CalibrationStep]) -> None:
    calibration, commands = emptied(*(squares(*each.split()) for each in felt))
    assert commands == [Calibrate(step) for step in asked]
    (finding,) = calibration.findings
    if FORGET in asked:
        assert finding.text.startswith("Something is still detected on e4. Remove it.")
        assert "the sensor's resting level is too far off" in finding.text
    else:
        assert finding.text.startswith("Something is detected on ")
        assert finding.text.endswith("If nothing is there, confirm again that the board is empty.")


def test_calibration_continues_after_setting_aside() -> None:
    calibration, commands = emptied(squares("e4"), squares("e4"))
    assert (calibration.phase, commands[-1]) == (CalibrationPhase.ASKED, Calibrate(FORGET))
    well(FORGET)(calibration, 1)
    well(EMPTY)(calibration, 2)
    assert (calibration.phase, calibration.step) == (CalibrationPhase.DUE, STAND)
    assert commands[-2:] == [Calibrate(FORGET), Calibrate(EMPTY)]


def test_refusals_have_sentences_and_signs() -> None:
    calibration = refused(
        {
            CalibrationResult.WEAK: squares("d1"),
            CalibrationResult.FLIPPED: squares("c2", "e7"),
            CalibrationResult.MISSING: squares("h10"),
        }
    )
    sentences = [finding.text.split(".")[0] for finding in calibration.findings]
    assert sentences == [
        (
            "No piece detected on h10: the square is empty, the piece has no "
            "magnet, or the sensor is dead"
        ),
        "Upside down: the magnets on c2, e7",
        "Weak: the magnets on d1",
    ]
    signs = {name(square): about for square, about in marks(calibration.findings).items()}
    assert signs == {"d1": "weak", "c2": "flipped", "e7": "flipped", "h10": "unfelt"}


def test_square_without_signal_twice_is_dead() -> None:
    missing = CalibrationResult.MISSING
    calibration = refused({missing: squares("e4", "c1")}, {missing: squares("e4", "k9")})
    dead, fresh = calibration.findings
    assert dead.text.startswith("Still nothing is detected on e4 (multiplexer 2, input 4).")
    assert "cannot be calibrated" in dead.text
    assert fresh.text.startswith("No piece detected on k9:")
    once_more = refused({missing: squares("e4")}, {CalibrationResult.WEAK: squares("e4")})
    assert [finding.about for finding in once_more.findings] == ["weak"]


def test_missing_army_is_one_refusal() -> None:
    calibration = refused({CalibrationResult.MISSING: BLUE}, {CalibrationResult.MISSING: BLUE})
    (finding,) = calibration.findings
    assert finding.text.startswith("Nothing is detected on 40 squares of the armies. Set up both")


@pytest.mark.parametrize(
    ("result", "squares", "expected"),
    [
        (
            CalibrationResult.OCCUPIED,
            RED | BLUE,
            "Something is detected on 80 squares. Remove all pieces. If",
        ),
        (CalibrationResult.FLIPPED, RED | BLUE, "The colours are swapped on 80 squares."),
        (CalibrationResult.WEAK, RED, "Weak: the magnets on 40 squares."),
    ],
)
def test_many_squares_are_summarized(
    result: CalibrationResult, squares: int, expected: str
) -> None:
    (finding,) = refused({result: squares}).findings
    assert finding.text.startswith(expected)
    assert finding.squares == squares


def test_missing_ground_is_suggested_for_switches() -> None:
    missing = {CalibrationResult.MISSING: RED | BLUE}
    for hello, expected in (
        (PRESENCE, "No piece is detected."),
        (HELLO, "Nothing is detected on 80"),
    ):
        (finding,) = refused(missing, hello=hello).findings
        assert finding.text.startswith(expected)


def test_repaired_square_is_dropped() -> None:
    calibration, _ = play(
        [*TO_STEP_2, (9, GO_ON), (9.6, answered(STAND, {CalibrationResult.WEAK: 1})), (20, GO_ON)]
    )
    assert calibration.findings == []


def test_texts_are_translated() -> None:
    script = [
        *TO_STEP_2,
        (9, GO_ON),
        (9.6, answered(STAND, {CalibrationResult.MISSING: squares("e4")})),
    ]
    calibration, _ = play(script, PRESENCE, "de")
    (finding,) = calibration.findings
    assert finding.text.startswith("Auf e4 wird keine Figur erkannt")
    calibration.take(UNPLUGGED, 30)
    assert calibration.verdict == "Es wurde nichts verändert."
    assert "Steck es wieder ein" in calibration.error


class Bench:
    """A simulated board behind a serial line that loses certain bytes."""

    def __init__(self, kind: BoardKind) -> None:
        self.board = SimulatedBoard(kind)
        inject(self.board, "drift:f5")  # so that the new calibration differs from the old one
        self.used = self.board.calibration
        self.now = 0.0
        self.is_plugged_in = True
        self.loses_command = self.loses_answer = False
        self._answers: list[Event] = []
        self.calibration = GuidedCalibration(self.hello, self.ask)

    @property
    def hello(self) -> Hello:
        learned = self.board.calibration
        checksum = learned.checksum if learned else 0
        return Hello((1, 0, 0), self.board.kind, ResetCause.POWER_ON, checksum)

    def ask(self, command: HostCommand) -> None:
        if not self.is_plugged_in or self.loses_command:
            return
        match command:
            case Calibrate(step):
                self._answers.append(MessageReceived(self.board.learn(step)))
            case Identify():
                self._answers.append(Connected(PORT, self.hello))

    def do(self, what: str, *, loses_command: bool = False, loses_answer: bool = False) -> None:
        self.now += 0.5
        self.loses_command, self.loses_answer = loses_command, loses_answer
        match what:
            case "go on":
                self._handle_the_pieces()
                self.calibration.go_on(self.now)
            case "leave":
                self.calibration.leave(self.now)
            case "wait":
                self.now += ANSWER_SECONDS
                self.calibration.tick(self.now)
            case "restart" if self.is_plugged_in:
                self.board.restart()
                self._answers.append(Connected(PORT, self.hello))
            case "unplug" if self.is_plugged_in:
                self.is_plugged_in = False
                self._answers.clear()
                self.board.restart()
                self.calibration.take(UNPLUGGED, self.now)
            case "plug in" if not self.is_plugged_in:
                self.is_plugged_in = True
                self.calibration.take(Connected(PORT, self.hello), self.now)
        self._deliver()

    def _deliver(self) -> None:
        while self._answers:
            answer = self._answers.pop(0)
            if not self.loses_answer:
                self.calibration.take(answer, self.now)

    def _handle_the_pieces(self) -> None:
        image = self.board.image()
        if self.calibration.step is EMPTY:
            for square in squares_in(image.occupied):
                self.board.take_away(square)
        elif not image.occupied:
            for side in Side:
                for square in squares_in(side.home):
                    self.board.stand(side, square)


HAPPENINGS = st.tuples(
    st.sampled_from(["go on"] * 4 + ["wait"] * 2 + ["leave", "restart", "unplug", "plug in"]),
    st.sampled_from([False] * 4 + [True]),
    st.sampled_from([False] * 4 + [True]),
)


@given(st.sampled_from(BoardKind), st.lists(HAPPENINGS, max_size=12))
def test_random_answers_end_the_calibration(
    kind: BoardKind, happenings: list[tuple[str, bool, bool]]
) -> None:
    bench = Bench(kind)
    for what, loses_command, loses_answer in happenings:
        bench.do(what, loses_command=loses_command, loses_answer=loses_answer)
        assert (
            bench.calibration.phase is not CalibrationPhase.DUE or bench.calibration.step in TASKS
        )
    for what in ("leave", "wait", "wait", "wait", "unplug", "plug in"):
        bench.do(what)
    saved = bench.board.calibration is not bench.used
    assert bench.calibration.phase is (
        CalibrationPhase.SAVED if saved else CalibrationPhase.UNCHANGED
    )
    ended = bench.calibration.verdict, bench.calibration.error
    for what in ("go on", "leave", "wait", "restart", "unplug", "plug in"):
        bench.do(what)
    assert (bench.calibration.verdict, bench.calibration.error) == ended


ANSWERS = st.builds(
    CalibrationReply,
    st.sampled_from(CalibrationStep),
    st.dictionaries(st.sampled_from(CalibrationResult), st.integers(0, 2**100 - 1), max_size=3),
)
EVENTS = st.one_of(
    ANSWERS.map(MessageReceived),
    st.sampled_from([HELLO, NEW]).map(lambda hello: Connected(PORT, hello)),
    st.sampled_from(LinkErrorKind).map(lambda kind: LinkError(kind, PORT, "{garbage}")),
)
INPUTS = st.one_of(st.sampled_from([GO_ON, GO_ON, LEAVE, TICK]), EVENTS.map(received))


@given(st.lists(st.tuples(st.floats(0, 3), INPUTS), max_size=20))
def test_arbitrary_frames_end_the_calibration(
    lines: list[tuple[float, Given]],
) -> None:
    calibration, now = GuidedCalibration(HELLO, lambda _: None), 0.0
    for seconds, happens in [*lines, (0.0, LEAVE), *[(ANSWER_SECONDS, TICK)] * 4]:
        now += seconds
        happens(calibration, now)
    assert calibration.phase not in (CalibrationPhase.DUE, CalibrationPhase.ASKED)
    assert calibration.verdict
    calibration.take(Connected(PORT, HELLO), now)
    assert calibration.phase in (CalibrationPhase.SAVED, CalibrationPhase.UNCHANGED)
