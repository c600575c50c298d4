"""The players' commands: offers, declarations, turns made on the screen, calls for an arbiter.

A command that is not valid in the current state has no effect.
"""

import random
from collections.abc import Iterable

from companion.core import inputs
from companion.core.events import MoveDue, RankAsked
from companion.core.game_context import GameContext
from companion.core.observed_board import ObservedBoard
from companion.core.state import Cause, Clearing, MovePending, Restoring, ToMove, WrongMove
from engine.board.geometry import Side, Square, set_of
from engine.board.ranks import ranks_in
from engine.board.visibility import Secret
from engine.deduction.possible_ranks import Evidence
from engine.game import actions
from engine.game.game_state import Phase
from engine.game.referee import Referee
from engine.game.rulings import Contradiction, Reason, Ruling
from engine.game.sealed_army import matches_commitment
from engine.rules.rules import ViolationKind
from firmware_bridge.image import ImageDifference

# Contradictions between a turn and an earlier secret declaration of the same player.
#
# With silent defence, a declared rank may stay hidden. If its piece later makes a move that the
# rank cannot make, the owner has lied or made a mistake, and has to be informed. Everyone else has
# seen a legal turn and must not even learn that a notice exists. The notice is therefore shown when
# the owner makes the next private declaration, and removed afterwards.


