"""The incidents of a game as a page: an arbiter's record, readable during the game too."""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Final

from companion.speech.announcer import Announcer
from companion.speech.language import N_, Language
from companion.store.incidents import Incident
from companion.table.events import BoardDiffers, LossThreatens
from engine.board.geometry import Side, names
from engine.game.clocks import Clock, TimeControl, clock_text
from engine.records.transcript import Transcript
from engine.rules.violations import Violation

_WIDTH: Final = 78
_INDENT: Final = 10


def incident_sheet(game: Transcript, incidents: Sequence[Incident], language: Language) -> str:
    """Write the page."""
    announcer = Announcer(language)
    rulebook = language.rulebook(game.edition.rulebook)
    lines = [language.text(N_("Incidents")), f"{rulebook}  {game.begun}".rstrip()]
    if game.players:
        lines.append(" – ".join(game.players))
    for incident in incidents:
        when = " · ".join(moment_words(incident, game.control, language))
        lines += ["", f"{clock_text(int(incident.seconds)):>8}  {when}"]
        said = incident_words(incident, announcer)
        lines += [" " * _INDENT + line for line in wrap(said, _WIDTH - _INDENT)]
    if not incidents:
        lines += ["", language.text(N_("Nothing has come up."))]
    return "\n".join([*lines, ""])


def moment_words(incident: Incident, control: TimeControl, language: Language) -> list[str]:
    """Return the ply after which it happened, the side concerned, and the clocks, as text."""
    said = [language.text(N_("ply {ply}"), ply=incident.ply)]
    if incident.clock and control.each is not None:
        clock = Clock(control, incident.clock)
        lefts = {side: clock.left(side, 0) or 0 for side in Side}
        said += [f"{language.side(side)} {clock_text(left)}" for side, left in lefts.items()]
    return said


def incident_words(incident: Incident, announcer: Announcer) -> str:
    """Return the incident as it was announced; for a violation, also the side that committed it."""
    what, language = incident.what, announcer.language
    if isinstance(what, BoardDiffers | LossThreatens):
        squares = names(what.difference.missing | what.difference.surplus)
        return language.text(
            N_("The board is not as it should be on {squares}."),
            squares=", ".join(squares.split()),
        )
    if isinstance(what, Violation):
        cited = replace(what, citation=replace(what.citation, reading=None))
        broken = announcer.sentence(cited if what.citation.rulebook else what)
        if incident.side:
            side = language.side(incident.side)
            return language.text(N_("{side}: {rule}"), side=side, rule=broken)
        return broken
    return announcer.sentence(what)
