"""Runs the application in its real window, and reports the window's contents to tests.

Usage: ``python -m tests.companion.ui.window_probe play OPTIONS``, with the companion's options.

When the touchable widgets change, the process prints a `WindowView` as JSON. It prints nothing
while widgets have only just changed, because the application ignores touches during that time.
"""

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

from companion import cli
from companion.ui import app

Point = tuple[int, int]


@dataclass
class WindowView:
    view: str
    size: Point
    """Size of the window, in pixels."""
    plies: int
    """Number of plies that have been ruled on."""
    buttons: dict[str, Point] = field(default_factory=dict)
    """Centre of each widget with an id, in pixels from the upper left. If a widget is part of
    another one, its name is `whole.part`."""
    squares: dict[str, Point] = field(default_factory=dict)
    """Centre of each square on the simulated board."""
    standing: dict[str, str] = field(default_factory=dict)
    """Side of the piece drawn on each square, by square name."""
    peeked: list[str] = field(default_factory=list)
    """Sides whose ranks are drawn."""

    @classmethod
    def read(cls, line: str) -> "WindowView":
        """Parse a line of output."""
        view = json.loads(line)
        return cls(
            view["view"],
            (view["size"][0], view["size"][1]),
            view["plies"],
            {name: (x, y) for name, (x, y) in view["buttons"].items()},
            {name: (x, y) for name, (x, y) in view["squares"].items()},
            view["standing"],
            view["peeked"],
        )


class Watcher:
    def __init__(self) -> None:
        self._seen: WindowView | None = None
        self._reported: WindowView | None = None

    def look(self, _seconds: float) -> None:
        """Report a change once the layout is stable, which takes several frames."""
        from kivy.app import App  # noqa: PLC0415 (needs the settings)

        program = App.get_running_app()
        if program and program.root and not program.presenter.is_new:
            sight = see(program)
            if sight == self._seen and sight != self._reported:
                self._reported = sight
                sys.stdout.write(json.dumps(asdict(sight)) + "\n")
                sys.stdout.flush()
            self._seen = sight


def see(program: Any) -> WindowView:
    from engine.board.geometry import SQUARES, name  # noqa: PLC0415 (beside the next)
    from tests.companion.ui.driver import is_shown, walk  # noqa: PLC0415 (needs the settings)

    width, height = program.root.get_root_window().size

    def place(widget: Any, x: float, y: float) -> Point:
        across, up = widget.to_window(x, y)
        return round(across), round(height - up)

    table = program.host.table
    sight = WindowView(program.face.face.name, (width, height), table.view.plies if table else 0)
    known = {
        widget: outer
        for each in walk(program.root)
        for outer, widget in getattr(each, "ids", {}).items()
    }
    for widget in walk(program.root):
        for inner, part in getattr(widget, "ids", {}).items():
            if is_shown(part) and not part.disabled:
                whole = known.get(widget)
                called = f"{whole}.{inner}" if whole else inner
                sight.buttons[called] = place(part, *part.center)
    board = program.face.simulated_board
    if board:
        pieces = program.host.tabletop.standing
        sight.peeked = [side.value for side in program.host.tabletop.peeked]
        for square in SQUARES:
            sight.squares[name(square)] = place(board, *board.grid.centre(square))
            if side := pieces.at(square).side:
                sight.standing[name(square)] = side.value
    return sight


def main() -> int:
    prepare, watcher = app._prepare, Watcher()

    def prepare_and_watch(**options: bool) -> None:
        prepare(**options)
        from kivy.clock import Clock  # noqa: PLC0415 (needs the settings)

        Clock.schedule_interval(watcher.look, 0)  # Kivy holds only a weak reference to the watcher

    app._prepare = prepare_and_watch
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
