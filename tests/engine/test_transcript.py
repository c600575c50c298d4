"""Tests for transcripts: replay, errors in the actions, and conversion to records."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from engine.board.geometry import square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Verdict
from engine.records.record import GameKind, RecordedMove
from engine.records.transcript import Transcript, TranscriptError, as_record, transcribe
from engine.rules.editions import EDITIONS
from engine.rules.rules import ViolationKind
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.transcripts import (
    DUEL,
    FIGHT,
    ISF_DUEL,
    TRAVEL_DUEL,
    RandomPlayers,
    all_actions,
    full,
    game_of,
    games,
    judged,
)

# -- ranks revealed by the game itself


def test_undeclared_ranks_stay_unknown() -> None:
    game = game_of(FIGHT)

    assert game.ranks == {square("b4"): Rank.SPY, square("b7"): Rank.MARSHAL}
    assert game.outcome is None


def test_silent_survivor_is_known_afterwards() -> None:
    silent = replace(ISF_DUEL, silent_defence=True)

    game = game_of("f4-f5, f7-f6, f5xf6, Red says general, Blue says marshal", edition=silent)

    assert game.ranks[square("f7")] is Rank.MARSHAL


def test_taken_back_ranks_are_unknown() -> None:
    silent = replace(ISF_DUEL, silent_defence=True)
    fight = "f4-f5, f7-f6, f5xf6, Red says general, Blue says marshal"

    assert game_of(f"{fight}, taken back", edition=silent).ranks == {}
    assert game_of(f"{FIGHT}, taken back").ranks == {}


ASKED: list[actions.Action] = [actions.ClaimStalemate(), actions.AnswerStalemate(able=True)]


@each(
    ("last", "end"),
    [
        ([actions.Resign(RED)], GameOver(BLUE, Reason.RESIGNATION)),
        ([actions.AgreeDraw()], GameOver(None, Reason.AGREED_DRAW)),
        ([actions.TimeExpired(BLUE)], GameOver(RED, Reason.TIME)),
        ([actions.TimeExpired(None)], GameOver(None, Reason.TIME)),
        ([actions.Forfeit(BLUE)], GameOver(RED, Reason.FORFEIT)),
        ([actions.Forfeit(None)], GameOver(None, Reason.FORFEIT)),
        ([actions.ClaimStalemate()], None),
        (
            [actions.ClaimStalemate(), actions.AnswerStalemate(able=False)],
            GameOver(None, Reason.BOTH_IMMOBILE),
        ),
        ([actions.ClaimStalemate(), actions.AnswerStalemate(able=True)], None),
        ([*ASKED, actions.Move(44, 54)], GameOver(RED, Reason.NO_LEGAL_MOVE)),
    ],
)
def test_outcome(last: list[actions.Action], end: GameOver | None) -> None:
    assert game_of("e4-e5", *last).outcome == end
    assert game_of("e4-e5", *last, actions.TakeBack()).outcome is None


def test_obvious_stalemate_is_not_asked() -> None:
    game = game_of("b4-b5", actions.ClaimStalemate(), edition=TRAVEL_DUEL)

    assert game.outcome == GameOver(RED, Reason.NO_LEGAL_MOVE)


def test_losing_bomb_move() -> None:
    """Blue insists that its moved piece is a bomb, and loses."""
    insists = "e4-e5, e7-e6, e5xe6, Red says miner, Blue insists on bomb"

    game = game_of(insists, edition=TRAVEL_DUEL)

    assert game.outcome == GameOver(RED, Reason.MOVED_BOMB)
    assert game.violations == ()


# -- invalid transcripts


def refused(wanted: list[actions.Action], **ranks: Rank) -> str:
    with pytest.raises(TranscriptError) as error:
        transcribe(
            ISF_DUEL,
            [(0, action) for action in wanted],
            ranks={square(place): rank for place, rank in ranks.items()},
        )
    return str(error.value)


def test_unfitting_action_is_reported_by_number() -> None:
    message = refused(all_actions(DUEL, "b4-b5, Red says spy"))

    assert message.endswith("in the phase 'play', found declare red ?")
    assert "SPY" not in message


def test_illegal_action_is_reported() -> None:
    message = refused(all_actions(DUEL, "b4-b5, b7-c8"))

    assert message == (
        "action 3 breaks a rule: the squares are not in the same row or column (b7 c8)"
    )


def test_impossible_declaration_is_reported() -> None:
    message = refused(all_actions(DUEL, "b4-b5, b7-b6, b5xb6, Red says bomb"))

    assert message == "action 5 breaks a rule: the rank or answer that was declared is impossible"


def test_impossible_correction_is_reported() -> None:
    mistake = actions.RankCorrection(square("b4"), Rank.BOMB)

    message = refused([*all_actions(DUEL, FIGHT), actions.Correct(mistake)])

    number = len(all_actions(DUEL, FIGHT)) + 1
    assert message == f"action {number} breaks a rule: the correction is impossible"


def test_impossible_board_is_reported() -> None:
    """The agreed board has a known bomb on another square."""
    found = all_actions(
        DUEL, "f4-f5, k7-k6, f5-e5, k6-k5, e5-e6, k5-k6, e6xe7, Red says general, Blue says bomb"
    )
    moved = actions.Relocation(square("e7"), square("e6"))

    message = refused([*found, actions.AdoptBoard((moved,), 0, RED)])

    assert message == f"action {len(found) + 1} breaks a rule: the board cannot be adopted"


def test_all_setup_faults_are_reported() -> None:
    """Red has three extra pieces: one on a lake, one far from home, and one on a square occupied by
    Blue."""
    placing = Setup.parse(DUEL).placing
    red = placing.red | 1 << square("c5") | 1 << square("k10") | 1 << square("a7")

    message = refused([actions.PlaceArmies(red, placing.blue)])

    assert message.startswith("action 1 breaks a rule: ")
    for fault in (
        ViolationKind.WRONG_COUNT,
        ViolationKind.OUTSIDE_HOME,
        ViolationKind.ON_LAKE,
        ViolationKind.SHARED_SQUARE,
    ):
        assert fault.meaning in message
    for place in ("a7 k10)", "(c5)", "(a7)"):
        assert place in message
    assert "b8" not in message, "the correct piece is not reported"


def test_given_ranks_belong_to_the_setup() -> None:
    wrong = dict.fromkeys(["a4", "b4", "e4", "f4", "i4", "k4", "a1", "c1", "d1", "f1"], Rank.SCOUT)
    placing = Setup.parse(DUEL).placing
    outside = actions.PlaceArmies(
        placing.red, placing.blue ^ 1 << square("a10") ^ 1 << square("a6")
    )

    message = refused([outside], **wrong)

    assert ViolationKind.OUTSIDE_HOME.meaning in message
    assert f"{ViolationKind.WRONG_ARMY.meaning} (a1 c1 d1 f1 a4" in message


def test_given_ranks_contradict_the_game() -> None:
    fought = all_actions(DUEL, FIGHT)

    assert refused(fought, b4=Rank.MINER) == (
        "the piece set up on b4 cannot have the rank miner, "
        "because the game has revealed the rank spy"
    )
    assert refused(fought, c7=Rank.MINER) == ("no piece was set up on c7, so it has no rank")
    assert refused(fought, a10=Rank.MARSHAL) == (
        "2 pieces of the rank marshal are given for blue, but the army has 1"
    )
    assert refused(fought, a10=Rank.MAJOR) == (
        "1 pieces of the rank major are given for blue, but the army has 0"
    )
    assert refused([], a1=Rank.FLAG) == "no piece was set up on a1, so it has no rank"


def test_accepted_declaration_may_exceed_the_army() -> None:
    """Two of Blue's pieces count as the marshal."""
    game = game_of(
        f"{FIGHT}, f7-f6, f4-f5, f6xf5, Blue insists on marshal, the arbiter accepts it, "
        "Red says general"
    )

    assert game.ranks[square("b7")] is game.ranks[square("f7")] is Rank.MARSHAL


