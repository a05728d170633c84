"""What every command is made of: its terminal's language, bars on terminals alone, a quiet end where nobody reads."""

import gettext
import json
import os
import re
import sys
from argparse import Action
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime, timedelta
from getpass import getuser
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter
from django.utils import timezone, translation
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation.trans_null import gettext_noop  # asks no settings, which may be what is wrong

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import traced
from knowledgetree.postgres.problems import DatabaseProblem

OPERATION = "operation"
"""The system checks of what operators set. Commands run these alone: the others tell developers of models and pages,
and take a second, for they read all of them.
"""

_EIGHTHS = " ▏▎▍▌▋▊▉"
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")

# What argparse says of a command line that it cannot read.
_OF_WRONG_USE = (
    gettext_noop("%(prog)s: error: %(message)s\n"),
    gettext_noop("argument %(argument_name)s: %(message)s"),
    gettext_noop("the following arguments are required: %s"),
    gettext_noop("unrecognized arguments: %s"),
    gettext_noop("invalid choice: %(value)r (choose from %(choices)s)"),
    gettext_noop("invalid %(type)s value: %(value)r"),
    gettext_noop("expected one argument"),
    gettext_noop("expected at least one argument"),
    gettext_noop("not allowed with argument %s"),
    gettext_noop("one of the arguments %s is required"),
    gettext_noop("ambiguous option: %(option)s could match %(matches)s"),
    gettext_noop("ignored explicit argument %r"),
)

# What Django and argparse say in every --help.
_OF_EVERY_HELP = (
    gettext_noop("usage: "),
    gettext_noop("options"),
    gettext_noop("positional arguments"),
    gettext_noop("show this help message and exit"),
    gettext_noop("Show program's version number and exit."),
    gettext_noop(
        "Verbosity level; 0=minimal output, 1=normal output, 2=verbose output, 3=very verbose output",
    ),
    gettext_noop(
        'The Python path to a settings module, e.g. "myproject.settings.main". If this isn\'t provided, the '
        "DJANGO_SETTINGS_MODULE environment variable will be used."
    ),
    gettext_noop('A directory to add to the Python path, e.g. "/home/djangoprojects/myproject".'),
    gettext_noop("Display a full stack trace on CommandError exceptions."),
    gettext_noop("Don't colorize the command output."),
    gettext_noop("Force colorization of the command output."),
    gettext_noop("Skip system checks."),
)


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The first language of LANGUAGE, LC_ALL, LC_MESSAGES and LANG that we have, else LANGUAGE_CODE."""
    locale = next((environment[name] for name in _LOCALES if environment.get(name)), "")
    wanted = (re.split("[_.@]", name)[0] for name in [*environment.get("LANGUAGE", "").split(":"), locale])
    return next((language for language in wanted if language in dict(settings.LANGUAGES)), settings.LANGUAGE_CODE)


def in_words(problem: DatabaseProblem) -> str:
    """For whoever started a program that finds no database. Settings that fail say it all, without any catalogue."""
    if not problem.remedy:
        return problem.detail
    with translation.override(terminal_language()):
        return f"{problem.detail}\n{problem.remedy}"


@contextmanager
def _catalogue_for_argparse(language: str) -> Iterator[None]:
    """argparse asks the standard library, which looks in a domain of its own for what LANGUAGE names: here in ours."""
    domain, named = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain("django", str(Path(__file__).parent / "locale"))
    gettext.textdomain("django")
    os.environ["LANGUAGE"] = language
    try:
        yield
    finally:
        gettext.textdomain(domain)
        os.environ.pop("LANGUAGE")
        os.environ.update({"LANGUAGE": named} if named is not None else {})


@contextmanager
def quiet_in_a_closed_pipe() -> Iterator[None]:
    """Where nobody reads the output on, as behind `| head`, the program ends with status 1 and without a trace."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere, stream.fileno())  # the interpreter flushes them once more
        sys.exit(1)


class ProgressBar(Protocol):
    """Shows how far the work is: `doing` what it does now, `note` what else is to be said. It is a `Progress`."""

    def __call__(self, done: int, total: int | None, *, doing: str = "", note: str = "") -> None: ...


