#!/usr/bin/env python
"""Django's command-line entry point."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
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


if __name__ == "__main__":
    main()
