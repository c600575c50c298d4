"""How a game ended, as the commands print it."""

from engine.rulings import GameOver


def as_json(outcome: GameOver | None) -> dict[str, str | None] | None:
    """The end of a game; a draw has no winner, a game that has not ended no outcome."""
    if outcome is None:
        return None
    winner = outcome.winner.value if outcome.winner else None
    return {"winner": winner, "reason": outcome.reason.value}


def in_words(outcome: dict[str, str | None] | None) -> str:
    """Say the end of a game, given as JSON, in a few words."""
    if outcome is None:
        return "not over"
    winner = f"{outcome['winner'].capitalize()} wins" if outcome["winner"] else "a draw"
    return f"{winner} ({outcome['reason']})"
