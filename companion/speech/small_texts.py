"""Short texts: errors, camera problems, rulebooks, handicaps, and facts about a game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from companion.opponent.levels import Level
from companion.speech.i18n import N_, Language
from companion.storage.errors import StorageError, StorageErrorKind
from companion.storage.journal_provider import QuarantinedFile
from engine.board.geometry import Side, name
from engine.board.ranks import Army, Rank
from engine.game.actions import Action, Amend, Attack, Infiltrate, Move
from engine.game.clocks import TimeControl, clock_text
from engine.game.views import PublicView
from engine.records.transcript import SealedResult, SealState
from engine.rules.editions import Edition, Handicap, Omission
from firmware_bridge.camera.notices import Notice, NoticeKind
from firmware_bridge.link import LinkError, LinkErrorKind, OtherProtocol

# Link errors, each with a remedy.

_ERRORS: Final[Mapping[LinkErrorKind, str]] = {
    LinkErrorKind.NO_BOARD: N_("No board found. Plug in its USB cable; the search continues."),
    LinkErrorKind.NO_SUCH_PORT: N_(
        "There is no serial port {port}. Plug in the board, or choose another port."
    ),
    LinkErrorKind.BUSY: N_(
        "Another program is using {port}. Close it, and this one will continue."
    ),
    LinkErrorKind.NO_PERMISSION: N_(
        "You may not use {port}. Join its group with “sudo usermod -aG dialout $USER”, log out and "
        "in again."
    ),
    LinkErrorKind.WRONG_FIRMWARE: N_(
        "The board on {port} does not report its protocol version. Flash the firmware that "
        "came with this program."
    ),
    LinkErrorKind.NO_ANSWER: N_(
        "The board on {port} does not respond. Unplug it and plug it in again. If it is new, "
        "install its firmware under “Board check”."
    ),
    LinkErrorKind.GARBAGE: N_(
        "{port} sends only garbage. Check that this is the board, and that its cable is intact."
    ),
    LinkErrorKind.SILENT: N_(
        "The board has stopped responding. If it does not recover, unplug it and plug it in again."
    ),
    LinkErrorKind.UNPLUGGED: N_("The board is unplugged. Plug it in again."),
}


_OTHER_PROTOCOL: Final = N_(
    "The board on {port} uses protocol version {theirs}, this program version {ours}. "
    "Flash the firmware that came with this program."
)


def link_error_text(error: LinkError, language: Language) -> str:
    """Return the problem and its remedy, entirely in the player's language."""
    match error.detail:
        case OtherProtocol(theirs, ours):
            numbers = {"theirs": theirs, "ours": ours}
            return language.text(_OTHER_PROTOCOL, port=error.port, **numbers)
        case str():  # for developers
            return language.text(_ERRORS[error.kind], port=error.port)


# Storage errors, each with a remedy.

_WORDS: Final[Mapping[StorageErrorKind, str]] = {
    StorageErrorKind.FULL: N_("The disk is full. Free some space."),
    StorageErrorKind.LOCKED: N_("Another program is using {file}: close it."),
    StorageErrorKind.DAMAGED: N_("{file} is damaged. Move it elsewhere."),
    StorageErrorKind.GAME: N_("The interrupted game is damaged. Start a new one."),
    StorageErrorKind.NEWER: N_("{file} was written by a newer Boomboard. Update this one."),
    StorageErrorKind.FOREIGN: N_("There are no games in {file}. Move it elsewhere."),
    StorageErrorKind.READ_ONLY: N_("{file} is read-only. Allow writing."),
    StorageErrorKind.FORBIDDEN: N_("Cannot write to {folder}. Change its permissions."),
    StorageErrorKind.UNOPENED: N_("{file} cannot be opened. Move it elsewhere."),
    StorageErrorKind.FAILING: N_("The disk with {file} is failing. Use another one."),
    StorageErrorKind.OTHER: N_("{file} cannot be used."),
}
_SET_ASIDE: Final[Mapping[StorageErrorKind, str]] = {
    StorageErrorKind.DAMAGED: N_(
        "The saved games were damaged. They are now in {file}. New games are saved."
    ),
    StorageErrorKind.NEWER: N_(
        "The saved games are from a newer Boomboard. They are now in {file}. New games are saved."
    ),
    StorageErrorKind.FOREIGN: N_(
        "Another program's file was in place of the saved games. It is now {file}. New games "
        "are saved."
    ),
}


def quarantine_text(aside: QuarantinedFile, language: Language) -> str:
    """Return a message that states why a file was quarantined, and the file's new path."""
    return language.text(_SET_ASIDE[aside.kind], file=aside.path)


