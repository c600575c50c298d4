"""Move recognition cases. Each consists of a trace and a text file. `make cases` records them
again.

The text file describes the case. The block after its last empty line is the expected result: every
decision as printed by `boomboard trace replay`, and the final state.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from companion.core.game_options import GameOptions
from companion.core.inputs import Input
from companion.core.state import TableState
from companion.recorder.replay import headline, replay
from companion.recorder.trace_files import SUFFIX, InputOutcome, Line, TraceLines, pack
from companion.recorder.trace_reader import read_trace
from engine.board.geometry import name, names
from tests.companion.core.table_driver import TableDriver
from tests.companion.recorder.excerpts import CUT_OUTS, CutOut
from tests.companion.recorder.scripts import SCRIPTS

FOLDER: Final = Path(__file__).parent / "cases"
NAMES: Final = sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))
BEGUN: Final = "2000-01-01T00:00:00+00:00"
"""Start time of every script. It is fixed, so that each recording produces the same file."""


def trace_of(case: str) -> Path:
    return FOLDER / f"{case}{SUFFIX}"


def text_of(case: str) -> Path:
    return FOLDER / f"{case}.txt"


def expected_result(case: str) -> list[str]:
    return text_of(case).read_text("utf-8").strip().split("\n\n")[-1].splitlines()


def trace_result(path: Path) -> list[str]:
    """Return every decision of a trace, and the final state."""
    decisions: list[str] = []
    last = None
    for last in replay(read_trace(path)):
        decisions.extend(map(headline, last.decisions))
    assert last, "the trace has no input"
    assert last.state, last.broke
    return [*decisions, f"at the end: {_describe(last.state)}"]


def _describe(state: TableState) -> str:
    difference = state.difference
    about = [state.name]
    about += [f"{name(state.lifted)} is up"] if state.lifted is not None else []
    about += [f"missing on {names(difference.missing)}"] if difference.missing else []
    about += [f"too much on {names(difference.surplus)}"] if difference.surplus else []
    about += ["something is asked"] if state.asked.answers else []
    about += ["the board has to be cleared"] if state.waits_for_board and not difference else []
    return ", ".join(about)


def record(driver: TableDriver) -> bytes:
    """Return a session as a trace file. The same session always gives the same file."""
    beginning = GameOptions(driver.table.referee.edition, driver.seed, driver.control)
    return pack(_lines(beginning, driver.inputs))


def record_cut_out(cut_out: CutOut) -> bytes:
    """Play a game. Return an excerpt as a trace file."""
    return pack(_lines(*cut_out.cut()))


def _lines(beginning: GameOptions, inputs: Iterable[Input]) -> Iterator[Line]:
    table = beginning.table()
    lines = TraceLines(beginning, version("boomboard"), BEGUN)
    yield from lines.header(None)
    for given in inputs:
        yield from lines.begin_input(given)
        yield from lines.end_input(InputOutcome(table.handle(given), table.next_deadline))
    yield from lines.flush()
    yield {"end": "closed"}


if __name__ == "__main__":
    for case, script in SCRIPTS.items():
        trace_of(case).write_bytes(record(script()))
    for case, cut_out in CUT_OUTS.items():
        path = trace_of(case)
        before = path.read_bytes() if path.exists() else None
        path.write_bytes(record_cut_out(cut_out))
        if before and trace_result(path) != expected_result(case):
            path.write_bytes(before)
            sys.stderr.write(f"{case}: the hands play another game now; its trace stays.\n")
