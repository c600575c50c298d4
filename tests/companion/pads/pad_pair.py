"""Two sessions with pads that differ in Red's private declarations.

The traffic of Blue's pad and of the spectators must be identical. The traffic of Red's pad must
have the same lengths at the same times.
"""

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.core.events import Event
from companion.core.game_context import Step
from companion.core.inputs import Input
from companion.core.table import Table
from companion.pads.encryption import COUNTER, KEY, UP, UP_SIZE, SessionKeys, pad, public_key
from companion.pads.listen_address import write_token
from companion.pads.pad_feed import PadFeed
from companion.pads.pad_hub import PadHub, PageListener
from companion.reports.replay import Archive
from companion.speech.announcer import Announcer
from companion.speech.i18n import Language, codes
from companion.storage.game_rows import PlayerNames
from companion.storage.journal_provider import JournalProvider
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.game.actions import Declare, UpholdDeclaration
from engine.rules.editions import Edition
from tests.companion.core.table_pair import LeakError, TablePair

_LANGUAGES: Final = [Language(code) for code in codes()]
_CODES: Final = {side: bytes([number]) * 16 for number, side in enumerate(Side, start=3)}
_SECRETS: Final = {side: bytes([number]) * 16 for number, side in enumerate(Side)}


class Network:
    """Traffic between a table and its pads."""

    def __init__(self, table: Table, languages: dict[Side | None, Language]) -> None:
        self.table: Table | None = table
        self.players = PlayerNames("Ada", "Ben")
        self.unsaved = None
        self.is_in_hall = True
        self.number: int | None = None
        self.archive = Archive(JournalProvider(Path("/nowhere/games.sqlite")))
        self.changes = 0
        self.now = 0.0
        self.hub = PadHub(_CODES, random.Random(1).randbytes, lambda: self.now)
        self.driver = PadFeed(self, languages.__getitem__, lambda: self.now)
        self.pages = {side: self._sit(side) for side in Side}
        self._seen = dict.fromkeys(Side, -1)
        self._everybody = b""
        self.sent: dict[Side | None, list[bytes]] = {None: [], **{side: [] for side in Side}}
        """Messages sent to the spectators and to each pad."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Ignore the listener, because `take` passes on the events of the table."""

    def submit(self, given: Input) -> None:
        """Ignore commands, because both tables get their inputs from `TablePair`."""

    def take(self, given: Input) -> Step:
        assert self.table
        step = self.table.handle(given)
        self.now = max(self.now, given.at)
        self.changes += step.is_news
        for event in step.events:
            self.driver.hear(event)
        self._show()
        return step

    def _show(self) -> None:
        if shown := self.driver.look():
            for side, text in shown.pads.items():
                self.hub.show(side, text)
            self.hub.show_everybody(shown.everybody, 0)
        for side, page in self.pages.items():
            if frame := self.hub.next_for(page, self._seen[side]):
                self._seen[side] = frame[0]
                self.sent[side].append(frame[1])
        if everybody := self.hub.next_for_everybody(self._everybody):
            self._everybody = everybody[0]
            self.sent[None].append(everybody[1])

    def _sit(self, side: Side) -> PageListener:
        """Seat a player with a phone, using the same keys at both tables."""
        own = bytes([7]) * KEY
        pads_key = public_key(own)
        name = self.hub.join(side.value[:1].encode() + b"c" + pads_key, "")
        keys = SessionKeys(_CODES[side], side, own, pads_key=pads_key, tables_key=name)
        token = write_token(_SECRETS[side]).encode()
        sealed = keys.seal(UP, 0, pad(b'{"token":"' + token + b'"}', UP_SIZE))
        return self.hub.listen(name + bytes(COUNTER) + sealed)


class PadPair(TablePair):
    """Two tables with pads. `give` also compares their traffic."""

    networks: tuple[Network, Network]

    @classmethod
    def of(cls, edition: Edition, seed: int, announcer: Announcer) -> "PadPair":
        tables = super().of(edition, seed, announcer)
        assert isinstance(tables, PadPair)
        spoken = itertools.cycle(_LANGUAGES[seed % len(_LANGUAGES) :] + _LANGUAGES)
        languages = dict(zip((None, *Side), spoken, strict=False))
        tables.networks = Network(tables.one, languages), Network(tables.other, languages)
        return tables

    def take(self, table: Table, given: Input) -> Step:
        return self.networks[table is self.other].take(given)

    def give(self, given: Input) -> bool:
        goes_on = super().give(given)
        one, other = (network.sent for network in self.networks)
        if goes_on:
            for eyes in (None, Side.BLUE):
                if one[eyes] != other[eyes]:
                    raise LeakError(f"messages to {eyes or 'spectators'} differ after {given}")
            if [*map(len, one[Side.RED])] != [*map(len, other[Side.RED])]:
                raise LeakError(f"the lengths of messages to Red differ after {given}")
            self.done["frames"] += len(one[Side.BLUE])
        return goes_on

    def ranks(self, what: Declare | UpholdDeclaration) -> tuple[Rank, Rank]:
        """Choose the rank to declare at each table. Only Red's ranks may differ.

        If Red attacks, the difference stays hidden until Blue has declared. If Red defends, the
        difference stays hidden until the rank of Red's piece is revealed.
        """
        rank, asked = what.rank.unseal(), self.other.conversation.question
        if what.rank.owner is Side.BLUE:
            return rank, rank
        is_first = not self.other.conversation.declared
        if asked and is_first and isinstance(what, Declare) and rank in asked.tiles:
            return rank, self.chance.choice(asked.tiles)
        return super().ranks(what)
