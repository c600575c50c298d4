"""Tests for transcripts: replay, conversion to records, and adjudication."""

import random
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import accumulate, cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import Side, square
from engine.board.ranks import Rank
from engine.board.visibility import Secret
from engine.game import actions
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import GameOver, Reason
from engine.records.adjudication import Basis, Verdict, judge_transcript
from engine.records.record import GameKind, RecordedMove
from engine.records.transcript import Transcript, TranscriptError, as_record, transcribe
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from engine.rules.rules import ViolationKind
from tests.engine.cases import each
from tests.engine.examples import examples
from tests.engine.games import shuffled
from tests.engine.golden_games import _read_action
from tests.engine.tables import BLUE, RED, Setup
from tests.engine.test_random_actions import Rowdies

ISF_DUEL = EDITIONS["isf"].with_army("duel")
TRAVEL_DUEL = replace(EDITIONS["travel-2017"].with_army("duel"), moved_bomb=MovedBombPenalty.LOSES)
NORDIC = EDITIONS["nordic-2015"]

DUEL = """
    10  bF   .   .   .   .   .   .   .   .   .
     9  bB   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .  b1   .  b3
     7  b3 b10   .   .  bB  b9   .   .  b2  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2  r1   .   .  r3  r9   .   . r10  r3
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .  rB  rB   .  r2   .   .   .   .
"""
ARMIES = """
    10  bF  bB  b2  b3  b3  b3  b3  b3  b2  b2
     9  bB  bB  b2  b4  b4  b4  b4  b5  b5  b5
     8  b2  b2  b5  b6  b6  b6  b6  b7  b7  b7
     7  b1  b9  bI  b8  b8  bB  bB  bB  b2 b10
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r2  r9  r1  r8  r8  rB  rB  rB  rI r10
     3  r2  r2  r5  r6  r6  r6  r6  r7  r7  r7
     2  rB  rB  r2  r4  r4  r4  r4  r5  r5  r5
     1  rF  rB  r2  r3  r3  r3  r3  r3  r2  r2
"""


def all_actions(drawn: str, words: str, *last: actions.Action) -> list[actions.Action]:
    """Return the setup, the actions in golden-game notation, and an ending."""
    taken = [_read_action(each.strip()) for each in words.split(",") if each.strip()]
    return [Setup.parse(drawn).placing, *taken, *last]


def game_of(
    words: str,
    *last: actions.Action,
    edition: Edition = ISF_DUEL,
    drawn: str = DUEL,
    every: float = 10,
) -> Transcript:
    """Return a game in which the referee knows only the declared ranks."""
    timed = [
        (every * number, action) for number, action in enumerate(all_actions(drawn, words, *last))
    ]
    return transcribe(edition, timed, begun="2026-11-21T10:00:00Z")


def full(transcript: Transcript, drawn: str = DUEL) -> Transcript:
    """Return the game with the ranks of all pieces added."""
    timed = [(entry.at, entry.action) for entry in transcript.entries]
    given = Setup.parse(drawn).ranks
    return transcribe(transcript.edition, timed, begun=transcript.begun, ranks=given)


FIGHT = "b4-b5, b7-b6, b5xb6, Red says spy, Blue says marshal"


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

    assert message == "action 5 breaks a rule: the rank that was declared is impossible"


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
        "the piece set up on b4 is given as a miner, but the game has revealed a spy"
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


# -- adjudication


def judged(transcript: Transcript, edition: Edition | None = None) -> Verdict:
    return judge_transcript(transcript, edition or transcript.edition)


def test_legal_game_with_take_backs() -> None:
    game = game_of(
        f"{FIGHT}, f7-f6, f4-f5, f6xf5, withdrawn, f6-f7, taken back", actions.Resign(BLUE)
    )

    assert judged(game) == Verdict(5, outcome=GameOver(RED, Reason.RESIGNATION))


