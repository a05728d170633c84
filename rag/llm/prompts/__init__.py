"""Prompt templates: `<name>.<language>.md` beside this file, with `{{variable}}` where a value goes."""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_NAME = re.compile(r"[a-z_]+")
_FOLDER = Path(__file__).parent
LANGUAGES = ("pl", "en")


class PromptError(ValueError):
    """A template and its variables do not fit: a mistake in our code, never in the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFile:
    """A template as it is in force; `variables` in the order in which they stand in it."""

    name: str
    language: str
    text: str
    hash: str
    variables: tuple[str, ...]


def prompt_files() -> list[PromptFile]:
    """All of them, in order of name and language."""
    names = sorted(tuple(path.stem.split(".")) for path in _FOLDER.glob("*.*.md"))
    return [
        PromptFile(
            name=name,
            language=language,
            text=_template(name, language),
            hash=prompt_hash(name, language),
            variables=tuple(dict.fromkeys(_VARIABLE.findall(_template(name, language)))),
        )
        for name, language in names
    ]


def render(name: str, language: str, **variables: str) -> str:
    """The template with every variable filled in, in one pass: `{{…}}` inside a value stays as it is.

    In a `language` without prompts it is the English one, which says to answer in the language of the question. Raises
    PromptError where there is no such template, where a variable of it is missing or one is left over.
    """
    template = _template(name, _worded_in(language))
    wanted = set(_VARIABLE.findall(template))
    if wanted != set(variables):
        missing, unknown = sorted(wanted - set(variables)), sorted(set(variables) - wanted)
        raise PromptError(f"prompt {name}.{language}: missing {missing}, unknown {unknown}")
    return _VARIABLE.sub(lambda match: variables[match.group(1)], template)


def prompt_hash(name: str, language: str) -> str:
    """The first 16 hexadecimal digits of the template's SHA-256: which wording produced an answer."""
    return hashlib.sha256(_template(name, _worded_in(language)).encode()).hexdigest()[:16]


def _worded_in(language: str) -> str:
    return language if language in LANGUAGES else "en"


@cache
def _template(name: str, language: str) -> str:
    if not (_NAME.fullmatch(name) and _NAME.fullmatch(language)):
        raise PromptError(f"prompt {name!r}.{language!r}: names are lower-case letters")
    try:
        return (_FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        known = ", ".join(sorted(path.stem for path in _FOLDER.glob("*.md")))
        raise PromptError(f"there is no prompt {name}.{language}; known: {known}") from error
