"""Tests for views of a game: a side's view contains none of the other side's secrets."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board import board_text
from engine.board.geometry import Side, name, square
from engine.board.ranks import IMMOBILE, Rank
from engine.board.visibility import Private, Public, Secret
from engine.game import actions
from engine.game.referee import Referee
from engine.game.rulings import Combat, GameOver, Infiltrated, Reason, Ruling
from engine.game.views import PlayerView, PublicView, player_view, public_view
from engine.rules.editions import EDITIONS
from engine.rules.movement import CombatResult, is_long_move
from tests.engine.examples import examples
from tests.engine.tables import BLUE, RED, Setup, Table

SKIRMISH = """
    10  bF   .   .   .   .   .   .   .   .   .
     9  bB   .   .   .   .   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .  b3   .   .  b5  b9   .   .   .  b2
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .  rB   .   .  r9  r3   .   .  r5  r2
     3   .   .   .   .   .   .   .   .   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""
ROWS = slice(1, 12)
"""Lines of a view that show the board."""


def view_of(table: Table, side: Side) -> PlayerView:
    return player_view(table.referee, side, own(table.setup, side))


def own(setup: Setup, side: Side) -> dict[int, Rank]:
    return {piece: rank for piece, (owner, rank) in setup.pieces.items() if owner is side}


def declare(table: Table, side: Side, place: str) -> tuple[Ruling, ...]:
    return table.referee.apply(actions.Declare(Secret(side, table.rank_at(place))))


def way(move: str) -> tuple[int, int]:
    source, target = move.split()
    return square(source), square(target)


# -- the pictures


def test_public_view_shows_no_ranks() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6")

    assert str(public_view(table.referee)) == (
        "what everybody sees\n"
        "10 b?  .  .  .  .  .  .  .  .  .\n"
        " 9 b?  .  .  .  .  .  .  .  .  .\n"
        " 8  .  .  .  .  .  .  .  .  .  .\n"
        " 7  . b?  .  .  . b?  .  .  . b?\n"
        " 6  .  .  ~  ~ r?  .  ~  ~  .  .\n"
        " 5  .  .  ~  ~  .  .  ~  ~  .  .\n"
        " 4  . r?  .  .  . r?  .  . r? r?\n"
        " 3  .  .  .  .  .  .  .  .  .  .\n"
        " 2  .  .  .  .  .  .  .  .  .  .\n"
        " 1 r?  .  .  .  .  .  .  .  .  .\n"
        "    a  b  c  d  e  f  g  h  i  k\n"
        "last: e5xe6: 9 takes 5\n"
        "next: Blue\n"
        "Red lost: -\n"
        "Blue lost: 5"
    )


def test_player_view_shows_own_ranks() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6")

    assert str(view_of(table, RED)) == (
        "what Red sees\n"
        "10 b?  .  .  .  .  .  .  .  .  .\n"
        " 9 b?  .  .  .  .  .  .  .  .  .\n"
        " 8  .  .  .  .  .  .  .  .  .  .\n"
        " 7  . b?  .  .  . b?  .  .  . b?\n"
        " 6  .  .  ~  ~ r9  .  ~  ~  .  .\n"
        " 5  .  .  ~  ~  .  .  ~  ~  .  .\n"
        " 4  . rB  .  .  . r3  .  . r5 r2\n"
        " 3  .  .  .  .  .  .  .  .  .  .\n"
        " 2  .  .  .  .  .  .  .  .  .  .\n"
        " 1 rF  .  .  .  .  .  .  .  .  .\n"
        "    a  b  c  d  e  f  g  h  i  k\n"
        "last: e5xe6: 9 takes 5\n"
        "next: Blue\n"
        "Red lost: -\n"
        "Blue lost: 5"
    )


def test_forgotten_rank_is_not_shown() -> None:
    table = Table.of(SKIRMISH)

    view = player_view(table.referee, BLUE, {square("b7"): Rank.MINER})

    assert " 7  . b3  .  . b? b?  .  .  . b?" in str(view)
    assert view.ranks == {square("b7"): Rank.MINER}


