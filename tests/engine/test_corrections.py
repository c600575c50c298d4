"""Tests for the arbiter's corrections, and for the rulings that announce them."""

from dataclasses import replace

import pytest

from engine.board import OutOfPhaseError
from engine.board.geometry import name, names, square
from engine.board.ranks import Rank
from engine.deduction.possible_ranks import Evidence, Proof
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import Combat, Corrected, CorrectionRefused, refuses
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult
from engine.rules.rules import Violation, ViolationKind
from tests.engine.tables import BLUE, RED, SKIRMISH, Setup, Table, moment, state, way

ISF = EDITIONS["isf"]
DOUBLES = SKIRMISH.replace("r3   .", "r3  r6").replace("b9   .", "b9  b6")
"""Setup in which both sides also have a captain."""
SPIES = DOUBLES.replace("4   .", "4  r1").replace("7   .", "7  b2").replace("bB  b2", "bB  b1")
"""Setup in which both sides also have a spy. Blue's spy faces Red's scout in column k."""
E4, F4, K4 = map(square, ("e4", "f4", "k4"))
"""Setup squares of Red's general, miner and scout. The general has since moved to e6."""


@pytest.fixture
def table() -> Table:
    """Return a game in which Red's general has captured the blue lieutenant on e6."""
    table = Table.of(DOUBLES, rules=ISF)
    table.play("e4-e5 e7-e6 e5xe6")
    return table


def set_right(table: Table, mistake: actions.Correction) -> Corrected:
    assert table.referee.can_correct(mistake)
    ruling = table.referee.apply(actions.Correct(mistake))[0]
    assert isinstance(ruling, Corrected)
    assert ruling.mistake == mistake
    return ruling


def refused(table: Table, mistake: actions.Correction) -> Proof:
    """Try a correction that the referee must refuse. Return the proof that refutes it."""
    before, done = moment(table.referee), list(table.referee.actions)
    (ruling,) = table.referee.apply(actions.Correct(mistake))
    assert isinstance(ruling, CorrectionRefused)
    assert ruling.citation == table.referee.edition.cite(ruling.proof.ground.rule)
    assert moment(table.referee) == before
    assert table.referee.actions == done
    return ruling.proof


def is_none(table: Table, mistake: actions.Correction) -> None:
    """Check that the referee rejects the correction, because the supposed mistake could not have
    happened."""
    before = state(table.referee)
    assert not table.referee.can_correct(mistake)
    with pytest.raises(OutOfPhaseError, match="a mistake that can be corrected"):
        table.referee.apply(actions.Correct(mistake))
    assert state(table.referee) == before


def known(referee: Referee) -> dict[str, set[Rank]]:
    """Return the possible ranks of every piece, by its current square."""
    board = referee.position.board
    return {
        name(place): referee.possible(name(place))
        for place in range(100)
        if board.occupied >> place & 1
    }


def changed(before: dict[str, set[Rank]], after: dict[str, set[Rank]]) -> str:
    return " ".join(place for place in after if after[place] != before[place])


# -- a wrongly shown rank


def test_corrected_rank_applies_from_there_on(table: Table) -> None:
    answer = set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))

    assert answer.squares == (square("e6"),)
    assert table.referee.possible("e6") == {Rank.CAPTAIN}
    combat = table.play("f7-f6 e6xf6")[-1]
    assert isinstance(combat, Combat)
    assert (combat.attacker, combat.result) == (Rank.CAPTAIN, CombatResult.DEFENDER_WINS)


def test_wrong_rank_becomes_available_again(table: Table) -> None:
    before = known(table.referee)
    assert Rank.GENERAL not in before["f4"]

    answer = set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))

    after = known(table.referee)
    assert Rank.GENERAL in after["f4"]
    assert Rank.CAPTAIN not in after["f4"]
    assert names(answer.changed) == changed(before, after)
    assert "f4" in names(answer.changed), "the changed square is announced"
    assert "e7" not in names(answer.changed), "nothing else is known about Blue's army"


