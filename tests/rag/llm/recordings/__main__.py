"""Records what a real model replies: `python -m tests.rag.llm.recordings [PROMPT ...]`, all prompts by default.

Cases without a recording are asked, and those whose prompts have changed since; with `--drop` the latter are left out
instead. The model is that of ANTHROPIC_BASE_URL, with ANTHROPIC_API_KEY; `--model` is its name there, `--called` what
is noted of it. Read the replies before you commit them: they are what every later test believes a model to say.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
django.setup()

from rag.llm.messages.messages_model import DEFAULT_BASE_URL, MessagesModel  # noqa: E402
from rag.llm.prompts import prompt_hash  # noqa: E402
from tests.messages_server import MessagesServer, Request, Turn  # noqa: E402
from tests.rag.llm.recordings import (  # noqa: E402
    Exchange,
    Recording,
    fingerprint,
    read_recordings,
    recorded_prompts,
    write_recordings,
)
from tests.rag.llm.recordings.steps import PATIENCE, STEPS  # noqa: E402


class Forwarding:
    """Chooses the turns of a `MessagesServer`: what the model at `address` replies. `exchanges` are noted in order."""

    def __init__(self, address: str, key: str) -> None:
        self.exchanges: list[Exchange] = []
        self._client = httpx.Client(base_url=address, timeout=PATIENCE, headers={"x-api-key": key})

    def __call__(self, request: Request) -> Turn:
        version = {"anthropic-version": request.headers["anthropic-version"]}
        came = self._client.post(request.path, json={**request.body, "stream": False}, headers=version)
        if came.status_code != httpx.codes.OK:
            return Turn(status=came.status_code, message=came.text)
        reply = "".join(block["text"] for block in came.json()["content"] if block["type"] == "text")
        self.exchanges.append(Exchange(request=fingerprint(request), reply=reply))
        return Turn(pieces=(reply,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prompts", nargs="*", metavar="PROMPT", help=", ".join(STEPS))
    parser.add_argument("--drop", action="store_true", help="leave recordings out whose prompts have changed")
    parser.add_argument("--model", default="claude-sonnet-5-5")
    parser.add_argument("--called", help="the model in words; its name by default")
    parser.add_argument("--workers", type=int, default=8)
    chosen = parser.parse_args()
    for prompt in chosen.prompts or recorded_prompts():
        known = read_recordings(prompt)
        if chosen.drop:
            kept = [recording for recording in known if not recording.outdated]
        else:
            ask = partial(recorded, prompt, model=chosen.model, called=chosen.called or chosen.model)
            with ThreadPoolExecutor(chosen.workers) as threads:
                kept = list(threads.map(ask, known))
        write_recordings(prompt, kept)
        new = sum(recording not in known for recording in kept)
        print(f"{prompt}: {new} new, {len(kept)} in all", flush=True)  # noqa: T201


def recorded(prompt: str, recording: Recording, *, model: str, called: str) -> Recording:
    """The recording as it is where its prompts have not changed, else made anew."""
    if recording.exchanges and not recording.outdated:
        return recording
    templates, step = STEPS[prompt]
    forwarding = Forwarding(os.environ.get("ANTHROPIC_BASE_URL") or DEFAULT_BASE_URL, os.environ["ANTHROPIC_API_KEY"])
    with MessagesServer() as server:
        server.choose = forwarding
        step(
            recording.input,
            MessagesModel(api_key="test", base_url=server.url, model=model, locates=False, timeout=PATIENCE),
        )
    return replace(
        recording,
        exchanges=tuple(forwarding.exchanges),
        prompts=_hashes(templates, recording.input.get("language", "pl")),
        date=datetime.now(UTC).date().isoformat(),
        model=called,
    )


def _hashes(templates: Sequence[str], language: str) -> dict[str, str]:
    return {f"{name}.{language}": prompt_hash(name, language) for name in templates}


if __name__ == "__main__":
    main()