class PrivateNotices:
    """Notices still to be shown, at most one for each side."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._waiting = _find(referee)

    def of(self, side: Side) -> Contradiction | None:
        return self._waiting.get(side)

    def take(self, action: actions.Action, rulings: Iterable[Ruling]) -> None:
        if isinstance(
            action, actions.TakeBack | actions.Amend
        ):  # taking back the turn also removes its notice
            self._waiting = _find(self._referee)
        else:
            _note(self._waiting, action, rulings)


def _find(referee: Referee) -> dict[Side, Contradiction]:
    """Derive the pending notices of a game from the actions that have not been undone."""
    waiting: dict[Side, Contradiction] = {}
    if not referee.edition.silent_defence:
        return waiting  # without silent defence, every declared rank is revealed
    again = Referee.waiting(referee.edition)
    for action in referee.in_force:
        _note(waiting, action, again.apply(action))
    return waiting


def _note(
    waiting: dict[Side, Contradiction], action: actions.Action, rulings: Iterable[Ruling]
) -> None:
    if isinstance(
        action, actions.Declare | actions.UpholdDeclaration
    ):  # the owner saw the notice when declaring
        waiting.pop(action.rank.owner, None)
    for ruling in rulings:
        if isinstance(ruling, Contradiction):
            waiting[ruling.owner] = ruling


class Conversation:
    """Handles offers, claims and declarations by either side or by the arbiter."""

    def __init__(self, context: GameContext, seed: int) -> None:
        """`seed` determines the order of the tiles for declaring a rank."""
        self.contradiction: Contradiction | None = None
        """The error in a player's latest declaration or answer. Only this player may see it."""
        self.draw_offer: Side | None = None
        """The side that has offered a draw, or None."""
        self.take_back_offer: Side | None = None
        """The side that has asked to take back the latest ply, or None."""
        self._context = context
        self._referee = context.referee
        self._seed = seed
        self._private_words = PrivateNotices(self._referee)
        self._latest = self._turn
        """The value of `_turn` when the referee last ruled on an action."""
        context.listen(self._take_answer, hears_refused=True)

    @property
    def can_take_back(self) -> bool:
        """Whether the sides may agree on a take-back.

        They can take back a ply, an open attack or guess, a claim that a side cannot move, or any
        end of a game between two people unless time has run out.
        """
        if self._context.view.proved:  # a setup cannot be taken back
            return False
        if outcome := self._referee.outcome:
            return outcome.reason is not Reason.TIME and not self._context.is_end_final
        has_begun = self._referee.plies or self._referee.phase is not Phase.PLAY
        return self._context.is_running and bool(has_begun)

    @property
    def can_reopen(self) -> bool:
        """Whether the arbiter has ended the game and may still undo that decision."""
        outcome = self._referee.outcome
        is_forfeit = outcome is not None and outcome.reason is Reason.FORFEIT
        return is_forfeit and not (self._context.view.proved or self._context.is_end_final)

    def free_take_backs(self, side: Side) -> int:
        """Return the number of turns that a handicap lets a side take back without agreement.

        The side may take back its own latest move. If the other side has moved since then, its move
        is taken back, too. Taking back an attack or a guess requires agreement, because both
        players would still know the rank that the attack or guess has revealed.
        """
        referee, handicap = self._referee, self._referee.edition.handicap
        if not (handicap and handicap.take_backs and side is handicap.favoured):
            return 0
        if referee.phase is not Phase.PLAY:
            return 0
        turns = [
            each
            for each in referee.in_force
            if not isinstance(each, actions.Touch | actions.FreeTouched)
        ]
        count = 1 if referee.to_move is side.other else 2
        # The first action sets up both armies.
        are_moves = all(isinstance(each, actions.Move) for each in turns[1:][-count:])
        return count if are_moves and len(turns) > count else 0

    def needs_no_agreement(self, side: Side) -> bool:
        """Whether a side's take-back is certain, because of a handicap or against the computer.

        The computer always agrees, and its reply is then taken back as well.
        """
        is_solo_player = self._context.computer is side.other
        return is_solo_player or bool(self.free_take_backs(side))

    @property
    def can_allow_move(self) -> bool:
        """Whether there is a refused move or attack that the arbiter may allow."""
        refused = self._context.state.refused
        if refused is None or self._referee.phase is not Phase.PLAY:
            return False
        way = _way(refused)
        return bool(self._referee.find_violation(*way)) and self._referee.position.can_stand(*way)

    def can_correct(self, mistake: actions.Correction) -> bool:
        """Whether a mistake of this type is possible. The computer makes none with its pieces."""
        square = self._referee.position.find(mistake.piece)
        owner = None if square is None else self._context.view.board.side_at(square)
        is_computers = owner is not None and owner is self._context.computer
        return not is_computers and self._referee.can_correct(mistake)

    @property
    def can_claim_stalemate(self) -> bool:
        """Whether the side to move may claim that it cannot move.

        Between two people, the claim needs no proof. A person who plays against the computer could
        only make it by mistake if public facts prove that a turn is possible. On the simulated
        board, they always do, because the referee knows the person's ranks.
        """
        referee, computer = self._referee, self._context.computer
        if referee.phase is not Phase.PLAY:
            return False
        is_solo_player = computer is not None and referee.to_move is not computer
        return not (is_solo_player and referee.position.must_be_able_to_move(referee.to_move))

    def can_prove(self, side: Side) -> bool:
        """Whether a side can open all its seals, which it may do once, after the game."""
        view = self._context.view
        return view.phase is Phase.OVER and side in view.sealed and side not in view.proved

    def private_word(self, side: Side) -> Contradiction | None:
        """Return the contradiction between a side's turn and its earlier secret declaration.

        Return None if nothing was contradicted. The side sees the contradiction the next time it
        declares a rank. No one else may learn of it.
        """
        return self._private_words.of(side)

    @property
    def question(self) -> RankAsked | None:
        """The next declaration to be made, or None. Only the player concerned may see it."""
        attack = self._referee.open_attack
        if attack is None or attack.disputed or not attack.awaited:
            return None
        owner = attack.awaited[0]
        tiles = list(ranks_in(attack.possible[owner]))
        random.Random(f"{self._seed} {self._referee.plies} {owner.value}").shuffle(tiles)
        square = attack.square(owner)
        return RankAsked(owner, square, tuple(tiles), is_attacker=square == attack.source)

    @property
    def declared(self) -> tuple[Side, ...]:
        """The sides that have already declared a rank for the open attack."""
        attack = self._referee.open_attack
        return tuple(attack.declared) if attack else ()

    @property
    def can_withdraw(self) -> bool:
        """Whether the open attack may still be withdrawn as unintended. The computer means it."""
        attack = self._referee.open_attack
        if attack is None or attack.attacker is self._context.computer:
            return False
        return not (attack.declared or attack.disputed)

    def hear(self, command: actions.Action | inputs.Command) -> None:
        """Handle a command from a player or the arbiter if it is valid in the current state."""
        match command:
            case inputs.OfferDraw() if self._context.is_running:
                self._take_draw_offer(command)
            case inputs.OfferUndo() if self.can_take_back:
                self._take_take_back_offer(command)
            case actions.TakeBack() if self.can_reopen:
                self._context.submit(command)
            case actions.UpholdDeclaration() if self._is_contradicted(command) and self._opens_seal(
                command
            ):
                # The declaration was refused only because it had not opened the seal. This command
                # opens the seal, so the rank is simply declared again, and no dispute begins.
                self._context.submit(actions.Declare(command.rank, command.salt))
            case (
                actions.Declare()
                | actions.UpholdDeclaration()
                | actions.SettleDispute()
                | actions.AnswerGuess()
                | actions.Override()
                | actions.Correct()
                | actions.ClaimStalemate()
                | actions.AnswerStalemate()
                | actions.BreakSeals()
                | actions.OpenArmy()
                | actions.Resign()
                | actions.Forfeit()
            ) if self._fits(command):
                self._context.submit(command)

    def _fits(self, command: actions.Action) -> bool:
        phase = self._referee.phase
        match command:
            case actions.Declare():
                return self.question is not None and self.question.owner is command.rank.owner
            case actions.UpholdDeclaration():
                return self._is_contradicted(command)
            case actions.SettleDispute():
                return phase is Phase.DISPUTE
            case actions.AnswerGuess():
                return phase is Phase.GUESS
            case actions.Override():
                refused = self._context.state.refused
                return (
                    self.can_allow_move and refused is not None and _way(command) == _way(refused)
                )
            case actions.BreakSeals():
                return self._context.is_running and command.side in self._context.view.sealed
            case actions.OpenArmy():
                return self.can_prove(command.side)
            case actions.Correct():
                return self.can_correct(command.mistake)
            case actions.ClaimStalemate():
                return self.can_claim_stalemate
            case actions.AnswerStalemate():
                # While a side has to prove that it can move, its answer may still change to “no”,
                # but not back to “yes”.
                is_shown = phase is Phase.SHOWING and not command.able
                is_computers = self._referee.to_move is self._context.computer
                return phase is Phase.STALEMATE or (is_shown and not is_computers)
            case _:
                return self._context.is_running

    def _is_contradicted(self, command: actions.UpholdDeclaration) -> bool:
        """Whether the referee has refused the declaration that the player now stands by."""
        found = self.contradiction
        if found is None or self._referee.open_attack is None:
            return False
        return command.rank == Secret(found.owner, found.proof.rank)

    def _opens_seal(self, command: actions.UpholdDeclaration) -> bool:
        """Whether the declaration was refused only because of the seal, and `command` opens it."""
        found, attack = self.contradiction, self._referee.open_attack
        assert found
        assert attack
        if found.proof.ground is not Evidence.NOT_AS_SEALED:
            return False
        position, side = self._referee.position, found.owner
        return bool(matches_commitment(position, side, attack.square(side), command.opening))

    def _take_draw_offer(self, offer: inputs.OfferDraw) -> None:
        if self.draw_offer is offer.side.other:
            self._context.submit(actions.AgreeDraw())
        elif self.draw_offer is None:
            self.draw_offer = offer.side
            self._context.emit(offer)

    def _take_take_back_offer(self, offer: inputs.OfferUndo) -> None:
        if self.take_back_offer is offer.side.other:
            self._context.submit(actions.TakeBack())
        elif turns := self.free_take_backs(offer.side):
            for _ in range(turns):
                self._context.submit(actions.TakeBack())
        elif self.take_back_offer is None:
            self.take_back_offer = offer.side
            self._context.emit(offer)

    def _take_answer(self, action: actions.Action, rulings: tuple[Ruling, ...]) -> None:
        """Update the contradiction after the referee's rulings, and drop the offers that lapse.

        Then ask for the next declaration, if one is due.
        """
        answer = rulings[0]
        is_refused = rulings is not self._referee.ruled
        self.contradiction = answer if is_refused and isinstance(answer, Contradiction) else None
        if not is_refused:
            self._private_words.take(action, rulings)
        before, self._latest = self._latest, self._turn
        plies, _, is_over = self._latest
        if plies != before[0] or is_over:
            self.draw_offer = None
        if self._latest != before:
            self.take_back_offer = None
        if self.question:
            self._context.emit(self.question)

    @property
    def _turn(self) -> tuple[int, bool, bool]:
        """Number of plies, whether all plies are complete, and whether the game has ended."""
        referee = self._referee
        return referee.plies, referee.phase is Phase.PLAY, referee.outcome is not None


