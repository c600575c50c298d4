"""Data for a page: the public part of a game, and one player's questions and commands.

Spectators see only the public part.

A page contains no rules: each button comes with its message and an identifier of the state to which
the message applies. A message for any other state is rejected.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Unpack

from companion.core import events
from companion.core.inputs import OfferDraw, OfferUndo, Pause
from companion.core.state import (
    AttackOpen,
    AwaitingAnswer,
    Clearing,
    DisputeOpen,
    GuessOpen,
    LossPending,
    MovePending,
    OpenQuestion,
    Restoring,
    SettingUp,
    StalemateOpen,
)
from companion.core.table import Table
from companion.pads import page_data
from companion.setups.setup import Setup, preset_setups, without_omitted
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language, capitalized
from companion.speech.small_texts import SEALS
from companion.storage.game_rows import PlayerNames
from engine.board.geometry import Side, Square, name, squares_in
from engine.board.ranks import Rank, ranks_in
from engine.board.visibility import Public
from engine.deduction.commitment import seal_words
from engine.game import rulings
from engine.game.game_state import Phase
from engine.game.views import PublicView
from engine.records.serialization import write_rank
from engine.rules.editions import MovedBombPenalty
from engine.rules.rules import Rule


def public_view(
    table: Table | None, players: PlayerNames, announcer: Announcer
) -> page_data.PublicState:
    """Return the board, captured pieces and headline, or only a message if there is no game."""
    language = announcer.language
    if table is None:
        title = language.text(N_("No game is in progress."))
        return {"language": language.code, "title": title, "text": ""}
    view = table.view
    title, text = headline(table, announcer)
    image = (table.observed if view.phase is Phase.SETUP else None) or table.expected
    return {
        "language": language.code,
        "title": title,
        "text": text,
        "board": image.tokens,
        "marked": [name(each) for each in view.opened or view.last_move or ()],
        "ranks": _proved_ranks(view, announcer.language),
        "turn": view.to_move.value if table.is_running else None,
        "sides": [_side(side, view, players, announcer) for side in Side],
    }


def headline(table: Table, announcer: Announcer) -> tuple[str, str]:
    """Return the headline, and the instructions for restoring the board or settling a dispute."""
    if table.is_paused:
        return announcer.sentence(Pause()), ""
    if not table.is_connected:
        return announcer.sentence(events.BoardDisconnected()), ""
    state, guide = table.state, ""
    if state.difference:
        guide = announcer.sentence(events.CleanupRequired(state.difference, table.expected))
    if isinstance(state, DisputeOpen):
        decide = N_("Settle it together, or let an arbiter look at the piece.")
        return announcer.language.text(N_("Dispute")), guide or announcer.language.text(decide)
    return announcer.sentence(_due(table)), guide


def _due(table: Table) -> Public:
    """Return the event that best describes the state of the game."""
    view, state = table.view, table.state
    if view.outcome:
        return view.outcome
    if state.violation:
        return state.violation
    match state:
        case SettingUp():
            return table.setup
        case AttackOpen() if view.opened:
            return rulings.AttackOpened(view.to_move, *view.opened, view.awaited)
        case GuessOpen() if view.opened and view.guess is not None:
            return rulings.InfiltrationOpened(
                view.to_move, *view.opened, view.guess, view.to_move.other
            )
        case StalemateOpen() if view.stuck:
            return rulings.StalemateClaimed(view.stuck.other)
        case AwaitingAnswer(asked=asked):
            return _asked(asked)
        case LossPending():
            return events.LossWarning(state.difference, table.expected)
        case Clearing(reveal=reveal) if reveal:
            return reveal
        case MovePending(move=move):
            return events.MoveDue(view.to_move.other, move.source, move.target)
    if view.phase is Phase.SHOWING:
        return rulings.MoveRequired(view.to_move)
    if state.difference and not isinstance(state, Clearing | Restoring):
        return events.BoardDiffers(state.difference, table.expected)
    return events.TurnBegan(view.to_move)


def _asked(asked: OpenQuestion) -> Public:
    """Return the question about what has just been done on the board.

    It is answered at the board.
    """
    attacks = [*asked.attackers.values()]
    if not attacks:
        return events.ChooseExplanation(tuple(answer.text for answer in asked.answers))
    kind = events.ConfirmAttack if len(attacks) == 1 else events.ChooseAttacker
    return kind(attacks[0].source, attacks[0].target)


def _side(
    side: Side, view: PublicView, players: PlayerNames, announcer: Announcer
) -> page_data.ArmySummary:
    fallen = [
        _fallen(rank, count, announcer) for rank, count in Counter(view.captured[side]).items()
    ]
    if view.unshown[side]:
        fallen.append({"sign": "?", "name": "?", "count": view.unshown[side]})
    called = players.of(side) or announcer.language.side(side)
    army = page_data.ArmySummary(side=side.value, name=capitalized(called), fallen=fallen)
    if proved := view.proved.get(side):
        army["setup"] = proved_rows(side, proved)
        army["signs"] = {
            write_rank(rank): announcer.language.sign(rank) for rank in sorted({*proved.values()})
        }
    return army


def _proved_ranks(view: PublicView, language: Language) -> dict[str, str]:
    """Return the rank symbols of the pieces on the board that belong to opened armies."""
    return {
        name(square): language.sign(ranks[piece])
        for side, ranks in view.proved.items()
        for piece, square in view.board.standing(side).items()
    }


def _fallen(rank: Rank, count: int, announcer: Announcer) -> page_data.CapturedRank:
    rank_name = capitalized(announcer.language.rank(rank))
    return {
        "sign": announcer.language.sign(rank),
        "rank": rank.name.lower(),
        "name": rank_name,
        "count": count,
    }


# A setup is a line of symbols as seen by its owner: the front row first, each row from the owner's
# left. A page can therefore store a setup and use it for either side.


def setup_view(
    table: Table, side: Side, mark: str, language: Language
) -> page_data.SetupTask | None:
    """Return the data for setting up an army.

    Return None outside the setup phase, or if armies are not sealed.
    """
    view = table.view
    if view.phase is not Phase.SETUP or not view.edition.sealed_armies:
        return None
    army = view.edition.army_of(side)
    ranks = sorted(set(army.pieces), reverse=True)
    return {
        "ranks": [_rank(rank, army.counts[rank], language) for rank in ranks],
        "known": [
            page_data.SetupLine(
                name=language.text(each.name),
                use=language.text(each.use),
                rows=write_rows(each.setup),
            )
            for each in without_omitted(preset_setups(view.edition.army), view.edition, side)
        ],
        "seals": _seals(table, language),
        "stands": [name(square) for square in squares_in(table.pieces_standing(side))],
        "say": {"do": "seal", "mark": mark},
    }


def _seals(table: Table, language: Language) -> str:
    """Return the words for both sides' commitments, or "" until both have sealed."""
    if len(table.commitments) < len(Side):
        return ""
    return language.text(SEALS, words=str(seal_words(table.commitments)))


