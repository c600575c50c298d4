"""Declaration of ranks through an earphone, with two buttons or two keys.

When a player presses their own button, the next rank is read into the earphone. When they hold the
other player's button, the rank that was read last is declared. Page Down reads the next rank, and
holding Page Up declares the rank that was read last. A presentation remote control has these two
keys. Nothing is read before the first press, so the player can put the earphone in first. The ranks
are of type `Secret`, which the table's voice does not accept.

With sealed armies, only the sealed rank is read; on the simulated board, only the printed rank. Any
other rank has to be declared on the screen. If a phone holds the seal, no rank is read, and the
player is asked to use the phone.
"""

import logging
import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from kivy.core.window import Window

from companion.core.events import RankAsked
from companion.core.inputs import CommandInput
from companion.devices.espeak import Earphone, Espeak, NoVoiceError, Output
from companion.speech.announcement_texts import RuleWords
from companion.speech.i18n import Language, capitalized
from companion.speech.speech_queue import EarphoneDue, PhoneDue, ScreenDue
from companion.ui.base.presenter import GamePresenter
from companion.ui.base.voice import WORDS_PER_MINUTE
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import HOLD_SECONDS
from engine.board.geometry import Side
from engine.board.ranks import Rank
from engine.board.visibility import Secret


@dataclass(frozen=True)
class MenuEntry:
    """The text that is read aloud after one press: a rank or a private notice."""

    words: Secret[str]
    rank: Secret[Rank] | None


class RankAudioMenu:
    """The possible ranks of a piece as an endless cycle, in the language of its owner.

    The order is shuffled for every declaration, so the number of presses reveals nothing.
    """

    def __init__(self, asked: RankAsked, language: Language, word: str) -> None:
        """Prepare the ranks for a question.

        If `word` is not empty, it is a private notice that is read first.
        """
        owner = asked.owner
        ranks = list(asked.tiles)
        random.SystemRandom().shuffle(ranks)
        self._due = [
            MenuEntry(Secret(owner, capitalized(language.rank(rank))), Secret(owner, rank))
            for rank in ranks
        ]
        self._round = list(self._due)
        if word:
            self._due.insert(0, MenuEntry(Secret(owner, word), None))
        self._latest: MenuEntry | None = None

    def next(self) -> Secret[str]:
        """Advance to the next text and return it."""
        self._due = self._due or list(self._round)
        self._latest = self._due.pop(0)
        return self._latest.words

    @property
    def latest(self) -> Secret[Rank] | None:
        """The rank that was read last, or None if none has been read."""
        return self._latest.rank if self._latest else None


NEXT, THIS = 281, 280
"""Page Down and Page Up."""

log = logging.getLogger(__name__)


