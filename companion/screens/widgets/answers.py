"""Buttons for the answers to a question of the table about the players' hands."""

from collections.abc import Mapping

from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.gridlayout import GridLayout

from companion.screens.widgets.common import Press, load_kv
from companion.table.question import Answer


class AnswerPress(Press):
    """The button of one answer."""

    answer = ObjectProperty(None)
    is_narrow = BooleanProperty(False)


class Answers(GridLayout):
    """The buttons, one below the other or in columns; `on_answer` passes the chosen answer."""

    __events__ = ("on_answer",)

    def show(self, texts: Mapping[Answer, str]) -> None:
        """Show these answers, with their texts.

        Buttons that are correct already are kept: one of them may be under a finger.
        """
        if {press.answer: press.text for press in self.children} == texts:
            return
        self.clear_widgets()
        for answer, text in texts.items():
            press = AnswerPress(answer=answer, text=text)
            press.bind(on_release=lambda press: self.dispatch("on_answer", press.answer))
            self.add_widget(press)

    def on_answer(self, answer: Answer) -> None:
        pass


load_kv(__file__)
