"""Guarantees that ranks stay secret, and that false statements about them are detected."""

from typing import Final

from tests.project.mutation import Guarantees, Line, Own, Value

_PIXEL: Final = (
    "self.show_game(); gl = __import__('kivy.graphics', fromlist=['Color']);"
    " declared = [each.unseal() for each in table.referee.open_attack.declared.values()];"
    " self.canvas.after.add(gl.Color(1, 0, 0));"
    " self.canvas.after.add(gl.Rectangle(pos=(sum(declared), 0), size=(1, 1)))"
)

RANKS: Final[Guarantees] = {
    "Other people cannot infer a declared rank": {
        "a rank in a line, a lamp, the wake-up time, a piece's possible moves, the length of a row,"
        " or the incident sheet": Own(
            "companion/core/test_table_secrecy.py::test_planted_leak_is_found"
        ),
    },
    "No public picture shows a declared rank": {
        "one pixel": Line(
            "companion.ui.screens.rank_screens:DeclarationScreen.refresh",
            "self.show_game()",
            _PIXEL,
            "companion/ui/test_pixel_pairs.py",
        ),
    },
    "The position of a finger reveals no rank": {
        "tiles in a fixed order": Line(
            "companion.ui.widgets.private_pane:Privacy.__init__",
            "random.SystemRandom().shuffle(ranks)",
            "ranks.sort()",
            "companion/ui/screens/test_declaration_screen.py::test_tiles_are_shuffled",
        ),
    },
    "A printed secret does not show its value": {
        "a secret that prints its value": Value(
            "engine.board.visibility.Secret.__repr__",
            lambda secret: f"Secret({secret.owner}, {secret.unseal()})",
            "engine/test_secrecy.py",
        ),
    },
    "With sealed armies, a player can only declare the sealed rank": {
        "any rank opens any commitment": Line(
            "engine.deduction.commitment:ArmyCommitment.holds",
            "promised == commit(side, piece, opening)",
            "True",
            "engine/test_sealed_armies.py::test_false_declaration_is_refused",
        ),
        "a salt opens every piece": Line(
            "engine.deduction.commitment:opening_text",
            "{name(piece)} ",
            "",
            "engine/test_sealed_armies.py::test_copied_seal_cannot_be_opened",
        ),
        "a wrong army is accepted": Line(
            "engine.game.sealed_army:prove_army",
            "_find_wrong(position.edition.army_of(side), player, ranks)",
            "0",
            "engine/test_proved_armies.py::test_surplus_rank_is_detected",
        ),
    },
    "A take-back without agreement never undoes a combat": {
        "every turn is taken back alone": Line(
            "companion.core.conversation:Conversation.free_take_backs",
            "all(isinstance(each, actions.Move) for each in turns[1:][-count:])",
            "True",
            "companion/core/test_table_handicap.py"
            "::test_revealed_rank_needs_agreement_to_take_back",
        ),
    },
    "The seed of a game does not reveal the computer's setup": {
        "the setup follows from the seed of the game": Line(
            "companion.ui.solo_game:SoloGame._begin",
            "self._host.draw()",
            "self._host.seed",
            "companion/ui/test_blank_army.py::test_public_seed_does_not_reveal_the_setup",
        ),
    },
    "The size of the game file reveals no rank": {
        "rows as long as their ranks": Own(
            "companion/storage/test_secret_lengths.py::test_variable_row_length_would_reveal_ranks"
        ),
    },
    "The response time does not reveal a declared rank": {
        "a bomb takes a millisecond longer": Own(
            "companion/core/test_declaration_time.py::test_slower_rank_is_detected"
        ),
    },
    "No agent of the PettingZoo environment observes a hidden rank": {
        "the planes show the ranks of both": Line(
            "engine.pettingzoo_env:StrategoEnv._planes",
            "if owner is side:",
            "if True:",
            "engine/test_pettingzoo.py::test_no_observation_depends_on_a_hidden_rank[isf-duel]",
        ),
        "the mask holds only right guesses": Line(
            "engine.pettingzoo_env:StrategoEnv._legal_turns",
            "if rank is Rank.INFILTRATOR and",
            "if rank is Rank.INFILTRATOR and turn.guess is self._rank_on(turn.target) and",
            "engine/test_pettingzoo.py::test_no_observation_depends_on_a_hidden_rank[infiltrators-None]",
        ),
    },
    "A hint reveals no hidden rank": {
        "the rank that was declared in secret": Own(
            "companion/ui/test_hints.py::test_planted_hint_leak_is_found"
        ),
    },
    "The program closes the curtain before it exits": {
        "the echo stays off": Line(
            "companion.terminal.private_prompt:PrivatePrompt.close",
            "echo(on=True)",
            "echo(on=False)",
            "companion/terminal/test_terminal_secrecy.py::test_killed_program_wipes_the_curtain",
        ),
        "a private line stays on the screen": Line(
            "companion.terminal.private_prompt:PrivatePrompt.close",
            "self._turn(_CLOSE)",
            "pass",
            "companion/terminal/test_terminal_secrecy.py::test_killed_program_wipes_the_curtain",
        ),
    },
}