def storage_error_text(error: StorageError, language: Language) -> str:
    """Return the error as a single plain sentence, without the system's error text."""
    return language.text(_WORDS[error.kind], file=error.path, folder=error.path.parent)


@dataclass(frozen=True)
class OpponentTexts:
    """The character of a computer opponent at one level. The name is the same in all languages."""

    name: str
    level: str
    temper: str
    """Short description of the opponent's style of play."""


OPPONENTS: Final[Mapping[Level, OpponentTexts]] = {
    Level.RECRUIT: OpponentTexts(
        "Pip", N_("Recruit"), N_("Loves to attack and soon forgets what was shown.")
    ),
    Level.CADET: OpponentTexts("Lena", N_("Cadet"), N_("Quick and bold, but easily surprised.")),
    Level.CAPTAIN: OpponentTexts("Bruno", N_("Captain"), N_("Careful, with a good memory.")),
    Level.MARSHAL: OpponentTexts(
        "Augusta", N_("Marshal"), N_("Patient. Forgets nothing and reads your moves.")
    ),
}


# Rulebooks.


@dataclass(frozen=True)
class RulebookName:
    """The usual name of a rulebook and a sentence about its special rules, both untranslated."""

    name: str
    about: str


RULEBOOK_NAMES: Final[Mapping[str, RulebookName]] = {
    "original-1992": RulebookName(
        N_("Classic"),
        N_("The large box of 1992. To and fro at most five times."),
    ),
    "compact-1992": RulebookName(
        N_("Compact"),
        N_("The small box of 1992. A player who cannot move loses."),
    ),
    "travel-2017": RulebookName(
        N_("Travel"),
        N_("The box of 2017. To and fro three times, no endless chase."),
    ),
    "nordic-2015": RulebookName(
        N_("With infiltrator"),
        N_("The Nordic box of 2015. One piece guesses ranks."),
    ),
    "gravopedia-2006": RulebookName(
        N_("Online"),
        N_("As on the Gravon server. Moving a bomb loses the game."),
    ),
    "isf": RulebookName(
        N_("Tournament"),
        N_("As the federation plays it, with clock and arbiter."),
    ),
}
"""Names of all editions by id, the most common first."""


def rulebook_title(edition: Edition, language: Language) -> str:
    """Return the usual name of a rulebook, followed by its printed title in brackets."""
    usual = language.text(RULEBOOK_NAMES[edition.id].name)
    return f"{usual} ({language.rulebook(edition.rulebook)})"


# Time controls.


def time_allowed(control: TimeControl, language: Language) -> str:
    """Describe a time control on a single line, including all its numbers."""
    parts = []
    if control.each is not None:
        each = minutes(control.each)
        if control.delay:
            message = N_("{time} min + {delay} s each")
            parts.append(language.text(message, time=each, delay=f"{control.delay:g}"))
        else:
            parts.append(language.text(N_("{time} min each"), time=each))
    if control.whole is not None:
        parts.append(language.text(N_("{time} min in total"), time=minutes(control.whole)))
    if control.setup is not None:
        parts.append(language.text(N_("{time} min for setup"), time=minutes(control.setup)))
    return ", ".join(parts) or language.text(N_("no clock"))


COMPUTER_SEAT: Final = N_("The computer plays {side}, so no phone can play this side.")
"""Message to a phone that occupies or requests the computer opponent's seat."""


# Handicaps.

OMISSIONS: Final[Mapping[Omission, str]] = {
    Omission.NOTHING: N_("all pieces"),
    Omission.SPY: N_("no spy"),
    Omission.SCOUTS: N_("no scouts"),
    Omission.HALF_THE_BOMBS: N_("half the bombs"),
    Omission.MARSHAL: N_("no marshal"),
    Omission.MARSHAL_AND_GENERAL: N_("no marshal or general"),
}
"""Descriptions of the army of the side that gives the handicap."""
ADVANTAGES: Final = {
    "open_army": N_("sees the enemy's ranks"),
    "take_backs": N_("may take back moves"),
    "double_time": N_("has twice the time"),
}
"""Other advantages of the favoured side, keyed by the name of the `Handicap` field."""


def omission_text(omission: Omission, army: Army) -> str:
    """Return the message about the pieces that one of the complete armies plays without."""
    if omission is Omission.HALF_THE_BOMBS and army.counts[Rank.BOMB] == 1:
        return N_("no bombs")  # barrage has a single bomb
    return OMISSIONS[omission]