IN_SILENCE = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .  b6  b5  b2   .   .   .  b9
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4  r6  r5   .   .  r9   .   .   .   .  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def test_earlier_silent_declarations_are_corrected() -> None:
    """The piece drawn as Red's general is really a captain. It first beats a lieutenant
    without naming its rank. Later, it beats a scout, which reveals its rank."""
    table = Table.of(IN_SILENCE, rules=replace(ISF, silent_defence=True))
    table.play("a4-a5 e7-e6 b4-b5 e6-e5 a5-a4 e5xe4")
    table.play("b5-b4 f7-f5 a4-a5 f5-e5 b4-b5 e5xe4")
    set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))

    combat = table.play("a5-a4 d7-e7 b5-b4 e7-e6 a4-a5 e6-e5 b4-b5 e5xe4")[-1]
    assert isinstance(combat, Combat)
    assert (combat.defender, combat.result) == (Rank.CAPTAIN, CombatResult.BOTH_FALL)


def test_correction_without_effect_is_announced(table: Table) -> None:
    assert set_right(table, actions.RankCorrection(E4, Rank.GENERAL)).changed == 0


def test_earlier_combats_stand(table: Table) -> None:
    before = table.referee.position
    set_right(table, actions.RankCorrection(E4, Rank.MINER))
    after = table.referee.position

    assert after.player(BLUE).captured == before.player(BLUE).captured
    assert (after.plies, after.to_move, after.board) == (3, BLUE, before.board)


@pytest.mark.parametrize(
    ("moves", "rank", "proof"),
    [
        ("", Rank.BOMB, Proof(Evidence.MOVED, Rank.BOMB, ply=1)),
        ("f7-f6 e6-e7", Rank.FLAG, Proof(Evidence.MOVED, Rank.FLAG, ply=1)),
        ("", Rank.MARSHAL, Proof(Evidence.NOT_IN_ARMY, Rank.MARSHAL)),
        ("f7-f6 f4-f5 f6xf5", Rank.MINER, Proof(Evidence.ALL_FALLEN, Rank.MINER, count=1)),
    ],
)
def test_observed_facts_survive_a_correction(
    table: Table, moves: str, rank: Rank, proof: Proof
) -> None:
    table.play(moves)
    assert refused(table, actions.RankCorrection(E4, rank)) == proof


def test_long_move_after_reveal_still_proves_a_scout() -> None:
    table = Table.of(SPIES, rules=ISF)
    table.play("k4-k5 k7-k6 k5xk6 f7-f6 k6-k9")

    assert refused(table, actions.RankCorrection(K4, Rank.CAPTAIN)) == Proof(
        Evidence.LONG_MOVE, Rank.CAPTAIN, ply=5
    )


@pytest.mark.parametrize(
    ("set_up_on", "why"),
    [("f4", "it was never shown"), ("e7", "it has fallen"), ("c8", "no piece was set up there")],
)
def test_only_revealed_pieces_on_the_board_can_be_corrected(
    table: Table, set_up_on: str, why: str
) -> None:
    assert why
    is_none(table, actions.RankCorrection(square(set_up_on), Rank.CAPTAIN))


def test_rank_that_only_the_referee_sees_cannot_be_corrected() -> None:
    setup = Setup.parse(DOUBLES)
    edition = replace(ISF, army=setup.army)
    table = Table(setup, Referee.replay(edition, [replace(setup.placing, ranks=setup.ranks)]))

    is_none(table, actions.RankCorrection(E4, Rank.CAPTAIN))
    table.play("e4-e5 e7-e6 e5xe6")
    assert table.referee.can_correct(actions.RankCorrection(E4, Rank.CAPTAIN))


def test_correction_can_be_corrected(table: Table) -> None:
    before = known(table.referee)
    set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
    set_right(table, actions.RankCorrection(E4, Rank.GENERAL))

    assert known(table.referee) == before


# -- two swapped pieces


def test_exchanged_pieces(table: Table) -> None:
    """The two pieces were lifted and put back on each other's squares."""
    table.play("f7-f6")
    before = known(table.referee)

    answer = set_right(table, actions.SwapCorrection(E4, F4))

    assert answer.squares == (square("f4"), square("e6")), "the current squares are reported"
    assert table.referee.possible("f4") == before["e6"] == {Rank.GENERAL}
    assert table.referee.possible("e6") == before["f4"]
    assert names(answer.changed) == "f4 e6"


