"""Guarantees that the review after a game is true and reveals no secrets."""

from typing import Final

from tests.project.mutation import Guarantees, Line

_REVIEW: Final = "companion.analysis.game_review"
_STORIES: Final = "companion/analysis/test_stories.py"

REVIEWS: Final[Guarantees] = {
    "No sentence of a review is contradicted by the second referee": {
        "the rest of the army is ignored": Line(
            f"{_REVIEW}:GameReview._suspect",
            "deduction.possible(piece), self.rank(piece)",
            "deduction.individual[piece], self.rank(piece)",
            _STORIES,
        ),
        "one possible rank less": Line(
            f"{_REVIEW}:GameReview._suspect",
            "        possible,\n",
            "        possible & possible - 1 or possible,\n",
            _STORIES,
        ),
        "a win against one rank is called certain": Line(
            f"{_REVIEW}:AttackReview.is_certain",
            "self.beaten == self.target.possible",
            "bool(self.beaten)",
            _STORIES,
        ),
        "equal ranks count as beaten": Line(
            f"{_REVIEW}:GameReview._beaten_by",
            "advantage = self.edition.aggressor_advantage",
            "advantage = True",
            _STORIES,
        ),
        "every piece runs like a scout": Line(
            f"{_REVIEW}:GameReview._certain",
            "rank is not Rank.SCOUT and turn.target not in",
            "turn.target in () and turn.target not in",
            _STORIES,
        ),
        "an attack that was made is called missed": Line(
            f"{_REVIEW}:GameReview._find_missed_attacks",
            "if found.target.square != attacked",
            "if True",
            _STORIES,
        ),
        "more pieces could have a rank than were left": Line(
            f"{_REVIEW}:_count_last",
            "return left if count == left else 0",
            "return left",
            _STORIES,
        ),
        "captured pieces count in the measure of bluff": Line(
            "companion.analysis.moments:_ranks_left",
            "for piece in position.board.standing(side)",
            "for piece in ranks",
            _STORIES,
        ),
    },
    "A game is reviewed only after its end": {
        "an unfinished game is reviewed": Line(
            f"{_REVIEW}:GameReview.__init__",
            "if transcript.outcome is None:",
            "if False:",
            "companion/analysis/test_game_review.py::test_unfinished_game_cannot_be_reviewed",
        ),
        "a moment shows all ranks": Line(
            "companion.reports.reviews:Story.ranks",
            "if owner is side and rank is not None",
            "if rank is not None",
            "companion/reports/test_story.py::test_moments_show_only_knowable_ranks",
        ),
        "the phones get the story while the end can be taken back": Line(
            "companion.pads.pad_feed:PadFeed._follow",
            "self._number = self._host.number",
            "self._number = self._host.number; self._number and self._write_sheets()",
            "companion/pads/test_pads.py::TestView::test_final_game_is_shown",
        ),
    },
}