# -- as a record


def test_game_of_moves_becomes_a_record() -> None:
    game = replace(full(game_of(FIGHT, actions.Resign(BLUE))), players=("north", "söuth"))

    record = as_record(game)

    setup = Setup.parse(DUEL)
    assert (record.ranks, record.red, record.blue) == (
        setup.ranks,
        setup.placing.red,
        setup.placing.blue,
    )
    ways = [("b4", "b5"), ("b7", "b6"), ("b5", "b6")]
    assert record.moves == tuple(RecordedMove(square(a), square(b)) for a, b in ways)
    assert record.result == GameOver(RED, Reason.RESIGNATION)
    assert record.kind is GameKind.DUELL
    assert record.players == ("north", "söuth")


def test_record_omits_withdrawn_and_refused_turns() -> None:
    game = full(
        game_of(
            "e4-e5, e7-e6, taken back, b7-b6, b4-b5, b6xb5, withdrawn, b6xb5, Blue says marshal, "
            "Red says spy, e5-e6, e7xe6, withdrawn"
        )
    )

    ways = [("e4", "e5"), ("b7", "b6"), ("b4", "b5"), ("b6", "b5"), ("e5", "e6")]
    assert as_record(game).moves == tuple(RecordedMove(square(a), square(b)) for a, b in ways)


