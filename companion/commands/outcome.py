"""How a game ended, as the commands print it."""

from engine.play.rulings import GameOver, Reason


def as_json(outcome: GameOver | None) -> dict[str, str | None] | None:
    """The end of a game; a game that has not ended has no outcome.

    Nobody is the winner of a draw, nor of a game that the arbiter has declared lost for both.
    """
    if outcome is None:
        return None
    winner = outcome.winner.value if outcome.winner else None
    return {"winner": winner, "reason": outcome.reason.value}


def in_words(outcome: dict[str, str | None] | None) -> str:
    """Say the end of a game, given as JSON, in a few words."""
    if outcome is None:
        return "not over"
    if outcome["winner"]:
        end = f"{outcome['winner'].capitalize()} wins"
    else:
        end = "both have lost" if outcome["reason"] == Reason.FORFEIT.value else "a draw"
    return f"{end} ({outcome['reason']})"
