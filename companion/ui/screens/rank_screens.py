"""Screens that ask a player about a rank, for a declaration to the referee or after a guess.

A declaration is private. Behind the curtain, the tiles are in a different order each time, and no
tile stays highlighted once the finger has left it. If the declared rank is impossible, only the
player who declared it sees the reason, until the curtain closes.

A guess is public and is answered by the owner of the attacked piece. An answer that cannot be true
is refused; the owner can read the reason behind a curtain.
"""

from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty

from companion.core.events import RankAsked
from companion.core.inputs import CommandInput, NoAttack
from companion.ui.base.base_screen import CurtainScreen, away_text, seal_text
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.rank_symbol import full_name
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.private_pane import Behind, Privacy, PrivateWord
from engine.board.geometry import Side, name
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game.rulings import Contradiction
from engine.rules.editions import MovedBombPenalty
from engine.rules.rules import Rule


class DeclarationScreen(CurtainScreen):
    """A curtain beside the board, with rank tiles for one player behind it."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    done = StringProperty()
    """Text that names the sides that have already declared a rank."""
    away = StringProperty()
    """A note that the owner's phone has stopped responding, or an empty string."""
    disturbed = StringProperty()
    by_phone = BooleanProperty(False)
    """Whether the owner is expected to declare the rank on a phone rather than on this screen."""
    seal = StringProperty()
    """A note on why this screen cannot open the seal, or an empty string."""
    is_alone = BooleanProperty(False)
    """Whether one person plays against the computer, in which case no curtain is needed."""
    can_withdraw = BooleanProperty(False)
    heading = AliasProperty(
        lambda self: (
            _("Declare on your phone.")
            if self.by_phone or self.seal
            else _("Which rank is it?")
            if self.is_alone
            else _("Take the screen.") + "\n" + self.look_away
        ),
        bind=["by_phone", "seal", "is_alone", "look_away"],
    )

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._asked: RankAsked | None = None
        self._is_sealed = False
        """Whether the declaration has to open a seal."""
        self._has_opened_itself = False
        """Whether the tiles were shown at once, without a touch, because no curtain is needed."""
        self._is_wanted_here = False
        """Whether a player with a phone has chosen to make this declaration on the screen."""
        super().__init__(presenter, **kwargs)

    def refresh(self) -> None:
        table = self.presenter.table
        view, asked = table.view, table.conversation.question
        opened = view.opened
        if opened is None or asked is None:
            self.close()
            return
        is_sealed = asked.owner in view.sealed
        if (asked, is_sealed) != (self._asked, self._is_sealed):
            self.close()
            self._asked, self._is_sealed, self._is_wanted_here = asked, is_sealed, False
            self._has_opened_itself = False
        self.seal = seal_text(self.presenter, asked.owner)
        self._show_where(asked.owner)
        self.is_alone = self.presenter.host.players.alone is asked.owner
        self.show_game()
        self.show_side(asked.owner)
        self.attack = opened
        source, target = map(name, opened)
        self.what = _("{source} attacks {target}.", source=source, target=target)
        self.look_away = _("{name}: look away.", name=self.presenter.player_name(asked.owner.other))
        declared = table.conversation.declared
        self.done = " ".join(
            _("{side} has declared.", side=_.language.side(side)) for side in declared
        )
        self.away = away_text(self.presenter, asked.owner)
        self.can_withdraw = table.conversation.can_withdraw
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected
        if self.is_alone and not (self._has_opened_itself or self.by_phone or self.seal):
            self._has_opened_itself = True
            self.open()

    def _tick_patience(self, behind: Behind, now: float) -> None:
        """Close the curtain after a timeout, except in a game against the computer."""
        if not self.is_alone:
            super()._tick_patience(behind, now)

    def on_by_phone(self, *_args: object) -> None:
        self.change_touch()

    def on_seal(self, *_args: object) -> None:
        self.change_touch()

    def break_seals(self) -> None:
        assert self._asked
        self.ask.break_seals(self._asked.owner)

    def declare_here(self) -> None:
        """Show the curtain even though this player's phone is connected."""
        self._is_wanted_here = True
        self.refresh()

    def _show_where(self, owner: Side) -> None:
        """Wait for a declaration on the owner's phone, unless the seal is opened on this screen."""
        is_sealed_here = self.presenter.seals.opening(owner) is not None
        has_phone = bool(self.presenter.phones.seats.get(owner)) and not is_sealed_here
        self.by_phone = has_phone and not self._is_wanted_here and not self.is_open

    def make_behind(self) -> Privacy | None:
        asked, table = self._asked, self.presenter.table
        if asked is None or self.seal:
            return None
        opening = self.presenter.seals.opening(asked.owner)
        privacy = Privacy(
            question=asked,
            army=table.view.edition.army_of(asked.owner).ranks,
            sealed=opening.rank if opening else None,
            printed=None if opening else self._printed(asked),
            declare=self._declare,
            insist=self._insist,
            close=self.close,
        )
        privacy.is_alone = self.is_alone
        if word := table.conversation.private_word(asked.owner):
            privacy.show_word(_.announcer.rules.private_word(word))
        return privacy

    def _printed(self, asked: RankAsked) -> Rank | None:
        """Return the printed rank of the piece in question, or None for a real piece."""
        return self.presenter.host.printed_on(
            self.presenter.table.view.board.piece_at(asked.square)
        )

    def no_attack(self) -> None:
        self.presenter.submit(NoAttack(self.presenter.now()))

    def _declare(self, rank: Rank) -> None:
        """Declare a rank. The curtain closes automatically when the game continues."""
        assert self._asked
        declared = self.presenter.seals.declare(Secret(self._asked.owner, rank))
        self.presenter.submit(CommandInput(self.presenter.now(), declared))
        if self._behind:
            self._show_proof(self._behind)

    def _show_proof(self, privacy: Privacy) -> None:
        found = self.presenter.table.conversation.contradiction
        if found and self._asked and found.owner is self._asked.owner:
            why = _.announcer.rules.proof(found)
            privacy.show_proof(found.proof.rank, why, self._consequence(found))

    def _insist(self) -> None:
        """Insist on the refuted rank. This opens a dispute and closes the curtain."""
        found = self.presenter.table.conversation.contradiction
        assert found
        insisted = self.presenter.seals.insist(Secret(found.owner, found.proof.rank))
        self.presenter.submit(CommandInput(self.presenter.now(), insisted))

    def _consequence(self, found: Contradiction) -> str:
        edition = self.presenter.table.view.edition
        is_moved_bomb = found.proof.ground.rule is Rule.IMMOBILE_PIECE
        if is_moved_bomb and edition.moved_bomb is MovedBombPenalty.LOSES:
            return _("Under these rules, a player who moves a bomb or the flag loses.")
        return _(
            "If you insist, both players learn that there is a dispute, but not about which rank. "
            "You settle it together, or an arbiter does."
        )


