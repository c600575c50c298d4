"""Transcripts for tests: short games given as text, and random games."""

import random
from collections import Counter
from dataclasses import replace
from itertools import accumulate, cycle

from hypothesis import strategies as st

from engine.board.geometry import Side
from engine.game import actions
from engine.game.clocks import TIME_CONTROLS
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.records.adjudication import Verdict, judge_transcript
from engine.records.transcript import Transcript, transcribe
from engine.rules.editions import EDITIONS, Edition, MovedBombPenalty
from tests.engine.games import shuffled
from tests.engine.golden_games import _read_action
from tests.engine.tables import Setup
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
FIGHT = "b4-b5, b7-b6, b5xb6, Red says spy, Blue says marshal"
DISPUTE = "e4-e5, e7-e6, e5xe6, Red says miner, Blue insists on bomb"
"""Blue insists that its moved piece is a bomb."""
IN_ENEMY_ROWS = "i4-i5, k7-k6, i5-i6, k6-k5, i6-k6, a7-a6, k6-k7, a6-a5"
"""Red's infiltrator has reached k7. Blue's marshal and spy have moved away."""


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


def judged(transcript: Transcript, edition: Edition | None = None) -> Verdict:
    return judge_transcript(transcript, edition or transcript.edition)


class RandomPlayers(Rowdies):
    """Random players with full armies from the rulebooks. Saved files cannot represent other
    armies."""

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
    """Draw a random game with any edition, army, options and time control. It may contain the ranks
    of some pieces."""
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
