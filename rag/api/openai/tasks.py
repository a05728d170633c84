"""Prompts that a chat program writes itself. Open WebUI begins them with a heading of its own.

Most ask for titles, tags and follow-ups of a conversation, which is no question for a knowledge base; one holds the
reader's question behind the files that are attached to it.
"""

import json
import re

_TASK = "### Task:"
_FILES_END = "</context>"
_FILE_NAMES = re.compile(r"\A<attached_files>.*?</attached_files>\s*", re.DOTALL)
_FILE = re.compile(r'<source id="(\d{1,3})"')
_HISTORY, _HISTORY_END = "<chat_history>", "</chat_history>"
_SPEAKER = "USER:"
_LISTS = ("follow_ups", "tags", "queries")
_LONGEST_TITLE = 60


def own_words(prompt: str) -> str:
    """What the reader wrote. Files that the program put before it are left out: answers rest on the knowledge base."""
    words = prompt.rpartition(_FILES_END)[2].strip() if prompt.startswith(_TASK) else prompt
    if not words or _HISTORY_END in words:
        words = prompt
    return _FILE_NAMES.sub("", words) or words


def attached_sources(prompt: str) -> int:
    """How many numbers the program has given to files before what `own_words` are."""
    if not prompt.startswith(_TASK) or own_words(prompt) == prompt:
        return 0
    return max(map(int, _FILE.findall(prompt.rpartition(_FILES_END)[0])), default=0)


def task_reply(question: str) -> str | None:
    """What to say to such a prompt, without a search and without a model; None where it is none."""
    if not question.startswith(_TASK):
        return None
    asked = question.partition(_HISTORY)[0].replace("\\", "")  # what was said before may quote anything
    if '"title"' in asked:
        return _as_json(title=_title(question))
    for name in _LISTS:
        if f'"{name}"' in asked:
            return _as_json(**{name: []})
    return _as_json(text="") if '"text"' in asked else _as_json()


def _title(prompt: str) -> str:
    """The first question of the conversation that the prompt quotes."""
    history = prompt.partition(_HISTORY)[2].partition(_HISTORY_END)[0]
    said = next((line.strip() for line in history.splitlines() if line.strip().startswith(_SPEAKER)), "")
    text = " ".join(said.removeprefix(_SPEAKER).split())
    return text if len(text) <= _LONGEST_TITLE else f"{text[: _LONGEST_TITLE - 1].rstrip()}…"


def _as_json(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