class GuessScreen(CurtainScreen):
    """Asks whether a guess is correct. A curtain hides the reason why an answer was refused."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    rank = ObjectProperty(None, allownone=True)
    guess = StringProperty()
    """The guessed rank, phrased as a question."""
    is_refused = BooleanProperty(False)
    """Whether an answer was refused and the owner of the piece has not yet read the reason."""
    seal = StringProperty()
    """A note on why this screen cannot open the seal, or an empty string."""
    disturbed = StringProperty()
    heading = AliasProperty(
        lambda self: (
            _("Take the screen.") + "\n" + self.look_away if self.is_refused else self.what
        ),
        bind=["look_away", "is_refused", "what"],
    )
    question = AliasProperty(
        lambda self: "" if self.is_refused else self.guess, bind=["guess", "is_refused"]
    )
    right_text = AliasProperty(
        lambda self: _("Break the seals …") if self.seal else _("Right"), bind=["seal"]
    )
    advice = AliasProperty(
        lambda self: (
            self.disturbed
            or (
                _("There is a note about your answer.")
                if self.is_refused
                else self.seal or _("The answer is announced to everyone.")
            )
        ),
        bind=["disturbed", "is_refused", "seal"],
    )

    def __init__(self, presenter: GamePresenter, **kwargs: object) -> None:
        self._read: Contradiction | None = None
        super().__init__(presenter, **kwargs)

    def refresh(self) -> None:
        table, view = self.presenter.table, self.presenter.table.view
        if view.guess is None or view.opened is None:
            self.close()
            return
        found = table.conversation.contradiction
        self.is_refused = found is not None and found is not self._read
        if not self.is_refused:
            self.close()
        self.show_game()
        owner = view.to_move.other
        self.show_side(owner)
        self.attack = view.opened
        self.what = _(
            "{side} infiltrates {square}:",
            side=_.language.side(view.to_move),
            square=name(view.opened[1]),
        )
        self.look_away = _("{name}: look away.", name=self.presenter.player_name(view.to_move))
        self.rank = view.guess
        self.guess = _("{rank}?", rank=full_name(view.guess))
        self.seal = seal_text(self.presenter, owner)
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def on_seal(self, *_args: object) -> None:
        self.change_touch()

    def break_seals(self) -> None:
        self.ask.break_seals(self.side)

    def answer(self, *, right: bool) -> None:
        self.ask.answer_guess(right=right)

    def make_behind(self) -> PrivateWord | None:
        found = self.presenter.table.conversation.contradiction
        if found is None:
            return None
        return PrivateWord(
            title=_("That is impossible"),
            text=_.announcer.rules.proof(found),
            advice=_("Only you see this. Look at your piece again."),
            onward=_("Change the answer"),
            on_read=lambda _word: self.close(),
        )

    def close(self) -> None:
        """Close the curtain.

        The reason is shown only once, because the other player may be the next to look.
        """
        was_open = self.is_open
        super().close()
        table = self.presenter.host.table
        if was_open and table and table.view.guess is not None:
            self._read = table.conversation.contradiction
            self.refresh()


load_kv(__file__)
