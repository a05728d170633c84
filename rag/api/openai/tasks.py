"""Chat programs ask models for titles, tags and follow-ups of a conversation: no question for a knowledge base."""

import json

_TASK = "### Task:"  # Open WebUI begins its own prompts so
_SPEAKER = "USER:"
_LISTS = ("follow_ups", "tags", "queries")
_LONGEST_TITLE = 60


def task_reply(question: str) -> str | None:
    """What to say to such a prompt, without a search and without a model; None where it is none."""
    if not question.startswith(_TASK):
        return None
    asked = question.replace("\\", "")
    if '"title"' in asked:
        return _as_json(title=_title(question))
    for name in _LISTS:
        if f'"{name}"' in asked:
            return _as_json(**{name: []})
    return _as_json(text="") if '"text"' in asked else _as_json()


def _title(prompt: str) -> str:
    """The first question of the conversation that the prompt quotes."""
    history = prompt.partition("<chat_history>")[2].partition("</chat_history>")[0]
    said = next((line.strip() for line in history.splitlines() if line.strip().startswith(_SPEAKER)), "")
    text = " ".join(said.removeprefix(_SPEAKER).split())
    return text if len(text) <= _LONGEST_TITLE else f"{text[: _LONGEST_TITLE - 1].rstrip()}…"


def _as_json(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
