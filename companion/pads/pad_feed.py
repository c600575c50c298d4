"""Announcements and views for the pads, and the commands received from them.

A view is written only when something may have changed, and sent to a pad only if it differs from
the previous view. A private message from one player therefore never causes a message to the other
player's pad.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.core import inputs
from companion.core.events import Event
from companion.core.table import Table
from companion.pads import page_data
from companion.pads.encryption import DOWN_SIZE
from companion.pads.player_view import PadView, mark, public_view
from companion.pads.protocols import PadHost
from companion.reports.replay import Snapshot
from companion.reports.reviews import Story, StoryMoment, build_story
from companion.reports.score_sheet import score_sheet
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language
from companion.speech.small_texts import COMPUTER_SEAT
from companion.speech.speech_queue import takes_end_back
from companion.storage.errors import StorageError
from engine.board.geometry import SQUARES, WIDTH, Side, name, square
from engine.board.ranks import Army
from engine.board.visibility import Public
from engine.deduction.commitment import ArmyCommitment
from engine.game import rulings
from engine.game.actions import Action, AnswerStalemate, ClaimStalemate, FreeTouched
from engine.game.clocks import Limit
from engine.records.serialization import read_action
from engine.records.transcript import Transcript


def parse_command(
    command: Mapping[str, Any], side: Side, game: int, table: Table, at: float
) -> inputs.Input | None:
    """Convert a player's message to an input. Return None if it is outdated or malformed.

    The input's side is always that of the seat, so a message can never act for the other side.
    """
    if command.get("mark") != mark(game, table):
        return None
    match command:
        case {"do": "no-attack"}:
            is_asked = table.conversation.question
            return inputs.NoAttack(at) if is_asked and is_asked.owner is side else None
        case {"do": "seal", "commitments": str(sums)}:
            commitment = _commitment(side, sums, table.view.edition.army_of(side))
            return inputs.ArmySealed(at, side, commitment) if commitment else None
    what = _what(command, side, table)
    return inputs.CommandInput(at, what) if what else None


def _what(command: Mapping[str, Any], side: Side, table: Table) -> Action | inputs.Command | None:
    moves = table.view.to_move is side
    match command:
        case {"do": "declare" | "insist" as do, "rank": str()}:
            return _opened({"do": do, "side": side.value}, command)
        case {"do": "ready"}:
            return inputs.Ready(side)
        case {"do": "draw"}:
            return inputs.OfferDraw(side)
        case {"do": "take-back"}:
            return inputs.OfferUndo(side)
        case {"do": "call-arbiter"}:
            return inputs.CallArbiter(side)
        case {"do": "withdraw-call"}:
            return inputs.WithdrawCall(side)
        case {"do": "cannot-move"} if moves:
            return ClaimStalemate()
        case {"do": "touched-cannot-move"} if moves:
            return FreeTouched()
        case {"do": "guess", "right": bool(right)} if not moves:
            answer = {"do": "answer-guess", "right": "yes" if right else "no"}
            return _opened({**answer, "side": side.value}, command)
        case {"do": "prove", "army": str(army)}:
            return _read({"do": "prove-army", "side": side.value, "army": army})
        case {"do": "can-move", "able": bool(able)} if table.view.stuck is side.other:
            return AnswerStalemate(able)
    return None


def _opened(action: Mapping[str, str], command: Mapping[str, Any]) -> Action | None:
    """Read an action with the rank of a piece. If armies are sealed, also read its salt."""
    return _read({**action, **{key: command[key] for key in ("rank", "salt") if key in command}})


def _read(action: Mapping[str, Any]) -> Action | None:
    try:
        return read_action(action)
    except ValueError:
        return None


def _commitment(side: Side, sums: str, army: Army) -> ArmyCommitment | None:
    """Parse the commitments to a whole army, one per piece in its rows: ``a1:<sum> b1:<sum> …``."""
    try:
        pairs = [each.split(":") for each in sums.split()]
        commitment = ArmyCommitment({square(at): digest for at, digest in pairs})
    except ValueError:
        return None
    is_whole = len(commitment.commitments) == len(pairs) == army.size
    return commitment if is_whole and not commitment.squares & ~side.home else None


# Ranks that both players have seen are hidden again at the next turn (rules.md §10). An
# announcement that contains a rank is therefore removed as soon as the touchscreen no longer shows
# the rank.

LATEST: Final = 6
"""Maximum number of announcements that are shown at the same time."""


class Announcements:
    """The latest public events, numbered so that each is spoken only once."""

    def __init__(self) -> None:
        self._heard: deque[tuple[int, Public]] = deque(maxlen=LATEST)
        self._number = 0
        self._before: Event | None = None

    def hear(self, event: Event) -> None:
        """Record an event, unless it is private or implied by the previous event."""
        is_known, self._before = takes_end_back(event, self._before), event
        if isinstance(event, Public) and not is_known:
            self._heard.append((self._number, event))
            self._number += 1

    def clear(self) -> None:
        """Delete all announcements, because another game has started."""
        self._heard.clear()

    def view(self, table: Table | None, announcer: Announcer) -> list[page_data.Announcement]:
        """Return the announcements that may still be read, as sentences, oldest first."""
        sentences = ((number, event, announcer.sentence(event)) for number, event in self._heard)
        return [
            {"n": number, "text": text}
            for number, event, text in sentences
            if text and self._may_be_read(number, event, table)
        ]

    def _may_be_read(self, number: int, event: Public, table: Table | None) -> bool:
        match event:
            case rulings.Combat():
                return table is not None and event in (table.unread_combat, table.state.reveal)
            case (
                rulings.BoardAdopted()
                | rulings.Corrected()
                | rulings.CorrectionRefused()
                | rulings.Infiltrated()
            ):
                return number == self._number - 1
            case rulings.InfiltrationOpened():
                return table is not None and table.view.guess is not None
        return True


# A page counts down by itself, so nothing has to be sent while a clock runs. The data changes only
# with the public state of the clocks: recalculating it for every message would reveal when an
# unrelated message was written.

_NEARLY: Final = 0.3
"""Maximum difference, in seconds, between a clock and the time that the pages predict."""


@dataclass(frozen=True)
class _Anchor:
    at: float
    runs: Limit | None
    left: tuple[float | None, ...]
    """Time left for Red, Blue and the setup, in seconds."""

    def at_moment(self, now: float) -> tuple[float | None, ...]:
        limits = (Limit.RED, Limit.BLUE, Limit.SETUP)
        gone = now - self.at
        return tuple(
            left if left is None or limit is not self.runs else left - gone
            for limit, left in zip(limits, self.left, strict=True)
        )


class ShownClock:
    """A game's clocks, as of the last change that the pages could not predict."""

    def __init__(self) -> None:
        self._anchor: _Anchor | None = None

    def view(self, table: Table, now: float) -> page_data.ClockData | None:
        """Return the data that a page needs to count down, or None if no clock is in use."""
        clock = table.clock
        sides = (clock.remaining(side, now) for side in Side)
        setting_up = clock.running is Limit.SETUP
        left = (*sides, clock.setup_left(now) if setting_up else None)
        if not any(each is not None for each in left):
            return None
        runs = clock.running if clock.due is not None else None
        if self._anchor is None or not _foreseen(self._anchor, runs, left, now):
            self._anchor = _Anchor(now, runs, left)
        red, blue, setup = (each if each is None else round(each, 1) for each in self._anchor.left)
        at, running = round(self._anchor.at, 1), runs.value if runs else None
        return {"at": at, "runs": running, "red": red, "blue": blue, "setup": setup}


