"""Test that every calibration ends, whatever the user and the board do."""

from hypothesis import given
from hypothesis import strategies as st

from companion.diagnostics.calibration import (
    ANSWER_SECONDS,
    TASKS,
    CalibrationPhase,
    GuidedCalibration,
)
from engine.board.geometry import Side, squares_in
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
)
from tests.companion.diagnostics.boards import HELLO
from tests.companion.diagnostics.calibration_script import (
    EMPTY,
    GO_ON,
    LEAVE,
    NEW,
    PORT,
    TICK,
    UNPLUGGED,
    Given,
    received,
)


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
