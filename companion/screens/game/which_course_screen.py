"""The observed changes have several explanations: the players choose the right one."""

from kivy.properties import StringProperty

from companion.screens.base.base_screen import GameScreen
from companion.screens.widgets.answers import Answers  # noqa: F401 (the layout has one)
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _
from companion.table.inputs import NoAttack
from engine.board.geometry import set_of


class WhichCourseScreen(GameScreen):
    """The current board, and a button for each hypothesis that explains it.

    The screen closes automatically when the pieces are put back.
    """

    why = StringProperty()
    """The reason for the question; empty if the only hypothesis may also be wrong."""

    def on_marked(self, *_args: object) -> None:
        self.change_touch()

    def refresh(self) -> None:
        self.show_game()
        table = self.stage.table
        self.image = table.seen or table.expected
        courses = table.state.asked.answers
        self.marked = set_of(square for course in courses for square in course.squares)
        several = len(courses) > 1
        self.why = _("Each of these leaves the board like this.") if several else ""
        self.ids.courses.show({each: _.announcer.board.course(each.text) for each in courses})

    def none_of_them(self) -> None:
        self.stage.give(NoAttack(self.stage.now()))


load_kv(__file__)