class Command(BaseCommand):
    """`help` is an English message of the catalogue. With --json only `say_json` writes.

    A KnowledgeTreeError ends the command with its message and its remedy. Called by a program, a command speaks the
    language that is active there.
    """

    requires_system_checks: list[str] | tuple[str, ...] = (OPERATION,)
    as_json = False
    quiet = False
    audited = False
    """Whether what it does stands in the audit log, under the name of whoever sits at the terminal."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(prog_name, subcommand, formatter_class=_HelpFormatter, **kwargs)

    def run_from_argv(self, argv: list[str]) -> None:
        language = terminal_language()
        with traced(), translation.override(language), _catalogue_for_argparse(language):
            super().run_from_argv(argv)

    def print_help(self, prog_name: str, subcommand: str) -> None:
        with translation.override(terminal_language()):
            super().print_help(prog_name, subcommand)

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.as_json = bool(options.get("json"))
        self.quiet = self.as_json or options["verbosity"] == 0
        try:
            with _at_the_terminal() if self.audited else nullcontext():
                return super().execute(*args, **options)
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error

    def say(self, line: str = "", *, ending: str = "\n") -> None:
        """Written at once: a log file is read while the command goes on."""
        if not self.as_json:
            self.stdout.write(line, ending=ending)
            self.stdout.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def say_json(self, value: Any, *, indent: int | None = 2) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent, default=str))

    def progress_bar(self, description: str) -> AbstractContextManager[ProgressBar]:
        return progress_bar(description, quiet=self.quiet)


def _at_the_terminal() -> AbstractContextManager[None]:
    from knowledgetree.audit.origin import entered  # most commands are not recorded

    try:
        name = getuser()
    except (KeyError, OSError):  # a container may have a user without a name
        name = str(os.getuid())
    return entered("command", name=name)


@contextmanager
def progress_bar(description: str, *, quiet: bool = False) -> Iterator[ProgressBar]:
    """A bar on stderr, so that the output stays clean. It goes away when the work is done.

    Silent where nobody watches: in a file or a log a bar leaves empty lines.
    """
    from rich.console import Console  # most commands draw none
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[note]}"), console=console, transient=True) as progress:
        task = progress.add_task(description, total=None, note="")

        def show(done: int, total: int | None, *, doing: str = "", note: str = "") -> None:
            progress.update(task, completed=done, total=total or None, description=doing or description, note=note)

        yield show


def row(widths: Sequence[int], *cells: object) -> str:
    """The cells of a table's line, each as wide as its width says: to the left where that is negative."""
    return "".join(
        f"{cell!s:<{-width}}" if width < 0 else f"{cell!s:>{width}}" for width, cell in zip(widths, cells, strict=True)
    )


def bar(value: float, most: float, *, width: int = 32) -> str:
    """`value` of `most` as blocks, to an eighth of a character; anything above nothing shows."""
    if value <= 0 or most <= 0:
        return ""
    whole, rest = divmod(max(1, round(width * 8 * min(1.0, value / most))), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def number(value: float, places: int = 3, *, sign: str = "") -> str:
    """With the decimal sign of the reader's language; `sign` "+" shows it above zero too."""
    return f"{value:{sign}.{places}f}".replace(".", get_format("DECIMAL_SEPARATOR"))


def grouped(value: int) -> str:
    """In groups of three digits, as the reader's language writes them."""
    return f"{value:,}".replace(",", get_format("THOUSAND_SEPARATOR").replace("\xa0", " "))


def percent(share: float | None) -> str:
    """A share in [0, 1] in whole percents; a dash for one of nothing."""
    return "–" if share is None else _("%(share).0f%%") % {"share": 100 * share}


def clock(moment: datetime) -> str:
    """The time of day, with the date where it is not soon."""
    local = timezone.localtime(moment)
    return local.strftime("%H:%M" if local - timezone.localtime() < timedelta(hours=20) else "%d.%m %H:%M")


class _HelpFormatter(DjangoHelpFormatter):
    """Puts every word of --help into the reader's language; what is no message of the catalogue stays as it is."""

    def add_usage(
        self, usage: str | None, actions: Iterable[Any], groups: Iterable[Any], prefix: str | None = None
    ) -> None:
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and _(heading))

    def add_text(self, text: str | None) -> None:
        super().add_text(text and _(text))

    def _get_help_string(self, action: Action) -> str:
        return _(action.help) if action.help else ""
