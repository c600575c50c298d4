"""Count the calls that turn a frame into a move: ``python -m tests.bench.frame_path``.

The command counts the files and calls inside `Table.handle`, and the calls between files. ``-v``
prints the names of all called functions.
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

from companion.core.game_context import Step
from companion.core.inputs import Input
from companion.core.table import Table
from engine.game.actions import Move
from tests.companion.core.table_driver import TableDriver

_ROOT: Final = Path(__file__).parents[2]
_PRODUCT: Final = tuple(f"{_ROOT / part}/" for part in ("companion", "engine", "firmware_bridge"))


class FramePath:
    """Calls that the table made for the latest input that became a move.

    Each call consists of the calling file, the called file and the function.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []
        driver, handle = TableDriver.begun(), Table.handle

        def measured(table: Table, given: Input) -> Step:
            # Discard cached verdicts, so that the move is judged again.
            table.referee.game.judged.clear()
            calls: list[tuple[str, str, str]] = []

            def note(frame: FrameType, event: str, _: object) -> None:
                called, caller = frame.f_code, frame.f_back
                if event == "call" and caller and called.co_filename.startswith(_PRODUCT):
                    calls.append((caller.f_code.co_filename, called.co_filename, called.co_name))

            sys.setprofile(note)
            try:
                step = handle(table, given)
            finally:
                sys.setprofile(None)
            if any(isinstance(action, Move) for action in step.actions):
                self.calls = calls
            return step

        Table.handle = measured  # type: ignore[method-assign,assignment]
        try:
            driver.move("e4", "e5")
        finally:
            Table.handle = handle  # type: ignore[method-assign]


if __name__ == "__main__":
    found = FramePath().calls
    files, hops = {file for _, file, _ in found}, sum(a != b for a, b, _ in found)
    sys.stdout.write(f"{len(files)} files, {len(found)} calls, {hops} from one file to another\n")
    for (file, name), times in Counter(call[1:] for call in found if "-v" in sys.argv).items():
        sys.stdout.write(f"{times:4} {Path(file).relative_to(_ROOT)} {name}\n")
