"""The outcome of a game, as the commands print it."""

from engine.game.rulings import GameOver, Reason


def as_json(outcome: GameOver | None) -> dict[str, str | None] | None:
    """Return the outcome of a game as JSON; an unfinished game has none.

    There is no winner in a draw, nor in a game that the arbiter has declared lost for both.
    """
    if outcome is None:
        return None
    winner = outcome.winner.value if outcome.winner else None
    return {"winner": winner, "reason": outcome.reason.value}


def in_words(outcome: dict[str, str | None] | None) -> str:
    """Describe an outcome, given as JSON, in a few words."""
    if outcome is None:
        return "not over"
    if outcome["winner"]:
        end = f"{outcome['winner'].capitalize()} wins"
    else:
        end = "both have lost" if outcome["reason"] == Reason.FORFEIT.value else "a draw"
    return f"{end} ({outcome['reason']})"