def _way(turn: actions.Move | actions.Attack | actions.Override) -> tuple[Square, Square]:
    return turn.source, turn.target


# Players may enter a turn on the screen if the sensors cannot show it. This applies to every attack
# and every guess. It applies to a move only if the move starts or ends on an ignored square.


class ScreenTurns:
    """Submits turns entered on the screen to the referee."""

    def __init__(self, context: GameContext, sight: ObservedBoard) -> None:
        self._context, self._sight = context, sight
        self._referee = context.referee

    def take(self, turn: actions.Attack | actions.Move | actions.Infiltrate) -> None:
        """Submit a turn, unless the board has to be corrected first."""
        is_waiting = isinstance(self._context.state, Clearing | MovePending | Restoring)
        if is_waiting or not self._referee.phase.is_turn:
            return
        match turn:
            case actions.Attack():
                self._attack(turn.source, turn.target)
            case actions.Move():
                if self._sight.unbelieved & set_of((turn.source, turn.target)):
                    self._submit(turn)
            case actions.Infiltrate() if self._referee.phase is Phase.PLAY:
                self._context.submit(turn)

    def decide(self, source: Square, target: Square) -> None:
        """Make the computer's move, unless the board is disturbed or the move is illegal."""
        is_free = isinstance(self._context.state, ToMove) and self._referee.phase.is_turn
        is_empty = self._referee.position.board.side_at(target) is None
        if not (is_free and is_empty) or self._referee.find_violation(source, target):
            return
        move, side = actions.Move(source, target), self._referee.to_move
        self._context.submit(move)
        # The move may have ended the game, or the other side may have to prove that it can move.
        if isinstance(self._context.state, ToMove):
            difference = ImageDifference(missing=1 << target, surplus=1 << source)
            self._context.transition(Cause.DECIDED, move=move, difference=difference)
            self._context.emit(MoveDue(side, source, target))

    def forget_forbidden(self) -> None:
        """Clear the violation of a turn entered on the screen. Call this when the image changes."""
        state = self._context.state
        if isinstance(state, WrongMove) and not state.difference:
            self._context.transition(Cause.SHOWN)

    def _attack(self, source: Square, target: Square) -> None:
        """Open an attack entered on the screen."""
        board, last = self._referee.position.board, self._referee.position.last_move
        # As in game notation, players may enter the square on which the whole turn began.
        if last and last[0] == source and board.side_at(source) is None:
            goes_on = self._referee.can_amend(last[1], target)
            source = last[1]  # the piece stopped on that square during its turn
        else:
            goes_on = self._referee.can_strike_on(source, target)
        if goes_on:
            self._context.submit(actions.Amend(source, target))
            return
        self._submit(actions.Attack(source, target))

    def _submit(self, turn: actions.Attack | actions.Move) -> None:
        """Submit a turn, unless the piece can never move.

        On the screen, no piece is moved, so a side does not lose by touching a bomb.
        """
        violation = self._referee.find_violation(turn.source, turn.target)
        if violation and violation.fault is ViolationKind.IMMOBILE:
            self._context.show_violation(violation, None)
            self._context.emit(violation)
        else:
            self._context.submit(turn)


