"""The time control of a game, as a text for the players."""

from companion.speech.language import N_, Language
from engine.game.clocks import TimeControl, clock_text


def time_allowed(control: TimeControl, language: Language) -> str:
    """Return all numbers of a time control in one line."""
    parts = []
    if control.each is not None:
        each = minutes(control.each)
        if control.delay:
            said = N_("{time} min + {delay} s each")
            parts.append(language.text(said, time=each, delay=f"{control.delay:g}"))
        else:
            parts.append(language.text(N_("{time} min each"), time=each))
    if control.whole is not None:
        parts.append(language.text(N_("{time} min in all"), time=minutes(control.whole)))
    if control.setup is not None:
        parts.append(language.text(N_("{time} min to set up"), time=minutes(control.setup)))
    return ", ".join(parts) or language.text(N_("no clock"))


def minutes(seconds: float) -> str:
    """Format a time in minutes: ``12``, or ``12:30`` for a fraction."""
    return clock_text(seconds).removesuffix(":00")