def test_known_ranks_follow_exchanged_pieces(table: Table) -> None:
    """The general is now on f4, and the piece on e6 may be the scout."""
    table.play("f7-f6")
    set_right(table, actions.SwapCorrection(E4, F4))

    (too_far,) = table.play("f4-f2")
    assert isinstance(too_far, Violation)
    assert too_far.fault is ViolationKind.TOO_FAR
    assert not refuses(table.play("e6-e4"))


def test_exchanging_twice_restores_the_position(table: Table) -> None:
    before = table.referee.position
    set_right(table, actions.SwapCorrection(E4, F4))
    set_right(table, actions.SwapCorrection(F4, E4))

    assert table.referee.position == before


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("e4", "f7", "they belong to different sides"),
        ("e4", "e4", "it is the same piece"),
        ("f7", "e7", "one has fallen"),
        ("e4", "c8", "no piece was set up there"),
    ],
)
def test_only_two_pieces_of_one_side_can_be_exchanged(
    table: Table, one: str, other: str, why: str
) -> None:
    assert why
    is_none(table, actions.SwapCorrection(square(one), square(other)))


# -- a piece that never made the recorded long move


LONG = "k4-k6 k7-k8"
"""Red's scout moves two squares, which reveals its rank. Then Blue moves."""


def test_corrected_long_move_allows_every_mover() -> None:
    table = Table.of(SKIRMISH, rules=ISF)
    table.play(LONG)
    assert table.referee.possible("k6") == {Rank.SCOUT}

    answer = set_right(table, actions.NotAScout(K4))

    assert answer.squares == (square("k6"),)
    moved = {Rank.SCOUT, Rank.MINER, Rank.LIEUTENANT, Rank.GENERAL}
    assert table.referee.possible("k6") == moved, (
        "the move still proves that the piece is not immobile"
    )
    assert Rank.SCOUT in table.referee.possible("e4"), "another piece may be the scout"
    assert {"e4", "f4", "k6"} <= set(names(answer.changed).split())


def test_later_long_move_counts() -> None:
    table = Table.of(SKIRMISH, rules=ISF)
    table.play(LONG)
    set_right(table, actions.NotAScout(K4))
    table.play("k6-k4")

    assert table.referee.possible("k4") == {Rank.SCOUT}
    set_right(table, actions.NotAScout(K4))
    assert len(table.referee.possible("k4")) > 1


def test_long_attack_can_be_corrected() -> None:
    """The attack has also revealed the rank, which therefore remains known."""
    table = Table.of(SPIES, rules=ISF)
    table.play("k4xk7")
    set_right(table, actions.NotAScout(K4))

    assert table.referee.possible("k7") == {Rank.SCOUT}
    set_right(table, actions.RankCorrection(K4, Rank.CAPTAIN))
    assert table.referee.possible("k7") == {Rank.CAPTAIN}


def test_only_a_recorded_long_move_can_be_corrected(table: Table) -> None:
    is_none(table, actions.NotAScout(E4))
    is_none(table, actions.NotAScout(square("c8")))


# -- phases


def test_no_correction_during_an_open_question(table: Table) -> None:
    table.play("f7-f6")
    table.referee.apply(actions.Attack(*way("e6 f6")))

    assert not table.referee.can_correct(actions.RankCorrection(E4, Rank.CAPTAIN))
    with pytest.raises(OutOfPhaseError, match="attack"):
        table.referee.apply(actions.Correct(actions.RankCorrection(E4, Rank.CAPTAIN)))


def test_the_game_replays(table: Table) -> None:
    table.play("f7-f6 k4-k6 k7-k8")
    for mistake in (
        actions.RankCorrection(E4, Rank.CAPTAIN),
        actions.NotAScout(K4),
        actions.SwapCorrection(E4, F4),
    ):
        set_right(table, mistake)
        again = Referee.replay(table.referee.edition, table.referee.actions)
        assert state(again) == state(table.referee)


# -- take-backs


ALMOST_SHUT_IN = """
    10  bF  bB   .   .   .   .   .   .   .   .
     9  b2   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .   .   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .   .   .   .   .   .   .
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF  rB   .   .   .   .   .   .   .  r2
         a   b   c   d   e   f   g   h   i   k
"""