def _foreseen(
    anchor: _Anchor, runs: Limit | None, left: tuple[float | None, ...], now: float
) -> bool:
    if anchor.runs is not runs:
        return False
    pairs = zip(anchor.at_moment(now), left, strict=True)
    return all(
        one is other if one is None or other is None else abs(one - other) < _NEARLY
        for one, other in pairs
    )


MOST: Final = DOWN_SIZE - 64
"""Maximum length of a view, in bytes. The version and the time are added before sending."""
LONGEST: Final = 500
"""Maximum length of the instructions for correcting the board, in characters."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PadViews:
    """The views for both pads and for spectators."""

    pads: Mapping[Side, bytes]
    everybody: bytes
    sheets: Mapping[str, str]
    """Score sheets of the latest game that can no longer be resumed, keyed by language."""
    stories: Mapping[str, bytes]
    """Story of the previous game as JSON, keyed by language."""


class PadFeed:
    """Follows a host's games while the pads are open."""

    def __init__(
        self,
        host: PadHost,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
    ) -> None:
        self._host, self._language_for, self._clock = host, language_for, clock
        self._announcements = Announcements()
        self._shown_clock = ShownClock()
        self._announcers: dict[tuple[str, bool], Announcer] = {}
        self._table: Table | None = None
        self._game = 0
        self._number: int | None = None
        """Number of the current game in the journal."""
        self._previous: Transcript | None = None
        """The latest game that can no longer be resumed."""
        self._sheets: dict[str, str] = {}
        self._stories: dict[str, bytes] = {}
        self._seen: object = None
        """The state for which the latest views were written."""

    def hear(self, event: Event) -> None:
        self._follow()
        self._announcements.hear(event)

    def read(self, side: Side, command: Mapping[str, Any]) -> inputs.Input | None:
        """Convert a player's message to an input. Return None if it refers to an earlier state.

        A phone that had the seat in an earlier game cannot act for the computer opponent.
        """
        table = self._host.table
        if table is None or table is not self._table or side is self._host.players.computer:
            return None
        return parse_command(command, side, self._game, table, self._clock())

    def forget(self) -> None:
        """Make the next `look` rewrite the views, for a new server."""
        self._seen = None

    def look(self) -> PadViews | None:
        """Write the views. Return None if nothing can have changed since the last call."""
        self._follow()
        self._write_sheets()
        spoken = map(self._language_for, (None, *Side))
        languages = tuple((language.code, language.signs) for language in spoken)
        seen = (self._host.changes, languages, self._host.players, self._game, len(self._sheets))
        if seen == self._seen:
            return None
        self._seen = seen
        pads = {side: self._for_player(side) for side in Side}
        everybody = _written(self._for_all(None))
        return PadViews(pads, everybody, dict(self._sheets), dict(self._stories))

    def _follow(self) -> None:
        """Detect a new game, after which the previous game can no longer be resumed."""
        table, before = self._host.table, self._table
        if table is not before:
            if before and before.view.outcome:
                self._load_previous()
            self._table, self._game = table, self._game + 1
            self._announcements.clear()
            self._shown_clock = ShownClock()
        self._number = self._host.number

    def _load_previous(self) -> None:
        """Load the game that has ended, and discard the texts about the game before it."""
        self._previous, self._sheets, self._stories = None, {}, {}
        if self._number is None:
            return
        try:
            self._previous = self._host.archive.load(self._number)
        except StorageError as error:
            log.error("%s", error)

    def _write_sheets(self) -> None:
        """Write the previous game's score sheets and stories in the languages of all viewers.

        Texts that are already written are kept, unless their language is no longer in use.
        """
        viewers = {self._language_for(viewer).code: viewer for viewer in (None, *Side)}
        for code in self._sheets.keys() - viewers.keys():
            del self._sheets[code], self._stories[code]
        if game := self._previous:
            for code in viewers.keys() - self._sheets.keys():
                announcer = self._announcer(viewers[code])
                self._sheets[code] = score_sheet(game, announcer.language)
                story = story_view(build_story(game, announcer), announcer.language)
                self._stories[code] = json.dumps(story, ensure_ascii=False).encode()

    def _announcer(self, viewer: Side | None) -> Announcer:
        language = self._language_for(viewer)
        key = language.code, self._host.players.computer is not None
        announcer = self._announcers.setdefault(key, Announcer(language, solo=key[1]))
        announcer.language.signs = language.signs
        return announcer

    def _for_all(self, viewer: Side | None) -> page_data.SpectatorPage:
        table, announcer = self._table, self._announcer(viewer)
        view = public_view(table, self._host.players, announcer)
        view["text"] = view["text"][:LONGEST]
        has_sheet = announcer.language.code in self._sheets
        return {
            **view,
            "said": self._announcements.view(table, announcer),
            "clock": self._shown_clock.view(table, self._clock()) if table else None,
            "sheet": has_sheet and not (table and table.referee.actions),
        }

    def _for_player(self, side: Side) -> bytes:
        view: page_data.PlayerPage = {
            **self._for_all(side),
            "you": side.value,
            "asks": [],
            "offers": [],
            "setup": None,
            "sealed": "",
        }
        if side is self._host.players.computer:
            language = self._announcer(side).language
            view["text"] = language.text(COMPUTER_SEAT, side=language.side(side))
        elif self._table:
            player = PadView(self._table, side, self._game, self._announcer(side))
            view["title"] = player.title(view["title"])
            view["asks"], view["offers"] = player.asks(), player.available_commands()
            if self._host.is_in_hall:
                view["offers"] += player.about_arbiter()
            view["setup"], view["sealed"] = player.setup(), player.sealed
        return _written(view)


