"""The command line: `knowledgetree`, `python -m knowledgetree` and, in a checkout, `manage.py`."""

import os
import sys

from knowledgetree.memory import seek_garbage_seldom
from knowledgetree.places import DATA_HOME, IN_CHECKOUT


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    seek_garbage_seldom()
    if not IN_CHECKOUT:
        _choose_folder()
    from django.core.management import execute_from_command_line

    from knowledgetree.console import in_words, quiet_in_a_closed_pipe
    from knowledgetree.postgres.problems import problem_of

    try:
        with quiet_in_a_closed_pipe():
            execute_from_command_line(sys.argv)
    except Exception as error:
        if "--traceback" in sys.argv or (problem := problem_of(error)) is None:
            raise
        sys.exit(in_words(problem))


def _choose_folder() -> None:
    """Processes that a command starts stand in another folder than it: what they are told has to be whole. A command in
    a wrong folder would begin an empty knowledge base, so it says what it begins.
    """
    folder = DATA_HOME / (os.environ.get("VAR_DIR") or "var")
    os.environ["VAR_DIR"] = str(folder)
    if not folder.exists():
        from knowledgetree.console import terminal_language
        from knowledgetree.supervision.catalogue import speak
        from knowledgetree.supervision.catalogue import translated as _

        speak(terminal_language())
        told = _("A new folder for data: %(folder)s (another one: VAR_DIR=…)")
        sys.stderr.write(told % {"folder": folder} + "\n")


if __name__ == "__main__":
    main()
