"""Writes the score sheet of a finished game.

A score sheet reveals every known rank, so it must not be shown during the game (rules.md §10).
"""

from dataclasses import dataclass, field
from textwrap import fill
from typing import Final, TypeAlias

from companion.reports.replay import as_placed
from companion.reports.reviews import printable, review_paragraphs
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.review_texts import TITLE
from companion.speech.small_texts import (
    handicap_text,
    rulebook_title,
    seal_facts,
    time_allowed,
)
from engine.board.geometry import Side, name
from engine.game import actions, rulings
from engine.game.clocks import NO_CLOCK, clock_text
from engine.game.referee import Referee
from engine.records.transcript import Transcript, TranscriptEntry, sealed_result
from engine.rules.editions import Edition, MovedBombPenalty
from engine.rules.movement import CombatResult

_WIDTH: Final = 72
_NAME: Final = 40
"""Maximum length of a player's name, in characters."""
_SIGNS: Final = {
    CombatResult.ATTACKER_WINS: ">",
    CombatResult.DEFENDER_WINS: "<",
    CombatResult.BOTH_FALL: "=",
}
_UNKNOWN: Final = "?"
_STANDS: Final = "!"
_BOARD: Final = N_("[board]")
"""Notation of a ply in which both sides agreed to adopt the board."""
Made: TypeAlias = rulings.Moved | rulings.Combat | rulings.Infiltrated | rulings.BoardAdopted


