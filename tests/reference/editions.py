"""Table of differences between the rulebooks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReferenceEdition:
    """Row of the table. Where the players have a choice, the default comes first."""

    armies: tuple[str, ...]
    limits: tuple[int, ...]
    """Maximum number of consecutive moves by a piece between the same two squares."""
    by_borders: bool
    """Whether the two-squares rule counts crossings of square edges rather than moves between the
    same two squares."""
    more_squares: bool
    moved_bomb_loses: tuple[bool, ...]
    """Whether moving a bomb or the flag loses the game. If it does not, the move is rejected."""
    both_immobile_draw: bool


EDITIONS = {
    "compact-1992": ReferenceEdition(
        armies=("original",),
        limits=(5,),
        by_borders=False,
        more_squares=False,
        moved_bomb_loses=(False,),
        both_immobile_draw=False,
    ),
    "original-1992": ReferenceEdition(
        armies=("original",),
        limits=(5,),
        by_borders=False,
        more_squares=False,
        moved_bomb_loses=(False,),
        both_immobile_draw=False,
    ),
    "gravopedia-2006": ReferenceEdition(
        armies=("original", "duel"),
        limits=(3,),
        by_borders=False,
        more_squares=True,
        moved_bomb_loses=(True,),
        both_immobile_draw=False,
    ),
    "nordic-2015": ReferenceEdition(
        armies=("original", "duel", "infiltrator"),
        limits=(3,),
        by_borders=False,
        more_squares=True,
        moved_bomb_loses=(False,),
        both_immobile_draw=False,
    ),
    "travel-2017": ReferenceEdition(
        armies=("original", "duel"),
        limits=(3,),
        by_borders=False,
        more_squares=True,
        moved_bomb_loses=(False, True),  # only the German rules say that this move loses
        both_immobile_draw=False,
    ),
    "isf": ReferenceEdition(
        armies=("original", "duel", "barrage"),
        limits=(3, 5),
        by_borders=True,
        more_squares=True,
        moved_bomb_loses=(False,),  # the arbiter decides, so the move alone does not end the game
        both_immobile_draw=True,
    ),
}
