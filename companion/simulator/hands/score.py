"""The score of a table: how often it was right, and how it behaved when it could not be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Mistake:
    """One mistake, with what is needed to investigate it."""

    kind: str
    """``wrong``, ``missed``, ``complaint``, ``untold``, ``unknowable`` or ``broken``."""
    profile: str
    game: int
    ply: int
    """The number of the turn concerned, from 1."""
    at: float
    """The time of its detection, in seconds of the game."""
    true: str
    """The true action."""
    seen: str
    """The table's interpretation."""
    did: tuple[str, ...] = ()
    """The behaviours with which it was done."""
    is_silent: bool = False
    """Whether the players got neither a message nor a question about it."""

    def __str__(self) -> str:
        silent = ", silently" if self.is_silent else ""
        how = f" [{', '.join(self.did)}]" if self.did else ""
        where = f"{self.profile} --game {self.game}, {self.at:.2f} s, ply {self.ply}"
        return f"{where}: {self.kind}{silent}: {self.seen or 'nothing'}; true: {self.true}{how}"


@dataclass
class Score:
    """The counts of one game or of many."""

    games: int = 0
    plies: int = 0
    attacks: int = 0
    wrong: int = 0
    """Turns ruled differently from how they were made, or never made at all."""
    silent: int = 0
    """Those of the wrong turns without any message or question to the players."""
    missed: int = 0
    """Turns that were complete and neither ruled nor asked about within 3 s."""
    complaints: int = 0
    """Complaints although everything was legal and finished, or a hand was still busy."""
    amended: int = 0
    """Turns that were at first ruled differently and finally right; they do not count as wrong."""
    untold: int = 0
    """Real errors on the board that were not reported within 3 s."""
    helped: int = 0
    """Complaints about real errors on the board."""
    questions: int = 0
    """Questions that make the game wait."""
    offers: int = 0
    """Questions that disappear by themselves."""
    unknowable: int = 0
    """Wrong interpretations of events that no sensor can distinguish."""
    unseen: int = 0
    """Attacks that no sensor detected; the players opened them on the screen."""
    anew: int = 0
    """Games that were abandoned because the table and the players lost track of each other."""
    broken: int = 0
    """Invalid answers."""
    ruled_ms: list[int] = field(default_factory=list)
    """Time from the release to the ruling."""
    apart_ms: list[int] = field(default_factory=list)
    """The same for turns that were amended, asked about or opened on the screen, or ruled during a
    real error on the board."""
    shown_ms: list[int] = field(default_factory=list)
    """Time from the release to the first visible reaction."""
    done: Counter[str] = field(default_factory=Counter)
    """Number of occurrences of each behaviour."""
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        for each in fields(self):
            own, more = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, own + more)

    def per_thousand(self, count: int) -> float:
        return 1000 * count / self.plies if self.plies else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the score as plain data, with statistics in place of the single latencies."""
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
    """Return the median, the 95th and 99th percentiles, and the count."""
    ordered = sorted(values)
    found: dict[str, int | None] = {
        name: quantile(ordered, part)
        for name, part in (("median", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return found | {"count": len(ordered)}


def quantile(ordered: Sequence[int], part: float) -> int | None:
    """Return the quantile of a sorted sequence: the value below which `part` of them lie.

    None if the sequence is empty.
    """
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None
