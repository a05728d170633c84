"""A bar on stderr, so that a long command's output stays clean."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def progress_bar(description: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Yields what to call with (done, total). The bar goes away when it is done; `quiet` shows none."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_console(quiet), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _console(quiet: bool) -> Console:
    """Silent where nobody watches: in a file or a log a bar leaves empty lines."""
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    return console