def test_view_hides_enemy_ranks() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6")

    for side in Side:
        assert player_view(table.referee, side, table.setup.ranks) == view_of(table, side)


def test_board_is_empty_before_the_setup() -> None:
    view = public_view(Referee.waiting(EDITIONS["isf"]))

    assert board_text.read("\n".join(str(view).splitlines()[ROWS])) == {}
    assert str(view).splitlines()[12:] == [
        "last: -",
        "next: Red (setup)",
        "Red lost: -",
        "Blue lost: -",
    ]


def test_view_is_a_snapshot() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6")
    views = [public_view(table.referee), view_of(table, RED), view_of(table, BLUE)]
    before = [(str(view), repr(view)) for view in views]

    table.play("e5xe6 k7xk4")

    assert [(str(view), repr(view)) for view in views] == before


def test_public_and_private_are_types() -> None:
    assert issubclass(PublicView, Public)
    assert issubclass(PlayerView, Private)
    assert not issubclass(PlayerView, Public)


# -- reveals


def test_reveal_lasts_until_the_next_action() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6")
    fought = Combat(RED, *way("e5 e6"), Rank.GENERAL, Rank.LIEUTENANT, CombatResult.ATTACKER_WINS)
    assert public_view(table.referee).revealed == fought

    table.referee.apply(actions.Move(*way("e6 e7")))  # refused: Blue is to move
    assert public_view(table.referee).revealed == fought

    table.referee.apply(actions.Attack(*way("k7 k4")))
    assert public_view(table.referee).revealed is None
    table.referee.apply(actions.WithdrawAttack())
    assert public_view(table.referee).revealed is None
    table.play("f7-f6")
    assert public_view(table.referee).revealed is None


def test_take_back_restores_no_reveal() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6 f7-f6")

    table.referee.apply(actions.TakeBack())

    view = public_view(table.referee)
    assert table.referee.position.last_combat
    assert view.revealed is None
    assert "last: e5-e6" in str(view).splitlines()
    assert view.captured == {RED: (), BLUE: (Rank.LIEUTENANT,)}


def test_open_attack_shows_only_the_phase() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6")
    table.referee.apply(actions.Attack(*way("e5 e6")))
    before = public_view(table.referee), view_of(table, RED), view_of(table, BLUE)
    assert "next: Red (attack)" in str(before[0]).splitlines()

    assert (before[0].opened, before[0].awaited) == (way("e5 e6"), (RED, BLUE))

    declare(table, BLUE, "e6")

    after = public_view(table.referee), view_of(table, RED), view_of(table, BLUE)
    assert after[0].awaited == (RED,), "the view shows who has declared, but no rank"
    assert replace(after[0], awaited=before[0].awaited) == before[0]
    assert [view.ranks for view in after[1:]] == [view.ranks for view in before[1:]]


def test_no_open_attack_after_combat() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 e7-e6 e5xe6")

    view = public_view(table.referee)
    assert (view.opened, view.awaited, view.guess) == (None, (), None)


def test_moved_scout_may_still_attack() -> None:
    """Red's piece has moved along its column from k4, and is now in front of a blue piece."""
    table = Table.of(SKIRMISH)
    table.play("k4-k6")
    assert public_view(table.referee).may_strike == {square("k6"): 1 << square("k7")}

    table.referee.apply(actions.Amend(*way("k6 k7")))
    assert public_view(table.referee).may_strike == {}, "the scout has already attacked"
    table.referee.apply(actions.WithdrawAttack())
    table.play("f7-f6")
    assert public_view(table.referee).may_strike == {}, "the scout cannot attack after Blue's move"


def test_piece_that_moved_sideways_may_not_attack() -> None:
    table = Table.of(SKIRMISH)
    table.play("e4-e5 f7-f6 f4-f5")

    assert public_view(table.referee).may_strike == {square("f5"): 1 << square("f6")}
    table.take_back()
    table.play("e5-f5")
    assert public_view(table.referee).may_strike == {}


def test_captured_pieces_are_sorted() -> None:
    table = Table.of(SKIRMISH)
    table.play("k4xk7 e7-e6 e4-e5 f7-f6 e5xe6 f6xe6")

    lines = str(public_view(table.referee)).splitlines()

    assert lines[ROWS.stop :] == [
        "last: f6xe6: 9 falls with 9",
        "next: Red",
        "Red lost: 9 2",
        "Blue lost: 9 5 2",
    ]


