"""Translates messages, ranks and sides into the players' languages.

The source messages are in English. The translations are gettext catalogues in
`companion/locale`, whose .po files are read directly, so no compiled file can be out of date.

Each sentence is one message. If it names a rank or a side, its translation chooses the grammatical
form of the name: ``{rank:the}`` in the sentence refers to an entry for every rank, with the context
``the``, in the same catalogue. ``{rank:The}`` is the same form at the beginning of a sentence, and
``{rank}`` is the bare name.

Messages of the rules pages have a separate context, `RULES`, because the same English message can
have a shorter translation elsewhere.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Final

from engine.board.geometry import Side
from engine.board.ranks import Army, Rank

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


SOURCE: Final = "en"
RULES: Final = "rules"
"""Catalogue context of the messages in `companion.rules_pages.edition_page`."""
_CATALOGUES: Final = resources.files("companion") / "locale"


def N_(message: str) -> str:  # noqa: N802 (gettext's name)
    """Mark a message for translation without translating it."""
    return message


RANK_NAMES: Final = {
    Rank.FLAG: N_("flag"),
    Rank.SPY: N_("spy"),
    Rank.SCOUT: N_("scout"),
    Rank.MINER: N_("miner"),
    Rank.SERGEANT: N_("sergeant"),
    Rank.LIEUTENANT: N_("lieutenant"),
    Rank.CAPTAIN: N_("captain"),
    Rank.MAJOR: N_("major"),
    Rank.COLONEL: N_("colonel"),
    Rank.GENERAL: N_("general"),
    Rank.MARSHAL: N_("marshal"),
    Rank.BOMB: N_("bomb"),
    Rank.INFILTRATOR: N_("infiltrator"),
}
"""English names of the ranks (rules.md §3)."""
PIECE_NAMES: Final = {
    Rank.FLAG: N_("the flag"),
    Rank.SPY: N_("the spy"),
    Rank.SCOUT: N_("a scout"),
    Rank.MINER: N_("a miner"),
    Rank.SERGEANT: N_("a sergeant"),
    Rank.LIEUTENANT: N_("a lieutenant"),
    Rank.CAPTAIN: N_("a captain"),
    Rank.MAJOR: N_("a major"),
    Rank.COLONEL: N_("a colonel"),
    Rank.GENERAL: N_("the general"),
    Rank.MARSHAL: N_("the marshal"),
    Rank.BOMB: N_("a bomb"),
    Rank.INFILTRATOR: N_("an infiltrator"),
}
"""English names of the ranks with their articles. The article is “the” if a classic army has only
one piece of the rank."""
ONLY_PIECE_NAMES: Final = {
    Rank.MINER: N_("the miner"),
    Rank.BOMB: N_("the bomb"),
    Rank.INFILTRATOR: N_("the infiltrator"),
}
"""Names of the other ranks of which an army may have only one piece."""
_HIGHEST_AMERICAN: Final = 11
"""Sum of a rank's European and American numbers. American numbers count down: 1 is the marshal, and
9 the scout."""
_LETTERS: Final = 3
"""Number of characters in the short form of a name."""


class RankSigns(Enum):
    """Rank notations that match the players' own pieces."""

    EUROPEAN = "european"
    """10 is the marshal, 2 the scout, 1 the spy."""
    AMERICAN = "american"
    """1 is the marshal, 9 the scout, S the spy."""
    NAMES = "names"
    """Names instead of numbers."""


SIDE_NAMES: Final = {Side.RED: N_("Red"), Side.BLUE: N_("Blue")}
"""English names of the sides."""


def capitalized(text: str) -> str:
    """Capitalize the first letter of a string, leaving the others unchanged."""
    return text[:1].upper() + text[1:]


def codes() -> list[str]:
    """Return the codes of all languages, English first."""
    return [SOURCE, *sorted(entry.name for entry in _CATALOGUES.iterdir() if entry.is_dir())]


def system_code(environment: Mapping[str, str]) -> str:
    """Return the code of the system language, or of English if that language has no catalogue.

    The language is read from the same environment variables as in gettext, in the same order. One
    catalogue serves both written forms of Norwegian.
    """
    known = {**{code: code for code in codes()}, "no": "nb", "nn": "nb"}
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = filter(None, environment.get(variable, "").split(":"))
        found = [known[code] for each in wanted if (code := re.split("[_.@]", each)[0]) in known]
        if found:
            return found[0]
        if environment.get(variable):
            return SOURCE
    return SOURCE


def own_name(code: str) -> str:
    """Return a language's own name for itself, capitalized."""
    from babel import Locale  # noqa: PLC0415 (few commands name a language)

    return capitalized(Locale(code).get_display_name(code) or code)


class Name(str):
    """The name of a rank or side, with its grammatical forms, which ``{rank:the}`` selects."""

    _forms: Mapping[str, str]

    def __new__(cls, name: str, forms: Mapping[str, str]) -> "Name":
        """Create a name. `forms` contains its other forms, keyed by context in the catalogue."""
        made = super().__new__(cls, name)
        made._forms = forms
        return made

    def __format__(self, form: str) -> str:
        """Return one form of the name. Raise KeyError if the catalogue has no such form."""
        if not form.isalpha():
            return super().__format__(form)
        inflected = self._forms[form.lower()]
        return inflected if form.islower() else capitalized(inflected)


