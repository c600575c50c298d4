"""Guarantees that costs do not grow over time."""

from typing import Final

from tests.project.mutation import Guarantees, Line

LONG_USE: Final[Guarantees] = {
    "Memory, files and threads do not grow with the number of games played": {
        "finished games are kept": Line(
            "companion.session.game_host:GameHost.leave",
            "self.session = None",
            "self.over = [*getattr(self, 'over', ()), self.session]; self.session = None",
            "companion/storage/test_memory_growth.py::test_game_leaks_no_memory",
        ),
    },
    "The games are listed without being replayed": {
        "the actions of each game are read": Line(
            "companion.commands.games:_list",
            "for game in journal.games()]",
            "for game in journal.games() if journal.transcript(game.number)]",
            "companion/commands/test_many_games.py",
        ),
    },
}
