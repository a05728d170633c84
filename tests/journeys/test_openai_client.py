"""OpenAI's own SDK against a real server: a program asks with a key and gets quotes with its answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from openai import AuthenticationError, BadRequestError, NotFoundError, OpenAI, PermissionDeniedError

from tests.embedded import furnished_installation
from tests.installation import Installation

QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
_READER = "from django.contrib.auth.models import User; User.objects.create_user('intranet')"


@pytest.fixture(scope="module")
def site(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with furnished_installation(furnished, tmp_path_factory.mktemp("openai") / "var") as installed:
        installed.manage("shell", "-c", _READER)
        yield installed


@pytest.fixture(scope="module")
def address(site: Installation) -> str:
    return site.start_web()


def client(site: Installation, address: str, scope: str) -> OpenAI:
    made = site.manage("api_key", "make", "sdk", "--user", "intranet", "--scope", scope)
    return OpenAI(api_key=made.stdout.split()[-1], base_url=f"{address}/v1", max_retries=0)


@pytest.fixture(scope="module")
def openai(site: Installation, address: str) -> OpenAI:
    return client(site, address, "ask")


def test_an_answer_comes_with_its_quotes_whole_and_in_pieces(openai: OpenAI, address: str) -> None:
    assert "knowledgetree" in {model.id for model in openai.models.list()}
    messages = [{"role": "user", "content": QUESTION}]
    whole = openai.chat.completions.create(model="knowledgetree", messages=messages)  # type: ignore[call-overload]
    said = whole.choices[0].message
    assert "26 dni" in said.content
    cited = said.annotations[0].url_citation
    assert said.content[cited.start_index : cited.end_index] == "[1]"
    assert cited.url.startswith(f"{address}/")
    assert "26 dni" in cited.quote

    stream = openai.chat.completions.create(  # type: ignore[call-overload]
        model="knowledgetree", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    pieces = [choice.delta for chunk in chunks for choice in chunk.choices]
    assert "".join(piece.content or "" for piece in pieces) == said.content
    assert pieces[-1].annotations[0]["url_citation"]["quote"] == cited.quote
    assert chunks[-1].usage is not None
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1] == "stop"


def test_a_turn_before_is_understood_without_being_kept_here(openai: OpenAI) -> None:
    messages = [
        {"role": "system", "content": "Odpowiadaj wierszem."},
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": "26 dni [1]."},
        {"role": "user", "content": [{"type": "text", "text": "a ile przy krótszym stażu?"}]},
    ]
    said = openai.chat.completions.create(model="knowledgetree", messages=messages)  # type: ignore[call-overload]
    assert "20 dni" in said.choices[0].message.content


def test_open_webui_gets_sources_with_quotes_and_titles_without_a_search(openai: OpenAI, address: str) -> None:
    openai = openai.with_options(base_url=f"{address}/openwebui/v1")
    stream = openai.chat.completions.create(
        model="knowledgetree", messages=[{"role": "user", "content": QUESTION}], stream=True
    )
    sources = [chunk.model_extra["event"] for chunk in stream if chunk.model_extra and "event" in chunk.model_extra]
    assert {source["type"] for source in sources} == {"source"}
    assert "26 dni" in sources[0]["data"]["document"][0]
    assert sources[0]["data"]["source"]["url"].startswith(address)
    task = f'### Task:\nGenerate a title. JSON: {{ "title": "…" }}\n<chat_history>\nUSER: {QUESTION}\n</chat_history>'
    titled = openai.chat.completions.create(model="knowledgetree", messages=[{"role": "user", "content": task}])
    assert titled.choices[0].message.content is not None
    assert titled.choices[0].message.content.startswith('{"title": "Ile dni urlopu')


def test_the_sdk_knows_our_refusals(site: Installation, address: str, openai: OpenAI) -> None:
    messages = [{"role": "user", "content": QUESTION}]
    searching = client(site, address, "search")
    with pytest.raises(NotFoundError):
        openai.chat.completions.create(model="nikt", messages=messages)  # type: ignore[arg-type]
    with pytest.raises(BadRequestError, match="messages"):
        openai.chat.completions.create(model="knowledgetree", messages=[])
    with pytest.raises(PermissionDeniedError, match="ask"):
        searching.chat.completions.create(model="knowledgetree", messages=messages)  # type: ignore[arg-type]
    with pytest.raises(AuthenticationError):
        openai.with_options(api_key="kt_obcy").models.list()