def test_move_and_attack_of_a_scout_are_one_recorded_move() -> None:
    strike = actions.Amend(square("a6"), square("a7"))

    game = full(game_of("a4-a6", strike, actions.Declare(Secret(BLUE, Rank.MINER))))

    assert as_record(game).moves == (RecordedMove(square("a4"), square("a7")),)
    assert judged(game) == Verdict(1)


def test_amended_scout_move_is_one_recorded_move() -> None:
    game = full(game_of("a4-a5", actions.Amend(square("a5"), square("a6"))))

    assert as_record(game).moves == (RecordedMove(square("a4"), square("a6")),)
    assert judged(game) == Verdict(1)


def test_a_record_needs_every_rank() -> None:
    with pytest.raises(TranscriptError, match=r"18 pieces are not known; .* beginning with a1"):
        as_record(game_of(FIGHT))


@each(
    ("words", "what"),
    [
        ("the arbiter lets e4-f5 stand", "override"),
        (
            "e4-e5, e7-e6, e5xe6, Red says miner, Blue insists on bomb, the arbiter accepts it",
            "settle-dispute",
        ),
    ],
)
def test_actions_that_no_record_can_hold(words: str, what: str) -> None:
    with pytest.raises(TranscriptError, match=f"cannot contain the action '{what}'"):
        as_record(full(game_of(words)))


def test_corrections_cannot_be_recorded() -> None:
    game = game_of("a4-a6, i7-i6", actions.Correct(actions.NotAScout(square("a4"))))

    with pytest.raises(TranscriptError, match="cannot contain the action 'correct'"):
        as_record(full(game))


def test_no_record_without_armies() -> None:
    with pytest.raises(TranscriptError, match="never set up"):
        as_record(transcribe(ISF_DUEL, []))


# -- random games with all possible actions


@given(games())
@examples(40)
def test_transcribing_again_gives_an_equal_game(game: Transcript) -> None:
    timed = [(entry.at, entry.action) for entry in game.entries]

    again = transcribe(
        game.edition, timed, game.control, game.begun, game.players, ranks=game.ranks
    )

    assert again == game
    assert game.outcome == game.referee().outcome


def test_random_games_have_every_action() -> None:
    done: Counter[type[actions.Action]] = Counter()
    for seed, edition in enumerate([*EDITIONS.values()] * 3):
        players = RandomPlayers(edition, random.Random(seed))
        players.play(120)
        done += players.done

    kinds = {
        actions.Move,
        actions.Attack,
        actions.WithdrawAttack,
        actions.Declare,
        actions.UpholdDeclaration,
        actions.SettleDispute,
        actions.Override,
        actions.TakeBack,
    }
    assert done.keys() >= kinds
