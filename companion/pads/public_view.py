"""Public state of a game, as plain data for a page. Spectators see only this."""

from collections import Counter

from companion.core import Table
from companion.core.events import (
    BoardDiffers,
    BoardDisconnected,
    ChooseAttacker,
    ChooseExplanation,
    CleanupRequired,
    ConfirmAttack,
    LossWarning,
    MoveDue,
    TurnBegan,
)
from companion.core.inputs import Pause
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
from companion.pads.page_data import ArmySummary, CapturedRank, PublicState
from companion.pads.player_view import proved_rows
from companion.speech.announcer import Announcer
from companion.speech.i18n import N_, Language, capitalized
from companion.storage.game_rows import PlayerNames
from engine.board.geometry import Side, name
from engine.board.ranks import Rank
from engine.board.visibility import Public
from engine.game.game_state import Phase
from engine.game.rulings import AttackOpened, InfiltrationOpened, MoveRequired, StalemateClaimed
from engine.game.views import PublicView


def public_view(table: Table | None, players: PlayerNames, announcer: Announcer) -> PublicState:
    """Return the board, the captured pieces and the headline; without a game, only a message."""
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
    """Return the headline, and instructions for the board."""
    if table.is_paused:
        return announcer.sentence(Pause()), ""
    if not table.is_connected:
        return announcer.sentence(BoardDisconnected()), ""
    state, guide = table.state, ""
    if state.difference:
        guide = announcer.sentence(CleanupRequired(state.difference, table.expected))
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
            return AttackOpened(view.to_move, *view.opened, view.awaited)
        case GuessOpen() if view.opened and view.guess is not None:
            return InfiltrationOpened(view.to_move, *view.opened, view.guess, view.to_move.other)
        case StalemateOpen() if view.stuck:
            return StalemateClaimed(view.stuck.other)
        case AwaitingAnswer(asked=asked):
            return _asked(asked)
        case LossPending():
            return LossWarning(state.difference, table.expected)
        case Clearing(reveal=reveal) if reveal:
            return reveal
        case MovePending(move=move):
            return MoveDue(view.to_move.other, move.source, move.target)
    if view.phase is Phase.SHOWING:
        return MoveRequired(view.to_move)
    if state.difference and not isinstance(state, Clearing | Restoring):
        return BoardDiffers(state.difference, table.expected)
    return TurnBegan(view.to_move)


def _asked(asked: OpenQuestion) -> Public:
    """Return the question about a hand action, which is answered at the board or its screen."""
    attacks = [*asked.attackers.values()]
    if not attacks:
        return ChooseExplanation(tuple(answer.text for answer in asked.answers))
    kind = ConfirmAttack if len(attacks) == 1 else ChooseAttacker
    return kind(attacks[0].source, attacks[0].target)


def _side(side: Side, view: PublicView, players: PlayerNames, announcer: Announcer) -> ArmySummary:
    fallen = [
        _fallen(rank, count, announcer) for rank, count in Counter(view.captured[side]).items()
    ]
    if view.unshown[side]:
        fallen.append({"sign": "?", "name": "?", "count": view.unshown[side]})
    called = players.of(side) or announcer.language.side(side)
    army = ArmySummary(side=side.value, name=capitalized(called), fallen=fallen)
    if proved := view.proved.get(side):
        army["setup"] = proved_rows(side, proved)
    return army


def _proved_ranks(view: PublicView, language: Language) -> dict[str, str]:
    """Return the rank signs of the pieces on the board whose army has been opened."""
    return {
        name(square): language.sign(ranks[piece])
        for side, ranks in view.proved.items()
        for piece, square in view.board.standing(side).items()
    }


def _fallen(rank: Rank, count: int, announcer: Announcer) -> CapturedRank:
    said = capitalized(announcer.language.rank(rank))
    return {
        "sign": announcer.language.sign(rank),
        "rank": rank.name.lower(),
        "name": said,
        "count": count,
    }