def handicap_text(handicap: Handicap, army: Army, language: Language) -> str:
    """Describe all advantages of a handicap in short sentences.

    `army` is the complete army of one side.
    """
    is_complete = handicap.omission is Omission.NOTHING
    given = {
        handicap.favoured.other: [] if is_complete else [omission_text(handicap.omission, army)],
        handicap.favoured: [text for field, text in ADVANTAGES.items() if getattr(handicap, field)],
    }
    parts = [
        language.text(
            N_("{side}: {advantages}"),
            side=language.side(side),
            advantages=", ".join(map(language.text, texts)),
        )
        for side, texts in given.items()
        if texts
    ]
    return language.text(N_("Handicap. {sides}."), sides=". ".join(parts))


def minutes(seconds: float) -> str:
    """Format a time as whole minutes, ``12``, or as minutes and seconds, ``12:30``."""
    return clock_text(seconds).removesuffix(":00")


# Sealed armies.

SEALS: Final = N_("Seals: {words}")
SEAL_STATES: Final[Mapping[SealState, str]] = {
    SealState.PROVED: N_("{side}: proved"),
    SealState.NOT_PROVED: N_("{side}: not proved"),
    SealState.CONTRADICTED: N_("{side}: disproved"),
    SealState.BROKEN: N_("{side}: seals void"),
}


def seal_facts(result: SealedResult, language: Language) -> list[str]:
    """Return the game's seal words, and the state of each side's seals."""
    states = {side: each.state for side, each in result.sides.items()}
    return [language.text(SEALS, words=str(result.words)), *seal_states(states, language)]


def seal_states(states: Mapping[Side, SealState], language: Language) -> list[str]:
    return [
        language.text(SEAL_STATES[state], side=language.side(side))
        for side, state in states.items()
    ]


# Facts about a finished game.


def facts(view: PublicView, actions: Iterable[Action], language: Language) -> list[str]:
    """Return a game's length, both sides' losses, and the longest period without an attack.

    These facts must not reveal a rank, because the players may still take back the action that
    ended the game.
    """
    lost = {side.value: len(view.captured[side]) + view.unshown[side] for side in Side}
    return [
        language.plural("{count} move or attack", "{count} moves and attacks", view.plies),
        language.text(N_("Pieces lost: Red {red}, Blue {blue}"), **lost),
        language.plural(
            "Longest time without an attack: {count} move",
            "Longest time without an attack: {count} moves",
            _peace(actions),
        ),
    ]


def _peace(actions: Iterable[Action]) -> int:
    """Return the largest number of consecutive moves without an attack."""
    longest = now = 0
    listed = list(actions)
    for action, following in zip_longest(listed, listed[1:]):
        if isinstance(action, Attack | Infiltrate | Amend):
            now = 0
        elif not isinstance(following, Amend):  # which turns a move into an attack
            now += isinstance(action, Move)
        longest = max(longest, now)
    return longest


# Camera problems and their remedies.

_MOST_NAMED: Final = 6
"""Maximum number of squares named in a sentence."""

_CAMERA_SENTENCES: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.NO_FRAME: N_(
        "The camera does not see the printed frame. Aim it so that the whole frame is visible."
    ),
    NoticeKind.WRONG_FRAME: N_(
        "The markers are not where the printed frame has them. Check the order of the pieces of "
        "the frame."
    ),
    NoticeKind.TOO_DARK: N_("It is too dark for the camera. Switch a light on."),
    NoticeKind.MOVED: N_("The camera or the board was moved. Leave both where they are."),
    NoticeKind.COVERED: N_("Something covers the printed frame near {squares}. Remove it."),
    NoticeKind.HIDDEN: N_(
        "Something hides the printed frame near {squares}. If it is the pieces, place the camera "
        "higher. Otherwise, remove it."
    ),
    NoticeKind.SHOW_EMPTY: N_(
        "The camera has to see the empty board first. Remove all pieces for a moment."
    ),
    NoticeKind.SET_UP: N_(
        "The camera knows the empty board now. Set up both armies, Red on rows 1 to 4."
    ),
    NoticeKind.ALIKE: N_(
        "The camera cannot distinguish the pieces from the board. Use pieces in other colours, or "
        "cover the board with plain paper."
    ),
    NoticeKind.UNCLEAR: N_(
        "The camera cannot read {squares}. Put the pieces in the middle of their squares."
    ),
}
"""The sentence for each condition. ``{squares}`` is replaced with the affected squares."""
UNPLUGGED: Final = N_("The camera is not connected. Plug it in again.")


def camera_sentence(notice: Notice, language: Language) -> str:
    some = sorted(notice.squares[:_MOST_NAMED])
    return language.text(_CAMERA_SENTENCES[notice.kind], squares=", ".join(map(name, some)))