# A call for an arbiter is open until it is answered or withdrawn.
#
# A call is not part of the game. It does not stop the game. It can be made in every state, even
# during a pause, and it stays open after the end of the game.


class ArbiterCall:
    """Holds the open call for an arbiter, if there is one."""

    def __init__(self, context: GameContext, call: inputs.CallArbiter | None) -> None:
        """`call` is a call that was already open before a restart, or None."""
        self.open = call
        self._context = context

    @property
    def can_call(self) -> bool:
        """Whether a game is in progress and no call is open, so that an arbiter can be called.

        Nothing is saved before the game begins, so no hall would learn of a call during setup.
        """
        return self.open is None and self._context.is_running

    def can_withdraw(self, side: Side | None) -> bool:
        """Whether `side` may withdraw the open call. None stands for both sides at the table."""
        return self.open is not None and (side is None or self.open.side in (None, side))

    def hear(self, command: inputs.CallArbiter | inputs.WithdrawCall | inputs.AnswerCall) -> None:
        """Handle a command that makes, withdraws or answers a call for an arbiter.

        While a call is open, a second call has no effect.
        """
        match command:
            case inputs.CallArbiter() if self.can_call:
                self.open = command
            case inputs.WithdrawCall(side) if self.can_withdraw(side):
                self.open = None
            case inputs.AnswerCall() if self.open:
                self.open = None
            case _:
                return
        self._context.emit(command)
