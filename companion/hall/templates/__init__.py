"""Templates for the hall's pages and printouts. All values are escaped.

In a template, `_` translates a message, and `language` is the page's language.
"""

from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.speech.i18n import Language

_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("companion.hall"),
    auto_reload=False,  # otherwise, every inclusion checks whether the file has changed
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(template: str, language: Language, **values: object) -> str:
    """Render a template. Raise jinja2.UndefinedError if the template uses a missing value."""
    return _ENVIRONMENT.get_template(template).render(values, language=language, _=language.text)