def test_outcome_is_public() -> None:
    table = Table.of(SKIRMISH)
    table.referee.apply(actions.Resign(RED))

    view = public_view(table.referee)

    assert view.outcome == GameOver(BLUE, Reason.RESIGNATION)
    assert "over: Blue wins" in str(view).splitlines()


# -- infiltration

AMONG_THEM = """
    10  bF   .   .   .   .   .   .   .   .   .
     9   .   .   .   .  b9   .   .   .   .   .
     8   .   .   .   .   .   .   .   .   .   .
     7   .   .   .   .   .   .   .  bI   .   .
     6   .   .   ~   ~   .   .   ~   ~   .   .
     5   .   .   ~   ~   .   .   ~   ~   .   .
     4   .   .   .   .  rI   .   .   .   .   .
     3   .   .   .   .   .   .   .  r9   .   .
     2   .   .   .   .   .   .   .   .   .   .
     1  rF   .   .   .   .   .   .   .   .   .
         a   b   c   d   e   f   g   h   i   k
"""


def among_them() -> Table:
    table = Table.of(AMONG_THEM)
    table.play("e4-e5 h7-h8 e5-e6 h8-h7 e6-e7 h7-h8")
    return table


def test_guess_is_visible_until_the_next_action() -> None:
    table = among_them()
    table.referee.apply(actions.Infiltrate(*way("e7 e9"), Rank.GENERAL))
    view = public_view(table.referee)
    assert (view.revealed, view.opened, view.guess) == (None, way("e7 e9"), Rank.GENERAL)
    assert "next: Red (guess)" in str(public_view(table.referee)).splitlines()

    table.referee.apply(actions.AnswerGuess(True))

    view = public_view(table.referee)
    assert view.revealed == Infiltrated(RED, *way("e7 e9"), Rank.GENERAL, right=True)
    assert "last: e7 says e9 is 9: right" in str(view).splitlines()
    assert view.captured[BLUE] == (Rank.GENERAL,)
    table.play("h8-h9")
    assert public_view(table.referee).revealed is None


def test_guess_with_a_public_answer() -> None:
    table = among_them()
    table.referee.apply(actions.Infiltrate(*way("e7 e9"), Rank.GENERAL))
    table.referee.apply(actions.AnswerGuess(False))
    table.play("h8-h9")
    assert public_view(table.referee).revealed is None

    table.referee.apply(actions.Infiltrate(*way("e7 e9"), Rank.GENERAL))

    view = public_view(table.referee)
    assert view.revealed == Infiltrated(RED, *way("e7 e9"), Rank.GENERAL, right=False)
    assert "last: e7 says e9 is 9: wrong" in str(view).splitlines()


def test_taken_back_guess_is_not_shown() -> None:
    table = among_them()
    table.referee.apply(actions.Infiltrate(*way("e7 e9"), Rank.GENERAL))
    table.referee.apply(actions.AnswerGuess(True))

    table.referee.apply(actions.TakeBack())

    assert public_view(table.referee).revealed is None
    assert public_view(table.referee).captured[BLUE] == ()


def test_possible_infiltrations_and_guesses() -> None:
    """According to public facts, any red piece in Blue's rows could be the infiltrator."""
    table = among_them()
    every = table.setup.army.ranks
    assert public_view(table.referee).infiltrations == {way("e7 e9"): every}

    table.referee.apply(actions.Infiltrate(*way("e7 e9"), Rank.FLAG))
    assert public_view(table.referee).infiltrations == {}, "only one infiltration at a time"
    table.referee.apply(actions.AnswerGuess(False))
    assert public_view(table.referee).infiltrations == {}, "no blue piece is in Red's rows"
    table.play("h8-h9")
    assert public_view(table.referee).infiltrations == {way("e7 e9"): every & ~(1 << Rank.FLAG)}


