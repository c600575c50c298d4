"""The arbiter sets right a rank that was shown wrongly."""

import pytest

from engine.knowledge.dossier import Ground, Proof
from engine.play.actions import CorrectRank, Resign, TakeBack
from engine.play.moment import OutOfPhaseError
from engine.play.referee import Referee
from engine.play.rulings import Combat, CorrectionRefused, RankCorrected
from engine.ranks import Rank, ranks_in
from engine.rulebook.combat import Result
from engine.rulebook.editions import EDITIONS
from engine.squares import square
from tests.engine.tables import BLUE, RED, SKIRMISH, Table, position, state

DOUBLES = SKIRMISH.replace("r3   .", "r3  r6").replace("b9   .", "b9  b6")
"""Both sides have a captain, too."""
SPIES = DOUBLES.replace("4   .", "4  r1").replace("7   .", "7  b2").replace("bB  b2", "bB  b1")
"""And a spy; Blue's stands in front of Red's scout."""
ISF = EDITIONS["isf"]
E4 = square("e4")
"""The piece that was set up there: Red's general, which has moved to e6."""


@pytest.fixture
def table() -> Table:
    """Red's general has beaten the blue lieutenant that had moved to e6."""
    table = Table.of(DOUBLES, rules=ISF)
    table.play("e4-e5 e7-e6 e5xe6")
    return table


def possible(referee: Referee, name: str) -> set[Rank]:
    return set(ranks_in(referee.dossier.possible(referee.position.board.piece_at(square(name)))))


def test_from_there_on_it_is_the_right_one(table: Table) -> None:
    rulings = table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))

    assert rulings == (RankCorrected(RED, square("e6"), Rank.CAPTAIN),)
    assert possible(table.referee, "e6") == {Rank.CAPTAIN}
    combat = table.play("f7-f6 e6xf6")[-1]
    assert isinstance(combat, Combat)
    assert (combat.attacker, combat.result) == (Rank.CAPTAIN, Result.DEFENDER_WINS)


def test_the_rank_that_was_taken_from_it_is_another_pieces_again(table: Table) -> None:
    table.play("k7-k6")
    assert Rank.GENERAL not in possible(table.referee, "f4")
    table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))

    assert Rank.GENERAL in possible(table.referee, "f4")
    assert Rank.CAPTAIN not in possible(table.referee, "f4")


def test_what_was_fought_stays_as_it_was_ruled(table: Table) -> None:
    before = table.referee.captured[BLUE].copy()
    table.referee.apply(CorrectRank(E4, Rank.MINER))

    assert table.referee.captured[BLUE] == before
    assert table.referee.plies == 3
    assert table.referee.to_move is BLUE


@pytest.mark.parametrize(
    ("moves", "rank", "proof"),
    [
        ("", Rank.BOMB, Proof(Ground.MOVED, Rank.BOMB, ply=1)),
        ("f7-f6 e6-e7", Rank.FLAG, Proof(Ground.MOVED, Rank.FLAG, ply=1)),
        ("", Rank.MARSHAL, Proof(Ground.NOT_IN_ARMY, Rank.MARSHAL)),
        ("f7-f6 f4-f5 f6xf5", Rank.MINER, Proof(Ground.ALL_FALLEN, Rank.MINER, count=1)),
    ],
)
def test_what_everybody_has_seen_of_it_still_counts(
    table: Table, moves: str, rank: Rank, proof: Proof
) -> None:
    table.play(moves)
    before = position(table.referee)
    correction = CorrectRank(E4, rank)
    rulings = table.referee.apply(correction)

    where = square("e7" if moves.endswith("e7") else "e6")
    assert rulings == (CorrectionRefused(where, proof, ISF.cite(proof.ground.rule)),)
    assert position(table.referee) == before
    assert correction not in table.referee.actions


def test_a_run_after_the_reveal_still_proves_a_scout() -> None:
    table = Table.of(SPIES, rules=ISF)
    table.play("k4-k5 k7-k6 k5xk6 f7-f6 k6-k9")

    (refused,) = table.referee.apply(CorrectRank(square("k4"), Rank.CAPTAIN))
    assert isinstance(refused, CorrectionRefused)
    assert refused.proof == Proof(Ground.LONG_MOVE, Rank.CAPTAIN, ply=5)


@pytest.mark.parametrize("name", ["f4", "e6", "c8"])
def test_only_a_piece_that_was_shown_and_stands(table: Table, name: str) -> None:
    """f4 was never shown, the piece of e7 has fallen, and on c8 none was set up."""
    piece = square("e7" if name == "e6" else name)
    assert not table.referee.can_correct(piece)
    with pytest.raises(OutOfPhaseError, match="never shown"):
        table.referee.apply(CorrectRank(piece, Rank.CAPTAIN))


class TestTakingBack:
    def test_a_later_ply_leaves_it_right(self, table: Table) -> None:
        table.play("f7-f6")
        table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))
        table.take_back()

        assert table.referee.plies == 3
        assert possible(table.referee, "e6") == {Rank.CAPTAIN}
        again = Referee.replay(table.referee.edition, table.referee.actions)
        assert state(again) == state(table.referee)

    def test_the_combat_itself_takes_it_away(self, table: Table) -> None:
        table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))
        table.take_back()

        assert Rank.GENERAL in possible(table.referee, "e5")
        assert not table.referee.can_correct(E4)

    def test_the_end_leaves_it_right(self, table: Table) -> None:
        table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))
        table.referee.apply(Resign(RED))
        table.referee.apply(TakeBack())

        assert possible(table.referee, "e6") == {Rank.CAPTAIN}
        assert table.referee.outcome is None


def test_what_was_declared_wrongly_can_be_set_right_twice(table: Table) -> None:
    table.referee.apply(CorrectRank(E4, Rank.CAPTAIN))
    table.referee.apply(CorrectRank(E4, Rank.GENERAL))

    assert possible(table.referee, "e6") == {Rank.GENERAL}
