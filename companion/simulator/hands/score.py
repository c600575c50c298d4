"""What a table is worth: how often it was right, and how it behaved when it could not be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Mistake:
    """One thing that went wrong, so that it can be looked at alone."""

    kind: str
    """``wrong``, ``missed``, ``complaint``, ``untold``, ``unknowable`` or ``broken``."""
    profile: str
    game: int
    ply: int
    """The number of the turn that it was about, from 1."""
    at: float
    """When it was found, in seconds of the game."""
    true: str
    """What had been done."""
    seen: str
    """What the table made of it."""
    did: tuple[str, ...] = ()
    """How it had been done."""
    is_silent: bool = False
    """Whether nobody was told or asked."""

    def __str__(self) -> str:
        silent = ", silently" if self.is_silent else ""
        how = f" [{', '.join(self.did)}]" if self.did else ""
        where = f"{self.profile} --game {self.game}, {self.at:.2f} s, ply {self.ply}"
        return f"{where}: {self.kind}{silent}: {self.seen or 'nothing'}; true: {self.true}{how}"


@dataclass
class Score:
    """What was counted in one game or in many."""

    games: int = 0
    plies: int = 0
    attacks: int = 0
    wrong: int = 0
    """Turns that were ruled otherwise than they were made, or never made at all."""
    silent: int = 0
    """Of these, those about which nobody was told or asked."""
    missed: int = 0
    """Turns that stood and were neither ruled nor asked about within 3 s."""
    complaints: int = 0
    """Told as wrong though all was legal and finished, or a hand still busy."""
    amended: int = 0
    """Turns that were ruled otherwise at first, and right in the end: none of them is wrong."""
    untold: int = 0
    """What was really wrong, and was not told within 3 s."""
    helped: int = 0
    """Complaints about what was really wrong."""
    questions: int = 0
    """Asked so that the game waits."""
    offers: int = 0
    """Asked so that it goes away by itself."""
    unknowable: int = 0
    """What no sensor can know, taken for something else."""
    unseen: int = 0
    """Attacks of which no sensor felt anything; the players opened them on the screen."""
    anew: int = 0
    """Games that were given up as the table and the players had lost each other."""
    broken: int = 0
    """Answers that made no sense."""
    ruled_ms: list[int] = field(default_factory=list)
    """From the release to the ruling."""
    apart_ms: list[int] = field(default_factory=list)
    """The same of turns that were amended, asked about or opened on the screen, or ruled while
    something was really wrong."""
    shown_ms: list[int] = field(default_factory=list)
    """From the release to the first thing that shows it."""
    done: Counter[str] = field(default_factory=Counter)
    """How often each behaviour has occurred."""
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Count another score in."""
        for each in fields(self):
            own, more = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, own + more)

    def per_thousand(self, count: int) -> float:
        """A count of every thousand plies."""
        return 1000 * count / self.plies if self.plies else 0.0

    def as_json(self) -> dict[str, Any]:
        """The score as plain data, with the spread of the latencies in place of all of them."""
        plain = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.type is int or each.type == "int"
        }
        for name in ("ruled_ms", "apart_ms", "shown_ms"):
            plain[name] = spread(getattr(self, name))
        return plain | {
            "done": dict(sorted(self.done.items())),
            "mistakes": [asdict(mistake) for mistake in self.mistakes],
        }


def spread(values: Iterable[int]) -> dict[str, int | None]:
    """The median, the 95th and the 99th of a hundred, and how many there are."""
    ordered = sorted(values)
    found: dict[str, int | None] = {
        name: quantile(ordered, part)
        for name, part in (("median", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return found | {"count": len(ordered)}


def quantile(ordered: Sequence[int], part: float) -> int | None:
    """The value below which that part of all values lies; None of none."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None
