"""Declarations of ranks that cannot be true."""

from typing import Final

from companion.simulator.interludes.occasion import Answer, Occasion
from engine.board.ranks import IMMOBILE, Rank, RankSet, ranks_in
from engine.board.visibility import Secret
from engine.game.actions import Attack, Declare, Insist, SettleDispute
from engine.rules.editions import MovedBomb

STAYS_BY_IT: Final = 0.7
"""Probability that a player at first insists on an impossible declaration."""


def insist_and_give_in(occasion: Occasion) -> Answer:
    """Make an impossible declaration, mostly insist until it is decided, then tell the truth."""
    edition = occasion.people.referee.edition
    # A player who insists on having moved a bomb may lose the game for it.
    unsaid = IMMOBILE if edition.moved_bomb is MovedBomb.LOSES else 0
    said = _choose_words(occasion, unsaid)
    if said is None:
        return Answer.UNFIT
    if not _begin(occasion, said):
        return Answer.MISSED
    if occasion.dice.random() < STAYS_BY_IT:
        occasion.people.say(Insist(said))
        occasion.people.say(SettleDispute(accepted=False))
    return Answer.BEGUN


def insist_and_take_back(occasion: Occasion) -> Answer:
    """Insist on an impossible declaration that is accepted; then the whole attack is undone."""
    said = _choose_words(occasion, unsaid=0)
    if said is None:
        return Answer.UNFIT
    if not _begin(occasion, said):
        return Answer.MISSED
    occasion.people.say(Insist(said))
    occasion.people.say(SettleDispute(accepted=True))
    if not occasion.people.conclude(said.owner):
        return Answer.MISSED
    return occasion.take_all_back()


def _choose_words(occasion: Occasion, unsaid: RankSet) -> Secret[Rank] | None:
    """Choose an impossible declaration that a side could make in the coming attack."""
    referee = occasion.people.referee
    if not isinstance(occasion.turn, Attack):
        return None
    trial = referee.copy()
    trial.apply(occasion.turn)
    attack = trial.open_attack
    if attack is None:
        return None
    lies = [
        Secret(side, rank)
        for side in attack.awaited
        for rank in ranks_in(referee.edition.army.ranks & ~unsaid & ~attack.possible[side])
    ]
    return occasion.dice.choice(lies) if lies else None


def _begin(occasion: Occasion, said: Secret[Rank]) -> bool:
    """Make the attack and the declaration; False if the table does not contradict it."""
    people, mover = occasion.people, occasion.people.referee.to_move
    people.heard.clear()
    people.make(occasion.turn, occasion.dice)
    if not people.wait_for(people.is_turn_noticed):
        return False
    people.conclude(mover, until=said.owner)
    people.say(Declare(said))
    found = people.table.conversation.contradiction
    return found is not None and found.owner is said.owner