class SpokenDeclaration:
    """If an earphone is selected, reads the ranks aloud to the player who has to declare one."""

    def __init__(
        self,
        presenter: GamePresenter,
        espeak: Espeak,
        earphone: Earphone,
        clock: Callable[[], float],
    ) -> None:
        self._presenter, self._espeak, self._earphone = presenter, espeak, earphone
        self._clock = clock
        self._asked: RankAsked | None = None
        self._is_sealed = False
        """Whether the army of the player who has to declare a rank is sealed. If so, declaring a
        rank opens the seal of the piece."""
        self._ranks: RankAudioMenu | None = None
        self._clip: Secret[Future[Path]] | None = None
        """The clip to play through the earphone as soon as it has been synthesized."""
        self._held_since: float | None = None
        """Time since which the declare key has been held, or None."""

    @property
    def outputs(self) -> list[Output]:
        """Sound outputs that can be chosen for the earphone."""
        return self._earphone.choices if self._espeak.is_there else []

    def open(self) -> None:
        """Start listening for the keys."""
        Window.bind(on_key_down=self._key_down, on_key_up=self._key_up)

    def close(self) -> None:
        """Stop listening for the keys, and stop reading."""
        Window.unbind(on_key_down=self._key_down, on_key_up=self._key_up)
        self._earphone.hush()

    def tick(self) -> None:
        """Check whether a declaration is due, and play the next clip if it is ready."""
        asked = self._question()
        is_sealed = asked is not None and asked.owner in self._presenter.table.sealed
        if (asked, is_sealed) != (self._asked, self._is_sealed):
            self._is_sealed = is_sealed
            self._prepare(asked)
        if self._held_since is not None and self._clock() - self._held_since >= HOLD_SECONDS:
            self._held_since = None
            self._declare()
        self._play_when_ready()

    def press(self, side: Side) -> None:
        """Handle a short press of a side's button.

        If that side has to declare a rank, the next rank is played in the earphone.
        """
        if self._asked and side is self._asked.owner:
            self._synthesize_next()

    def hold(self, side: Side) -> None:
        """Handle a long press of a side's button.

        If the other side has to declare a rank, the rank that was read last is declared.
        """
        if self._asked and side is self._asked.owner.other:
            self._declare()

    def _question(self) -> RankAsked | None:
        host = self._presenter.host
        table = host.table
        if not table or host.unsaved or table.is_paused or not table.is_connected:
            return None
        return table.conversation.question

    @property
    def _is_chosen(self) -> bool:
        """Whether an earphone has been chosen and is available."""
        device = self._presenter.settings.earphone
        return bool(device) and any(each.device == device for each in self.outputs)

    def _prepare(self, asked: RankAsked | None) -> None:
        self._earphone.hush()
        self._asked, self._ranks, self._clip, self._held_since = asked, None, None, None
        if asked is None:
            return
        seals, side = self._presenter.seals, asked.owner
        is_elsewhere = seals.is_elsewhere(side)
        has_phone = self._presenter.phones.seats.get(side) and not seals.opening(side)
        is_read = self._is_chosen and not is_elsewhere
        due = EarphoneDue if is_read else PhoneDue if has_phone or is_elsewhere else ScreenDue
        if self._presenter.voice:
            self._presenter.voice.hear(due(asked.owner))
        if not is_elsewhere:
            word = self._presenter.table.conversation.private_word(asked.owner)
            self._read_ranks(asked, (word and self._words(asked.owner).private_word(word)) or "")

    def _read_ranks(self, asked: RankAsked, word: str) -> None:
        """Prepare what the next button presses will read out: any notice, and then the ranks."""
        opening = self._presenter.seals.opening(asked.owner)
        piece = self._presenter.table.view.board.piece_at(asked.square)
        only = opening.rank if opening else self._presenter.host.printed_on(piece)
        read = asked if only is None else replace(asked, tiles=(only,))
        language = self._presenter.settings.language_for(asked.owner)
        self._ranks = RankAudioMenu(read, language, word)

    def _words(self, side: Side) -> RuleWords:
        return RuleWords(self._presenter.settings.language_for(side))

    def try_out(self) -> None:
        """Play a test sentence through the chosen earphone."""
        settings = self._presenter.settings
        words = _("This is the earphone.")
        clip = self._espeak.clip(words, _.language.code, WORDS_PER_MINUTE[settings.speech_rate])
        self._clip = Secret(Side.RED, clip)

    def _synthesize_next(self) -> None:
        if self._ranks is None or not self._is_chosen:
            return
        settings, words = self._presenter.settings, self._ranks.next()
        language = settings.language_for(words.owner).code
        clip = self._espeak.clip(words.unseal(), language, WORDS_PER_MINUTE[settings.speech_rate])
        self._clip = Secret(words.owner, clip)

    def _play_when_ready(self) -> None:
        if self._clip is None or not self._clip.unseal().done():
            return
        clip, self._clip = self._clip, None
        try:
            self._earphone.play(clip.unseal().result(), self._presenter.settings.earphone)
        except NoVoiceError:
            log.warning("espeak-ng failed", exc_info=True)

    def _declare(self) -> None:
        """Declare the rank that was read last, if any."""
        rank = self._ranks.latest if self._ranks else None
        if self._asked is None or rank is None or self._clip or not self._is_chosen:
            return
        self._presenter.submit(
            CommandInput(self._presenter.now(), self._presenter.seals.declare(rank))
        )
        refused = self._presenter.table.conversation.contradiction
        if refused and refused.owner is self._asked.owner:
            self._read_ranks(self._asked, self._words(refused.owner).proof(refused))

    def _key_down(self, _window: object, key: int, *_more: object) -> None:
        if key == NEXT:
            self._synthesize_next()
        elif key == THIS and self._held_since is None:
            self._held_since = self._clock()

    def _key_up(self, _window: object, key: int, *_more: object) -> None:
        if key == THIS:
            self._held_since = None