def test_added_ranks_reveal_a_moved_bomb() -> None:
    """The piece that moves from c1 is a bomb, but that is not public."""
    game = game_of("c1-c2, e7-e6, c2-c3")
    assert judged(game) == Verdict(3)

    verdict = judged(full(game))

    assert (verdict.ply, verdict.violations[0].fault) == (1, ViolationKind.IMMOBILE)
    assert judged(full(game), TRAVEL_DUEL).outcome == GameOver(BLUE, Reason.MOVED_BOMB)


def test_judged_by_another_edition() -> None:
    """A piece moves between b4 and b5 four times in a row."""
    to_and_fro = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, b5-b4"
    old = replace(ISF_DUEL, two_squares_limit=5)
    game = game_of(to_and_fro, edition=old)
    assert judged(game) == Verdict(7)

    verdict = judged(game, ISF_DUEL)

    assert (verdict.ply, verdict.violations[0].fault) == (7, ViolationKind.TO_AND_FRO)


def test_diverging_position_ends_the_judging() -> None:
    """Equal ranks were declared, and both pieces fell. According to the ranks added later, Red's
    piece survives."""
    board = actions.AdoptBoard((actions.Relocation("k7", "b6"),), 0, RED)
    game = game_of("b4-b5, b7-b6, b5xb6, Red says miner, Blue says miner", board)
    assert judged(game) == Verdict(4)
    printed = {square("b4"): Rank.MARSHAL, square("b7"): Rank.MINER}

    with pytest.raises(TranscriptError, match=r"before ply 4, .* found adopt-board red k7-b6"):
        judged(replace(game, ranks=printed))


def test_overrides_are_legal() -> None:
    game = game_of("the arbiter lets e4-f5 stand, e7-e6, the arbiter lets e6-e5 stand, f5-f6")

    assert judged(game) == Verdict(4)


def test_override_may_be_legal_in_another_edition() -> None:
    to_and_fro = "b4-b5, k7-k6, b5-b4, k6-k5, b4-b5, i7-i6, the arbiter lets b5-b4 stand"
    game = game_of(to_and_fro)

    assert judged(game, replace(ISF_DUEL, two_squares_limit=5)) == Verdict(7)


DISPUTE = "e4-e5, e7-e6, e5xe6, Red says miner, Blue insists on bomb"
"""Blue insists that its moved piece is a bomb."""


def test_refused_declaration() -> None:
    game = game_of(f"{DISPUTE}, the arbiter refuses it, Blue says miner, k7-k6")

    assert judged(game) == Verdict(4)


def test_accepted_declaration_reveals_a_moved_bomb() -> None:
    verdict = judged(game_of(f"{DISPUTE}, the arbiter accepts it, k7-k6"))

    assert (verdict.plies, verdict.ply) == (4, 2)
    assert verdict.violations[0].fault is ViolationKind.IMMOBILE


IN_ENEMY_ROWS = "i4-i5, k7-k6, i5-i6, k6-k5, i6-k6, a7-a6, k6-k7, a6-a5"
"""Red's infiltrator has reached k7. Blue's marshal and spy have moved away."""


@each(
    "guess",
    [
        "k7 guesses k8 major, Blue answers right",
        "k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 major, Blue answers right",
        "k7 guesses k8 bomb, Blue answers wrong, a5-a6, k7 guesses k8 bomb",
        "k7 guesses k8 bomb, taken back, k7 guesses k9 lieutenant, Blue answers right",
    ],
)
def test_infiltration(guess: str) -> None:
    """No further question is asked, whether or not the guess reveals the rank."""
    game = game_of(f"{IN_ENEMY_ROWS}, {guess}", actions.Resign(RED), edition=NORDIC, drawn=ARMIES)

    for known in (game, full(game, ARMIES)):
        assert judged(known) == Verdict(
            game.referee().plies, outcome=GameOver(BLUE, Reason.RESIGNATION)
        )


# -- random games with all possible actions


