"""The declaration: one player tells the referee a rank, and nobody else may see it.

A curtain names the player and stands in full view. It is opened by holding a finger on it for
0.6 seconds, and it falls again when a rank has been confirmed, when the player closes it, when the
screen has not been touched for 20 seconds, and whenever the table goes on.

Why the finger does not stay down: many screens, and every mouse, know one finger at a time, and
the one that holds the curtain could not touch a tile. Sliding to the tile without letting go would
work, but a slip of the finger would then choose a rank, and children slip. So holding is what
opens, for that is what must never happen by accident: a touch in passing, a sleeve or the last
touch of the other player does not lift the curtain. What keeps the rank secret is that the other
player looks away, that the tiles lie in another order each time, that nothing on them is marked
longer than the finger rests, and that the private half is built when the curtain opens and thrown
away when it falls.
"""

from typing import Final

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.events import RankAsked
from companion.inputs import Insisted, NoAttack, RankDeclared
from companion.screens.face import GameFace
from companion.screens.stage import Stage
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.privacy import Privacy
from companion.screens.words import _
from engine.editions import MovedBomb
from engine.ranks import Rank
from engine.rules import Rule
from engine.rulings import Contradiction
from engine.secrecy import Secret
from engine.sides import Side
from engine.squares import name

PATIENCE_SECONDS: Final = 20.0


class DeclarationScreen(GameFace):
    """The curtain beside the board; behind it the tiles, for one player's eyes."""

    attack = ObjectProperty(None, allownone=True)
    what = StringProperty()
    look_away = StringProperty()
    done = StringProperty()
    """Who has declared already."""
    disturbed = StringProperty()
    can_withdraw = BooleanProperty(False)
    open_menu = ObjectProperty(None)

    def __init__(self, stage: Stage, **kwargs: object) -> None:
        self._privacy: Privacy | None = None
        self._asked: RankAsked | None = None
        self._touched_at = 0.0
        super().__init__(stage, **kwargs)

    @property
    def is_open(self) -> bool:
        """Whether the curtain is open."""
        return self._privacy is not None

    def refresh(self) -> None:
        table = self.stage.table
        attack, asked = table.referee.attack, table.question
        if attack is None or asked is None:
            self.close()
            return
        if asked != self._asked:
            self.close()
            self._asked = asked
        self.show_game()
        self.show_side(asked.owner)
        self.attack = attack.source, attack.target
        self.what = _(
            "{source} attacks {target}.", source=name(attack.source), target=name(attack.target)
        )
        other = _.language.side(asked.owner.other)
        self.look_away = _("{side}: look away.", side=other)
        self.done = " ".join(
            _("{side} has declared.", side=_.language.side(side)) for side in attack.declared
        )
        self.can_withdraw = not attack.declared
        self.disturbed = " ".join(self.show_difference(2))
        self.image = table.expected

    def tick(self, now: float) -> None:
        self.ids.hold.tick(now)
        if self._privacy and now >= self._touched_at + PATIENCE_SECONDS:
            self.close()

    def open(self) -> None:
        """Open the curtain."""
        if self._privacy or self._asked is None:
            return
        self.touched()
        self._privacy = Privacy(
            question=self._asked,
            army=self.stage.table.referee.edition.army.ranks,
            declare=self._declare,
            insist=self._insist,
            close=self.close,
            touched=self.touched,
        )
        self._show_proof()
        self.add_widget(self._privacy)

    def close(self) -> None:
        """Let the curtain fall; what was behind it is gone."""
        self.ids.hold.empty()
        if self._privacy:
            self.remove_widget(self._privacy)
            self._privacy = None

    def touched(self) -> None:
        """The player behind the curtain is still there."""
        self._touched_at = self.stage.now()

    def no_attack(self) -> None:
        self.stage.give(NoAttack(self.stage.now()))

    def _declare(self, rank: Rank) -> None:
        """Tell the referee. The curtain falls by itself when the table goes on."""
        assert self._asked
        self.stage.give(RankDeclared(self.stage.now(), Secret(self._asked.owner, rank)))
        if self._privacy:
            self._show_proof()

    def _show_proof(self) -> None:
        assert self._privacy
        found = self.stage.table.contradiction
        if found and found.owner is self._owner:
            why = _.announcer.proof(found)
            self._privacy.show_proof(found.proof.rank, why, self._consequence(found))

    def _insist(self) -> None:
        """Stay by the rank that was refuted. The curtain falls, for a dispute is open then."""
        found = self.stage.table.contradiction
        assert found
        self.stage.give(Insisted(self.stage.now(), Secret(found.owner, found.proof.rank)))

    def _consequence(self, found: Contradiction) -> str:
        edition = self.stage.table.referee.edition
        is_moved_bomb = found.proof.ground.rule is Rule.IMMOBILE_PIECE
        if is_moved_bomb and edition.moved_bomb is MovedBomb.LOSES:
            return _("By these rules a player who moves a bomb or the flag has lost.")
        return _(
            "Both of you are told that there is a dispute, not about which rank. You decide it "
            "together, or an arbiter does."
        )

    @property
    def _owner(self) -> Side | None:
        return self._asked.owner if self._asked else None


load_kv(__file__)