class TestTakingBack:
    def test_correction_survives_take_back_of_a_later_ply(self, table: Table) -> None:
        table.play("f7-f6")
        set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
        table.take_back()

        assert table.referee.plies == 3
        assert table.referee.possible("e6") == {Rank.CAPTAIN}
        again = Referee.replay(table.referee.edition, table.referee.actions)
        assert state(again) == state(table.referee)

    def test_exchange_survives_take_back(self, table: Table) -> None:
        table.play("f7-f6")
        set_right(table, actions.SwapCorrection(E4, F4))
        table.take_back()

        assert table.referee.possible("f4") == {Rank.GENERAL}
        assert table.referee.position.board.piece_at(F4) == E4

    def test_exchange_survives_take_back_of_the_move(self, table: Table) -> None:
        """One of the swapped pieces made the turn that is taken back."""
        table.play("f7-f6 e6-e7")
        set_right(table, actions.SwapCorrection(E4, F4))
        assert table.referee.possible("e7") != {Rank.GENERAL}
        table.take_back()

        assert table.referee.possible("f4") == {Rank.GENERAL}
        assert str(table.referee).splitlines()[4].split()[5] == "r?", "another piece is on e6"

    def test_long_move_correction_survives_take_back(self) -> None:
        table = Table.of(SKIRMISH, rules=ISF)
        table.play(LONG + " e4-e5")
        set_right(table, actions.NotAScout(K4))
        table.take_back()

        assert len(table.referee.possible("k6")) > 1

    def test_take_back_of_the_long_move_drops_its_correction(self) -> None:
        table = Table.of(SKIRMISH, rules=ISF)
        table.play("k4-k6")
        before = len(table.referee.actions)
        set_right(table, actions.NotAScout(K4))
        table.take_back()

        is_none(table, actions.NotAScout(K4))
        assert table.referee.in_force == table.referee.actions[: before - 1]

    def test_corrections_keep_their_order(self, table: Table) -> None:
        table.play("f7-f6")
        set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
        set_right(table, actions.SwapCorrection(E4, F4))
        set_right(table, actions.RankCorrection(E4, Rank.LIEUTENANT))
        table.take_back()

        assert table.referee.possible("f4") == {Rank.LIEUTENANT}
        mistakes = [a.mistake for a in table.referee.in_force if isinstance(a, actions.Correct)]
        assert mistakes == [
            actions.RankCorrection(E4, Rank.CAPTAIN),
            actions.SwapCorrection(E4, F4),
            actions.RankCorrection(E4, Rank.LIEUTENANT),
        ]

    def test_take_back_of_the_combat_drops_its_correction(self, table: Table) -> None:
        set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
        table.take_back()

        assert Rank.GENERAL in table.referee.possible("e5")
        is_none(table, actions.RankCorrection(E4, Rank.CAPTAIN))

    def test_correction_survives_take_back_of_the_end(self, table: Table) -> None:
        set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
        table.referee.apply(actions.Resign(RED))
        table.referee.apply(actions.TakeBack())

        assert table.referee.possible("e6") == {Rank.CAPTAIN}
        assert table.referee.outcome is None

    def test_correction_that_ended_the_game_is_taken_back(self) -> None:
        """The swap leaves Blue's scout between its own flag and bomb."""
        table = Table.of(ALMOST_SHUT_IN, rules=ISF)
        table.play("k1-k2 a9-a8 k2-k1 a8-a9 k1-k2")
        before = moment(table.referee)
        set_right(table, actions.SwapCorrection(square("a10"), square("a9")))
        assert table.referee.outcome

        table.take_back()

        assert moment(table.referee) == before
        again = Referee.replay(table.referee.edition, table.referee.actions)
        assert state(again) == state(table.referee)

    def test_corrections_of_repeated_reveals(self, table: Table) -> None:
        """The rank stays known until all reveals of the piece have been taken back."""
        table.play("f7-f6 e6-e7 k7-k6")
        set_right(table, actions.RankCorrection(E4, Rank.CAPTAIN))
        for _ in range(3):
            table.take_back()
            assert Rank.CAPTAIN in table.referee.possible("e6" if table.referee.plies < 5 else "e7")

        table.take_back()
        assert len(table.referee.possible("e5")) > 1