def test_no_possible_infiltrations_without_infiltrators() -> None:
    table = Table.of(SKIRMISH)
    table.override("e4-e9")
    table.play("b7-b6")

    assert public_view(table.referee).infiltrations == {}


# -- two games that differ only in the hidden ranks of one side


@dataclass
class Pair:
    one: Table
    other: Table
    hidden: Side
    chance: random.Random

    @classmethod
    def of(cls, seed: int, silent_defence: bool) -> "Pair":
        chance = random.Random(seed)
        hidden = chance.choice(list(Side))
        setup = Setup.parse(SKIRMISH)
        for side in Side:
            setup = shuffled(setup, side, chance)
        edition = replace(setup.edition(), silent_defence=silent_defence)
        one = Table(setup, Referee.waiting(edition))
        other = Table(shuffled(setup, hidden, chance), Referee.waiting(edition))
        for table in (one, other):
            table.referee.apply(setup.placing)
        return cls(one, other, hidden, chance)

    def play(self, plies: int) -> Iterator[None]:
        """Play the same turns in both games. Yield after every action until revealed ranks differ.

        End early if the games have no legal turn in common.
        """
        for _ in range(plies):
            ways = list(self._ways())
            if self.one.referee.outcome or not ways:
                return
            turn = self.chance.choice(ways)
            assert self.one.referee.apply(turn) == self.other.referee.apply(turn)
            yield
            while opened := self.one.referee.open_attack:
                side = opened.awaited[0]
                attacking = side is self.one.referee.to_move
                place = name(opened.source if attacking else opened.target)
                ruling, ruling_other = (declare(t, side, place) for t in (self.one, self.other))
                if ruling != ruling_other:
                    assert isinstance(ruling[1], Combat)
                    return
                yield

    def _ways(self) -> Iterator[actions.Move | actions.Attack]:
        """Yield moves and attacks that are legal in both games, given the piece's rank in each."""
        for turn in self.one.referee.legal_moves():
            ranks = {table.rank_at(name(turn.source)) for table in (self.one, self.other)}
            if isinstance(turn, actions.Infiltrate):
                continue
            able = ranks == {Rank.SCOUT} or not is_long_move(turn.source, turn.target)
            if able and not any(IMMOBILE >> rank & 1 for rank in ranks):
                yield turn


def shuffled(setup: Setup, side: Side, chance: random.Random) -> Setup:
    ranks = own(setup, side)
    dealt = chance.sample(list(ranks.values()), len(ranks))
    ranks_of = {piece: (side, rank) for piece, rank in zip(ranks, dealt, strict=True)}
    return Setup({**setup.pieces, **ranks_of})


@given(st.integers(0, 2**32 - 1), st.booleans())
@examples(12)
def test_hidden_ranks_do_not_affect_public_views(seed: int, silent_defence: bool) -> None:
    pair = Pair.of(seed, silent_defence)
    for _ in pair.play(60):
        for see in (
            lambda table: public_view(table.referee),
            lambda table: view_of(table, pair.hidden.other),
        ):
            seen, seen_other = see(pair.one), see(pair.other)
            assert seen == seen_other
            assert str(seen) == str(seen_other)


def test_compared_games_differ() -> None:
    differing = fought = 0
    for seed in range(4):
        pair = Pair.of(seed, silent_defence=bool(seed % 2))
        for _ in pair.play(60):
            hidden = [view_of(table, pair.hidden) for table in (pair.one, pair.other)]
            differing += str(hidden[0]) != str(hidden[1])
            fought += public_view(pair.one.referee).revealed is not None

    assert differing >= 80
    assert fought


@given(st.integers(0, 2**32 - 1))
@examples(4)
def test_printed_board_hides_enemy_ranks(seed: int) -> None:
    pair = Pair.of(seed, silent_defence=False)
    for _ in pair.play(60):
        for side in Side:
            lines = str(view_of(pair.one, side)).splitlines()
            tokens = board_text.read("\n".join(lines[ROWS]))
            colour = side.other.value[0]
            theirs = {token for token in tokens.values() if token.startswith(colour)}
            mine = {token for token in tokens.values() if not token.startswith(colour)}
            assert theirs == {colour + "?"}
            assert not any(token.endswith("?") for token in mine)