class Language:
    """A language, identified by a code such as ``de``. Raises LookupError for an unknown code."""

    def __init__(self, code: str, signs: RankSigns = RankSigns.EUROPEAN) -> None:
        if code not in codes():
            raise LookupError(f"unknown language {code!r}; known codes: {', '.join(codes())}")
        self.code = code
        self.signs = signs
        """Rank notation, in addition to the names."""
        self._translations: NullTranslations = NullTranslations()
        self._forms: dict[str, dict[str, str]] = {}
        if code != SOURCE:
            self._translations, self._forms = _load(code)

    def text(self, message: str, **values: object) -> str:
        """Translate a message. `values` fill its ``{placeholders}``."""
        return self._translations.gettext(message).format(**values)

    def rules(self, message: str) -> str:
        """Translate a message from an edition's page. Such messages have no placeholders."""
        return self._translations.pgettext(RULES, message)

    def rulebook(self, title: str) -> str:
        """Translate the title of a rulebook. An unknown title is returned unchanged."""
        return self.rules(title) if title else ""

    def plural(self, one: str, many: str, count: int) -> str:
        """Translate a message with a count, in the plural form that the language requires."""
        return self._translations.ngettext(one, many, count).format(count=count)

    def _name(self, message: str) -> Name:
        return Name(self.text(message), self._forms.get(message, {}))

    def number(self, number: float) -> str:
        """Format a number with one or two decimals, following the language's conventions."""
        from babel.numbers import format_decimal  # noqa: PLC0415 (few commands format a number)

        return format_decimal(number, "0.0#", locale=self.code)

    def duration(self, seconds: int) -> str:
        """Return a duration in words, such as ``1 minute, 30 seconds``."""
        from babel.units import format_unit  # noqa: PLC0415 (few commands name a duration)

        parts = [(seconds // 60, "duration-minute"), (seconds % 60, "duration-second")]
        texts = (format_unit(many, unit, "long", locale=self.code) for many, unit in parts if many)
        return ", ".join(texts)

    def rank(self, rank: Rank) -> str:
        """Return the name of a rank, as a `Name`."""
        return self._name(RANK_NAMES[rank])

    def piece(self, rank: Rank, army: Army) -> str:
        """Return a rank's name with its article, such as “a scout” or “the spy”, as a `Name`.

        The article depends on how many such pieces the army has.
        """
        names = {**PIECE_NAMES, **ONLY_PIECE_NAMES} if army.counts[rank] == 1 else PIECE_NAMES
        return self._name(names[rank])

    def rank_number(self, rank: Rank) -> str:
        """Return a rank's number, or S for an American spy. Return "" if the rank has neither."""
        if self.signs is RankSigns.NAMES or not rank.symbol.isdecimal():
            return ""
        if self.signs is RankSigns.EUROPEAN:
            return rank.symbol
        return "S" if rank is Rank.SPY else str(_HIGHEST_AMERICAN - rank)

    def sign(self, rank: Rank) -> str:
        """Return the shortest symbol of a rank: a number, a letter, or the start of its name."""
        if self.signs is RankSigns.NAMES:
            return capitalized(self.rank(rank))[:_LETTERS]
        return self.rank_number(rank) or rank.symbol

    def side(self, side: Side) -> str:
        """Return the name of a side, as a `Name`."""
        return self._name(SIDE_NAMES[side])

    @property
    def cry(self) -> str:
        """The exclamation when a piece hits a bomb."""
        return self.text(N_("Boom!"))


@cache
def _load(code: str) -> tuple[NullTranslations, dict[str, dict[str, str]]]:
    """Read the messages of a language and the forms of its names.

    The result is cached, because each catalogue takes about 20 ms to load.
    """
    from babel.messages.mofile import write_mo  # noqa: PLC0415 (English has no catalogue)
    from babel.messages.pofile import read_po  # noqa: PLC0415 (English has no catalogue)

    with (_CATALOGUES / code / "LC_MESSAGES" / "boomboard.po").open("rb") as file:
        catalogue = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled), _forms(catalogue)


def _forms(catalogue: "Catalog") -> dict[str, dict[str, str]]:
    """Return the inflected forms of each name.

    The key of a form is the context of its entry in the catalogue.
    """
    forms: dict[str, dict[str, str]] = {}
    for message in catalogue:
        if message.context and message.context != RULES:
            forms.setdefault(str(message.id), {})[message.context] = str(message.string)
    return forms


# Accept-Language: the languages that a browser requests.

_MOST: Final = 20
"""Maximum number of languages read from the Accept-Language header."""


def accepted_language(accepted: str) -> Language:
    """Return the available language that the browser prefers, or else English.

    Languages are cached, because loading a language takes longer than serving a page.
    """
    for entry in accepted.split(",")[:_MOST]:
        code = entry.partition(";")[0].strip().lower().partition("-")[0]
        code = "nb" if code == "no" else code
        if code in _known():
            return _read_accepted(code)
    return _read_accepted(SOURCE)


@cache
def _known() -> frozenset[str]:
    return frozenset(codes())


_read_accepted = cache(Language)