class RandomPlayers(Rowdies):
    """Random players with full armies from the rulebooks. Files cannot name any other armies."""

    def __init__(self, edition: Edition, chance: random.Random) -> None:
        self.setup = shuffled(edition.army, chance)
        self.referee, self.chance = Referee.waiting(edition), chance
        self.done, self.before = Counter(), []
        self.referee.apply(self.setup.placing)

    def end(self, action: actions.Action | None) -> None:
        if action and self.referee.phase is not Phase.OVER:
            self.referee.apply(action)


ends = st.sampled_from(
    [
        *(None, actions.AgreeDraw(), actions.TimeExpired(None), actions.Forfeit(None)),
        *(
            kind(side)
            for kind in (actions.Resign, actions.TimeExpired, actions.Forfeit)
            for side in Side
        ),
    ]
)


@st.composite
def games(draw: st.DrawFn) -> Transcript:
    """Draw a game with any edition, army, options and time control. The ranks of some pieces may be
    added."""
    edition = draw(st.sampled_from(list(EDITIONS.values())))
    edition = replace(
        edition,
        army=draw(st.sampled_from(edition.armies)),
        two_squares_limit=draw(st.sampled_from(edition.limits or (edition.two_squares_limit,))),
        moved_bomb=draw(st.sampled_from(edition.moved_bomb_choices or (edition.moved_bomb,))),
        silent_defence=draw(st.booleans()),
        aggressor_advantage=draw(st.booleans()),
    )
    players = RandomPlayers(edition, random.Random(draw(st.integers(0, 2**32))))
    players.play(draw(st.integers(0, 120)))
    players.end(draw(ends))
    moments = draw(st.lists(st.floats(0, 600), min_size=1, max_size=5))
    timed = list(zip(accumulate(cycle(moments)), players.referee.actions))  # noqa: B905 (endless)
    return transcribe(
        edition,
        timed,
        draw(st.sampled_from(list(TIME_CONTROLS.values()))),
        draw(st.sampled_from(["", "2026-11-21T10:11:08Z", "2026-11-21T10:11:08.25+01:00"])),
        draw(st.none() | st.tuples(st.text(), st.text())),
    )


@given(games())
@examples(40)
def test_transcribing_again_gives_an_equal_game(game: Transcript) -> None:
    timed = [(entry.at, entry.action) for entry in game.entries]

    again = transcribe(
        game.edition, timed, game.control, game.begun, game.players, ranks=game.ranks
    )

    assert again == game
    assert game.outcome == game.referee().outcome


@given(games(), st.sampled_from(list(EDITIONS.values())))
@examples(40)
def test_any_game_can_be_judged_by_any_edition(game: Transcript, edition: Edition) -> None:
    for rules in (game.edition, edition):
        # A different piece may survive under other rules, or if the added ranks contradict a
        # declaration.
        may_differ = game.ranks or rules != game.edition
        with suppress(TranscriptError) if may_differ else nullcontext():
            verdict = judge_transcript(game, rules)

            assert verdict.plies == game.referee().plies
            assert verdict.ply is None or (verdict.violations and verdict.ply <= verdict.plies)


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


# -- the basis for the outcome


@each(
    ("game", "basis"),
    [
        (game_of(FIGHT), None),
        (game_of(FIGHT, actions.Resign(BLUE)), Basis.CLAIMED),
        (game_of(FIGHT, actions.TimeExpired(BLUE)), Basis.CLAIMED),
        (game_of("b4-b5", actions.ClaimStalemate(), edition=TRAVEL_DUEL), Basis.CLAIMED),
        (full(game_of("b4-b5", actions.ClaimStalemate(), edition=TRAVEL_DUEL)), Basis.REFUTED),
        (full(game_of(FIGHT, actions.Forfeit(None))), Basis.CLAIMED),
    ],
)
def test_basis_of_each_ending(game: Transcript, basis: Basis | None) -> None:
    """The claim “I cannot move” holds until added ranks show a legal move."""
    assert judge_transcript(game, game.edition).basis is basis