def score_sheet(transcript: Transcript, language: Language) -> str:
    """Write the score sheet of a game, with its result.

    If an action is illegal, the sheet ends there and gives the error instead of the result.

    A ply is written ``e4-e5``, and an attack ``e5xe6 (7>4)``: the attacker's rank, the result and
    the defender's rank. An infiltration is written ``d8?d9 (7 right)``; ``!`` marks a violation
    that the arbiter has allowed, and ``[board]`` a board that both sides have adopted. The legend
    on the sheet explains the notation in the players' language. Other events of a turn are written
    below it: disputes, decisions and take-backs.
    """
    scribe = _ScoreWriter(transcript, language)
    parts = [
        _head(transcript, language),
        _setup(transcript, language),
        _table(scribe, transcript.control != NO_CLOCK, language),
        _end(transcript, scribe.turns, language),
        _seals(transcript, language),
        _review(transcript, language),
        _legend(transcript, scribe, language),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def written_plies(transcript: Transcript, language: Language) -> list[str]:
    """Return every ply that was not taken back, in score-sheet notation."""
    return [ply.text for ply in _ScoreWriter(transcript, language).plies]


def written(made: Made, language: Language) -> str:
    """Return the ruling on a ply in score-sheet notation."""
    if isinstance(made, rulings.BoardAdopted):
        return language.text(_BOARD)
    source, target = name(made.source), name(made.target)
    match made:
        case rulings.Moved():
            return f"{source}-{target}"
        case rulings.Combat():
            defender = _UNKNOWN if made.defender is None else language.sign(made.defender)
            fought = f"{language.sign(made.attacker)}{_SIGNS[made.result]}{defender}"
            return f"{source}x{target} ({fought})"
        case rulings.Infiltrated():
            answer = language.text(N_("Right") if made.right else N_("Wrong")).lower()
            return f"{source}?{target} ({language.sign(made.guess)} {answer})"


@dataclass
class _Ply:
    made: Made
    text: str
    stands: bool
    """Whether the arbiter has allowed the ply although it breaks a rule."""
    seconds: float
    """Duration in seconds, from the end of the previous ply."""
    notes: list[str] = field(default_factory=list)


Turns: TypeAlias = list[dict[Side, _Ply]]


class _ScoreWriter:
    """Collects a game's plies with their notes."""

    def __init__(self, transcript: Transcript, language: Language) -> None:
        self.plies: list[_Ply] = []
        self.notes: list[str] = []
        """Notes added since the latest ply."""
        self._language = language
        self._sentence = Announcer(language).sentence
        self._since = 0.0
        self._stands = False
        """Whether the arbiter has allowed the current ply although it breaks a rule."""
        self._end: rulings.GameOver | None = None
        self._opened = ""
        """The latest attack or guess, as text."""
        self._run: _Ply | None = None
        """The latest scout move that became an attack. If the attack is withdrawn, the move is
        restored."""
        referee = Referee.waiting(transcript.edition)
        for entry in transcript.carried_out:
            referee.apply(entry.action)
            self._write(entry, referee.plies)

    @property
    def turns(self) -> Turns:
        """The plies, grouped into turns.

        Red begins, but an arbiter may let a side move twice in a row.
        """
        turns: Turns = []
        for ply in self.plies:
            if not turns or ply.made.side is Side.RED or ply.made.side in turns[-1]:
                turns.append({})
            turns[-1][ply.made.side] = ply
        return turns

    def _write(self, entry: TranscriptEntry, plies: int) -> None:
        match entry.action:
            case actions.PlaceArmies():
                self._since = entry.at
            case actions.Amend() if isinstance(entry.rulings[0], rulings.Moved):
                self._reopen()
            case actions.Amend():
                self._run = self._reopen()
            case actions.TakeBack():
                self._take_back(plies)
            case actions.WithdrawAttack():
                self._stands = False
                if self._run and len(self.plies) < plies:
                    self.plies.append(self._run)
                    self.notes = self.notes[len(self._run.notes) :]
                    self._since += self._run.seconds
        for ruling in entry.rulings:
            self._note(ruling, entry)
            if isinstance(ruling, Made):
                self._add(ruling, entry.at)

    def _note(self, ruling: rulings.Ruling, entry: TranscriptEntry) -> None:
        match ruling:
            case rulings.Overridden():
                self._stands = True
                self.notes.append(self._sentence(ruling))
            case rulings.Disputed() if isinstance(entry.action, actions.UpholdDeclaration):
                rank = self._language.rank(entry.action.rank.unseal())
                insists = N_("{side} insists: {rank} on {square}.")
                side, square = self._language.side(ruling.side), name(ruling.square)
                text = self._language.text(insists, side=side, rank=rank, square=square)
                self.notes.append(text)
            case (
                rulings.DisputeSettled()
                | rulings.Corrected()
                | rulings.BoardAdopted()
                | rulings.StalemateClaimed()
                | rulings.MoveRequired()
            ):
                self.notes.append(self._sentence(ruling))
            case rulings.SealsBroken() | rulings.ArmyOpened():
                self.notes.append(self._sentence(ruling))
            case rulings.AttackOpened():
                side = self._language.side(ruling.side)
                self._opened = f"{side} {name(ruling.source)}x{name(ruling.target)}"
            case rulings.InfiltrationOpened():
                side = self._language.side(ruling.side)
                self._opened = f"{side} {name(ruling.source)}?{name(ruling.target)}"
            case rulings.GameOver():
                self._end = ruling

    def _add(self, made: Made, at: float) -> None:
        text = written(made, self._language) + (_STANDS if self._stands else "")
        took = max(0, at - self._since)  # restarting the program resets the clock
        self.plies.append(_Ply(made, text, self._stands, took, self.notes))
        self.notes, self._stands, self._since = [], False, at

    def _reopen(self) -> _Ply:
        """Reopen and return the latest ply, because the turn goes on.

        The turn keeps its time and notes.
        """
        begun = self.plies.pop()
        self.notes = begun.notes + self.notes
        self._since -= begun.seconds
        return begun

    def _take_back(self, plies: int) -> None:
        """Note what was taken back: the end of the game, the last ply, or a pending action."""
        what = self._sentence(self._end) if self._end else self._opened
        if len(self.plies) > plies:
            ply = self.plies.pop()
            what = f"{self._language.side(ply.made.side)} {ply.text}"
            self.notes = ply.notes + self.notes
            # If the ply's last action has ended the game, only that action is taken back.
            self._stands = self._end is not None and ply.stands
        elif not self._end:
            self._stands = False
        self._end = None
        self.notes.append(self._language.text(N_("Taken back: {what}"), what=what))


def _head(transcript: Transcript, language: Language) -> str:
    edition = transcript.edition
    options = {
        N_("silent defence"): edition.silent_defence,
        N_("aggressor advantage"): edition.aggressor_advantage,
        N_("touch-move"): edition.touch_move,
        N_("sealed armies"): edition.sealed_armies,
        N_("moving a bomb or the flag loses"): _was_chosen_to_lose(edition),
    }
    chosen = [language.text(option) for option, is_chosen in options.items() if is_chosen]
    lines = [
        language.text(N_("Score sheet")),
        language.text(N_("Rules: {rulebook}"), rulebook=rulebook_title(edition, language)),
        *filter(None, [fill(", ".join(chosen), _WIDTH)]),
    ]
    if edition.handicap:
        lines.append(fill(handicap_text(edition.handicap, edition.army, language), _WIDTH))
    if transcript.control != NO_CLOCK:
        clock = time_allowed(transcript.control, language)
        lines.append(language.text(N_("Clock: {clock}"), clock=clock))
    if transcript.begun:
        lines.append(language.text(N_("Started: {moment}"), moment=transcript.begun))
    if transcript.players:
        for side, player in zip(Side, transcript.players, strict=True):
            shown = printable(player[:_NAME])  # the file is untrusted
            named = N_("{side}: {player}")
            lines.append(language.text(named, side=language.side(side), player=shown))
    return "\n".join(lines)


def _was_chosen_to_lose(edition: Edition) -> bool:
    """Whether the players have chosen the rule that moving a bomb or a flag loses the game."""
    return edition.moved_bomb is MovedBombPenalty.LOSES and bool(edition.moved_bomb_choices)


def _setup(transcript: Transcript, language: Language) -> str:
    return as_placed(transcript).draw(language.sign) if transcript.entries else ""


def _table(scribe: _ScoreWriter, timed: bool, language: Language) -> str:
    """Write the plies in two columns: one turn of both sides per line, with its notes below."""
    rows = [("", language.side(Side.RED), language.side(Side.BLUE), "")]
    notes: list[list[str]] = [[]]
    if timed:
        rows[0] = (*rows[0][:3], language.text(N_("Time")))
    for number, turn in enumerate(scribe.turns, start=1):
        red, blue = (turn[side].text if side in turn else "" for side in Side)
        times = "  ".join(f"{_time(turn.get(side)):>5}" for side in Side)
        rows.append((f"{number}.", red, blue, times if timed else ""))
        notes.append([note for ply in turn.values() for note in ply.notes])
    notes[-1] += scribe.notes
    if not any((*scribe.plies, *scribe.notes)):
        return ""
    left, *wide = (max(2, *(len(row[column]) for row in rows)) for column in range(3))
    lines = []
    for (number_, red, blue, times), below in zip(rows, notes, strict=True):
        line = f"{number_:>{left}} {red:<{wide[0]}}  {blue:<{wide[1]}}  {times}"
        lines.append(line.rstrip())
        margin = " " * (left + 1)
        lines += [
            fill(note, _WIDTH, initial_indent=margin, subsequent_indent=margin) for note in below
        ]
    return "\n".join(lines)


def _time(ply: _Ply | None) -> str:
    if ply is None:
        return ""
    return clock_text(round(ply.seconds))


def _end(transcript: Transcript, turns: Turns, language: Language) -> str:
    sentence = Announcer(language).sentence
    lines = []
    if transcript.outcome:
        lines.append(sentence(transcript.outcome))
    # Both armies may break the same rule, which is then mentioned only once.
    rule = " ".join(dict.fromkeys(map(sentence, transcript.violations)))
    match transcript.entries[-1:]:
        case [TranscriptEntry(action=actions.Move() | actions.Attack() as illegal)] if rule:
            referee = transcript.referee()
            began = turns and referee.to_move is Side.BLUE and Side.BLUE not in turns[-1]
            lines.append(
                language.text(
                    N_(
                        "Turn {turn}, {side}, {source} to {target} (ply {ply}) breaks a rule: "
                        "{rule}"
                    ),
                    turn=len(turns) + (not began),
                    side=language.side(referee.to_move),
                    source=name(illegal.source),
                    target=name(illegal.target),
                    ply=referee.plies + 1,
                    rule=rule,
                )
            )
        case [TranscriptEntry(action=actions.PlaceArmies())] if rule:
            lines.append(language.text(N_("The setup breaks a rule: {rule}"), rule=rule))
    if not lines:
        lines.append(language.text(N_("The game was not finished.")))
    return "\n".join(fill(line, _WIDTH) for line in lines)


def _seals(transcript: Transcript, language: Language) -> str:
    """Return the state of the sealed armies, or an empty string if no army is sealed."""
    result = sealed_result(transcript)
    return "\n".join(seal_facts(result, language)) if result else ""


def _review(transcript: Transcript, language: Language) -> str:
    """Return the review of a game, or an empty string if the game is not finished."""
    if transcript.outcome is None or transcript.violations:
        return ""
    filled = (
        fill(paragraph, _WIDTH, initial_indent="- ", subsequent_indent="  ")
        for paragraph in review_paragraphs(transcript, language)
    )
    return "\n".join([language.text(TITLE), *filled])


def _legend(transcript: Transcript, scribe: _ScoreWriter, language: Language) -> str:
    lines = [
        language.text(N_("- move, x attack; > the attacker wins, < the defender wins, = both fall"))
    ]
    made = [ply.made for ply in scribe.plies]
    if any(isinstance(each, rulings.Infiltrated) for each in made):
        lines.append(language.text(N_("a7?a8 the infiltrator on a7 guesses the rank of a8")))
    if any(isinstance(each, rulings.BoardAdopted) for each in made):
        agreed = N_("both players agree that the board is right: not a turn")
        lines.append(f"{language.text(_BOARD)} {language.text(agreed)}")
    if any(ply.stands for ply in scribe.plies):
        stands = N_("The arbiter allows it.")
        lines.append(f"{_STANDS} {language.text(stands)}")
    pieces = as_placed(transcript).pieces if transcript.entries else {}
    unnamed = any(isinstance(each, rulings.Combat) and each.defender is None for each in made)
    if unnamed or any(rank is None for _, rank in pieces.values()):
        lines.append(language.text(N_("? a rank that was not revealed")))
    in_play = sorted({rank for _, rank in pieces.values() if rank is not None})
    # The no-break space keeps a symbol and its name on the same line.
    named = (f"{language.sign(rank)}\N{NO-BREAK SPACE}{language.rank(rank)}" for rank in in_play)
    lines.append(", ".join(named))
    filled = (fill(line, _WIDTH) for line in lines if line)
    return "\n".join(filled).replace("\N{NO-BREAK SPACE}", " ")