def proved_rows(side: Side, proved: Mapping[Square, Rank]) -> str:
    """Write a side's opened setup on a single line."""
    return write_rows(Setup.of(side, proved))


def write_rows(setup: Setup) -> str:
    return " ".join(str(setup).split())


def _rank(rank: Rank, count: int, language: Language) -> page_data.RankCount:
    called = capitalized(language.rank(rank))
    return page_data.RankCount(
        rank=write_rank(rank), sign=language.sign(rank), name=called, count=count
    )


ALL: Final = "all"
"""Marks a question whose answer opens the commitments of the whole army."""


def mark(game: int, table: Table) -> str:
    """Return a state's identifier: the game, and the number of accepted actions.

    The opening of an army is not counted, because the question to the other side must stay valid.
    """
    return f"{game}.{len(table.referee.actions) - len(table.view.proved)}"


class PadView:
    """A player's view of one state."""

    def __init__(self, table: Table, side: Side, game: int, announcer: Announcer) -> None:
        """Read the table for one player; `game` counts games since the pads were opened."""
        self._table, self._side = table, side
        self._mark = mark(game, table)
        self._announcer, self._text = announcer, announcer.language.text

    def title(self, public: str) -> str:
        """Return the headline, addressed to this player rather than to both."""
        to_move = self._announcer.sentence(events.TurnBegan(self._side))
        return self._text(N_("Your turn")) if public == to_move else public

    def asks(self) -> list[page_data.PadQuestion]:
        """Return this player's questions, if the game is not paused and a board is connected."""
        if self._table.is_paused or not self._table.is_connected:
            return []
        asks = self._rank(), self._ready(), self._guess(), self._can_move(), self._offered()
        return [*chain(*asks, self._proof())]

    def available_commands(self) -> list[page_data.PadChoice]:
        """Return the commands available to this player, apart from answers to questions."""
        if self._table.is_paused or not self._table.is_running:
            return []
        return [*self._offers()]

    def about_arbiter(self) -> list[page_data.PadChoice]:
        """Return the commands to call an arbiter or withdraw the call, even during a pause."""
        call = self._table.arbiter_call
        if call.can_withdraw(self._side):
            return [self._choice("withdraw-call", self._text(N_("Cancel the call")))]
        called = [self._choice("call-arbiter", self._text(N_("Call the arbiter")))]
        return called if call.can_call else []

    def setup(self) -> page_data.SetupTask | None:
        """Return this player's setup task, or None if there is no army to set up and seal."""
        return setup_view(self._table, self._side, self._mark, self._announcer.language)

    @property
    def sealed(self) -> str:
        """Digest by which the phone finds its openings, or empty if there are no commitments."""
        commitment = self._table.commitments.get(self._side)
        return commitment.digest if commitment else ""

    # -- questions

    def _rank(self) -> Iterator[page_data.PadQuestion]:
        asked = self._table.conversation.question
        if asked is None or asked.owner is not self._side:
            return
        army = self._table.view.edition.army_of(self._side).ranks
        others = [rank for rank in ranks_in(army) if rank not in asked.tiles]
        choices = [*self._insist(), *map(self._tile, asked.tiles)]
        if self._table.conversation.can_withdraw:
            choices.append(self._choice("no-attack", self._text(N_("This is not an attack"))))
        cannot = N_("Ruled out by what both players know. Tap one to see why.")
        question: page_data.PadQuestion = {
            "title": self._announcer.asked(asked),
            "texts": [*self._private_words(asked), *self._contradiction()],
            "choices": choices,
            "more": self._text(N_("My rank is not shown")) if others else "",
            "about": self._text(cannot),
            "others": [*map(self._tile, others)],
        }
        yield self._with_piece(question, asked.square)

    def _private_words(self, asked: events.RankAsked) -> Iterator[str]:
        talk = self._table.conversation
        yield from (self._announcer.sentence(rulings.Declared(side)) for side in talk.declared)
        if word := talk.private_word(asked.owner):
            yield self._announcer.rules.private_word(word)

    @property
    def _refused(self) -> rulings.Contradiction | None:
        """The contradiction in this player's latest declaration, if any."""
        found = self._table.conversation.contradiction
        return found if found and found.owner is self._side else None

    def _contradiction(self) -> Iterator[str]:
        if found := self._refused:
            yield self._text(N_("That is impossible"))
            yield self._announcer.rules.proof(found)
            if self._table.view.phase is Phase.ATTACK:
                yield self._text(self._consequence(found))

    def _consequence(self, found: rulings.Contradiction) -> str:
        is_moved_bomb = found.proof.ground.rule is Rule.IMMOBILE_PIECE
        if is_moved_bomb and self._table.view.edition.moved_bomb is MovedBombPenalty.LOSES:
            return N_("Under these rules, a player who moves a bomb or the flag loses.")
        return N_(
            "If you insist, both players learn that there is a dispute, but not about which rank. "
            "You settle it together, or an arbiter does."
        )

    def _insist(self) -> Iterator[page_data.PadChoice]:
        if found := self._refused:
            rank = capitalized(self._announcer.language.rank(found.proof.rank))
            label = self._text(N_("Insist: {rank}"), rank=rank)
            yield self._choice("insist", label, rank=write_rank(found.proof.rank))

    def _tile(self, rank: Rank) -> page_data.PadChoice:
        label = capitalized(self._announcer.language.rank(rank))
        tile = self._choice("declare", label, rank=write_rank(rank))
        return {**tile, "sign": self._announcer.language.sign(rank), "rank": write_rank(rank)}

    def _ready(self) -> Iterator[page_data.PadQuestion]:
        table, seen = self._table, self._table.setup
        if table.view.phase is not Phase.SETUP or self._side in table.ready:
            return
        standing = seen.red if self._side is Side.RED else seen.blue
        is_complete = standing == table.view.edition.army_of(self._side).size and not seen.astray
        if is_complete and not table.unsealed(self._side):
            yield self._ask("", [], [self._choice("ready", self._text(N_("Ready")))])

    def _guess(self) -> Iterator[page_data.PadQuestion]:
        view = self._table.view
        if view.guess is None or view.opened is None or view.to_move is self._side:
            return
        opened = rulings.InfiltrationOpened(view.to_move, *view.opened, view.guess, self._side)
        choices = [
            self._choice("guess", self._text(N_("Wrong")), right=False),
            self._choice("guess", self._text(N_("Right")), right=True),
        ]
        asked = self._ask(self._announcer.sentence(opened), self._contradiction(), choices)
        asked["guess"] = write_rank(view.guess)
        yield self._with_piece(asked, opened.target)

    def _can_move(self) -> Iterator[page_data.PadQuestion]:
        view = self._table.view
        if view.phase is not Phase.STALEMATE or view.stuck is self._side:
            return
        explanation = N_(
            "A player who can move shows it with a legal move and wins. If nobody can, it is a "
            "draw."
        )
        choices = [
            self._choice("can-move", self._text(N_("No")), able=False),
            self._choice("can-move", self._text(N_("Yes")), able=True),
        ]
        title = self._announcer.sentence(rulings.StalemateClaimed(self._side))
        yield self._ask(title, [self._text(explanation)], choices)

    def _offered(self) -> Iterator[page_data.PadQuestion]:
        talk, side = self._table.conversation, self._announcer.language.side(self._side)
        if talk.draw_offer is self._side.other:
            accepts = self._text(N_("{side} accepts the draw"), side=side)
            offered = self._announcer.sentence(OfferDraw(talk.draw_offer))
            yield self._ask(offered, [], [self._choice("draw", accepts)])
        if talk.take_back_offer is self._side.other:
            agrees = self._text(N_("{side} allows the take-back"), side=side)
            offered = self._announcer.sentence(OfferUndo(talk.take_back_offer))
            yield self._ask(offered, [], [self._choice("take-back", agrees)])

    def _proof(self) -> Iterator[page_data.PadQuestion]:
        if self._table.conversation.can_prove(self._side):
            stays = N_(
                "Everyone sees it then, and the end of the game can no longer be taken back."
            )
            proves = self._choice("prove", self._text(N_("Show my setup")))
            yield {**self._ask("", [self._text(stays)], [proves]), "opens": ALL}

    def _with_piece(self, asked: page_data.PadQuestion, square: Square) -> page_data.PadQuestion:
        """If the answer opens the seal of a piece, add the piece's setup square to the question."""
        if self._side in self._table.sealed:
            asked["opens"] = name(self._table.referee.position.board.piece_at(square))
        return asked

    # -- available commands

    def _offers(self) -> Iterator[page_data.PadChoice]:
        talk, side = self._table.conversation, self._announcer.language.side(self._side)
        if talk.draw_offer is None:
            yield self._choice("draw", self._text(N_("{side} offers a draw"), side=side))
        if talk.take_back_offer is None and talk.can_take_back:
            is_free = talk.needs_no_agreement(self._side)
            text = N_("{side} takes back a move") if is_free else N_("{side} asks for a take-back")
            yield self._choice("take-back", self._text(text, side=side))
        view = self._table.view
        if talk.can_claim_stalemate and view.to_move is self._side:
            yield self._choice("cannot-move", self._text(N_("{side} cannot move"), side=side))
        if view.excusable is not None and view.to_move is self._side:
            stays = N_("My piece on {square} cannot move")
            label = self._text(stays, square=name(view.excusable))
            yield self._choice("touched-cannot-move", label)

    def _ask(
        self, title: str, texts: Iterable[str], choices: list[page_data.PadChoice]
    ) -> page_data.PadQuestion:
        return {"title": title, "texts": [*texts], "choices": choices}

    def _choice(
        self, do: str, text: str, **what: Unpack[page_data.CommandFields]
    ) -> page_data.PadChoice:
        return {"say": {"do": do, **what, "mark": self._mark}, "name": text}