def _written(view: page_data.SpectatorPage | page_data.PlayerPage) -> bytes:
    """Encode a view. If it is too long, the oldest announcements are left out."""
    while True:
        text = json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode()
        if len(text) <= MOST or not view["said"]:
            return text
        view["said"] = view["said"][1:]


# The review of the previous game contains ranks, so it is not written until that game can no longer
# be resumed.

BEFORE: Final = 3
"""Number of plies that the page can step back from a moment of the review."""
AFTER: Final = 3
"""Number of plies that the page can step forward from a moment of the review."""


def story_view(story: Story, language: Language) -> page_data.StoryData:
    """Return the moments of the review, each with the positions around it, and the closing text."""
    return {
        "language": language.code,
        "moments": [_moment(story, each, language) for each in story.moments],
        "closing": [*story.closing],
    }


def _moment(story: Story, moment: StoryMoment, language: Language) -> page_data.MomentSteps:
    first, last = max(0, moment.ply - BEFORE), min(len(story.pages) - 1, moment.ply + AFTER)
    steps = [_step(story, ply, moment, language) for ply in range(first, last + 1)]
    return {"start": moment.ply - first, "steps": steps}


def _step(
    story: Story, ply: int, moment: StoryMoment, language: Language
) -> page_data.StoryPosition:
    page, is_moment = story.pages[ply], ply == moment.ply
    marked = (moment.way if is_moment else None) or page.seen.last_move or ()
    of = N_("{ply} of {length}")
    return {
        "place": language.text(of, ply=ply, length=len(story.pages) - 1),
        "text": moment.text if is_moment else page.text,
        "board": _board(page.seen),
        "marked": [name(square) for square in marked],
        "ranks": {
            name(square): language.sign(rank)
            for square, rank in story.ranks(ply, moment.side).items()
        },
    }


def _board(seen: Snapshot) -> str:
    """Write the side on each square, in the order in which the page draws the squares.

    Row 10 comes first.
    """
    rows = range(len(SQUARES) // WIDTH)
    order = (row * WIDTH + column for row in reversed(rows) for column in range(WIDTH))
    pieces = seen.pieces
    return "".join(pieces[at][0].value[0] if at in pieces else "." for at in order)
