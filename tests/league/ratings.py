"""Scores with confidence intervals, and Elo differences."""

from math import log10, sqrt
from typing import NamedTuple

_Z = 1.96
"""Quantile of the normal distribution for a 95 % interval."""


class Score(NamedTuple):
    """Match result, from the first player's point of view."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Fraction of points won. A draw counts as half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval for the fraction of points won."""
        n, p = self.games, self.share
        if not n:
            return 0.0, 1.0
        centre = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.won} won, {self.drawn} drawn, {self.lost} lost of {self.games}: "
            f"{100 * self.share:.1f} % (95 % interval {100 * low:.1f} to {100 * high:.1f}), "
            f"Elo {elo(self.share):+.0f} ({elo(low):+.0f} to {elo(high):+.0f})"
        )


def elo(share: float) -> float:
    """Return the Elo difference for a fraction of points won, limited to about ±800."""
    share = min(0.99, max(0.01, share))
    return -400 * log10(1 / share - 1)
