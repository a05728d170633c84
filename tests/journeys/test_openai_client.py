"""OpenAI's own SDKs, in Python and in JavaScript, against a real server: a program asks with a key and gets quotes."""

import base64
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
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


def client(site: Installation, address: str, *scopes: str) -> OpenAI:
    made = site.manage("api_key", "make", "sdk", "--user", "intranet", "--scope", *scopes)
    return OpenAI(api_key=made.stdout.split()[-1], base_url=f"{address}/v1", max_retries=0)


@pytest.fixture(scope="module")
def openai(site: Installation, address: str) -> OpenAI:
    return client(site, address, "ask", "search")


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


def test_a_response_comes_with_its_quotes_whole_and_in_pieces(openai: OpenAI, address: str) -> None:
    whole = openai.responses.create(model="knowledgetree", input=QUESTION)
    assert whole.status == "completed"
    assert "26 dni" in whole.output_text
    (part,) = whole.output[0].content  # type: ignore[union-attr]
    cited: Any = part.annotations[0]  # type: ignore[union-attr]
    assert whole.output_text[cited.start_index : cited.end_index] == "[1]"
    assert cited.url.startswith(f"{address}/")
    assert "26 dni" in cited.quote

    with openai.responses.stream(model="knowledgetree", input=QUESTION) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == whole.output_text
    assert final.output_text == whole.output_text
    assert final.output[0].content[0].annotations[0].quote == cited.quote  # type: ignore[union-attr]


def test_turns_before_a_response_are_its_input(openai: OpenAI) -> None:
    turns: Any = [
        {"role": "developer", "content": "Odpowiadaj wierszem."},
        {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "26 dni [1]."}]},
        {"role": "user", "content": "a ile przy krótszym stażu?"},
    ]
    assert "20 dni" in openai.responses.create(model="knowledgetree", input=turns).output_text
    with pytest.raises(BadRequestError, match="previous_response_id"):
        openai.responses.create(model="knowledgetree", input=QUESTION, previous_response_id="resp_1")
    with pytest.raises(BadRequestError, match="input"):
        openai.responses.create(model="knowledgetree", input=[{"type": "item_reference", "id": "msg_1"}])


def test_texts_become_vectors_of_the_space_that_is_searched(site: Installation, openai: OpenAI) -> None:
    texts = ["Urlop wypoczynkowy pracownika.", "Opłata skarbowa za pełnomocnictwo."]
    made = openai.embeddings.create(model="knowledgetree", input=texts)  # the SDK asks for base64 by itself
    ((model, dimension),) = site.sql("SELECT model, dimension FROM ingestion_embeddingspace WHERE status = 'active'")
    assert made.model == model
    assert [(one.index, len(one.embedding)) for one in made.data] == [(0, dimension), (1, dimension)]
    one = openai.embeddings.create(model=str(model), input=texts[0], encoding_format="float", dimensions=int(dimension))  # type: ignore[call-overload]
    assert one.data[0].embedding == pytest.approx(made.data[0].embedding)
    question = openai.embeddings.create(
        model="knowledgetree", input="ile urlopu", encoding_format="float", extra_body={"input_type": "query"}
    )
    near, far = (np.dot(question.data[0].embedding, vector.embedding) for vector in made.data)
    assert near > far


@pytest.mark.parametrize(
    "wrong",
    [
        {"input": []}, {"input": ""}, {"input": [1, 2]}, {"input": ["a"] * 257}, {"input": "a" * 8001},
        {"input": "a", "dimensions": 7}, {"input": "a", "encoding_format": "int8"},
    ],
    ids=["nothing", "empty", "tokens", "many", "long", "dimensions", "encoding"],
)  # fmt: skip
def test_what_cannot_be_embedded_is_refused(openai: OpenAI, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadRequestError):
        openai.embeddings.create(model="knowledgetree", **wrong)


@pytest.fixture(scope="module")
def javascript() -> Path:
    """A folder with the SDK for JavaScript, kept for the next run; what npm brings stays outside the project."""
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("there is no Node.js with npm on this machine")
    folder = Path(tempfile.gettempdir()) / "knowledgetree-openai-6"
    if not (folder / "node_modules/openai/package.json").exists():
        half = Path(tempfile.mkdtemp(dir=folder.parent))
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(half), "openai@6"]
        installed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if installed.returncode:
            pytest.skip(f"npm could not install openai: {installed.stderr[-200:]}")
        shutil.rmtree(folder, ignore_errors=True)
        half.rename(folder)
    return folder


_SCRIPT = """
import OpenAI from "openai";
const [baseURL, apiKey, question] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const model = "knowledgetree", messages = [{ role: "user", content: question }];
const told = {};
told.models = (await client.models.list()).data.map((one) => one.id);
told.whole = (await client.chat.completions.create({ model, messages })).choices[0].message;
told.pieces = "";
for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
  told.pieces += chunk.choices[0]?.delta?.content ?? "";
told.response = await client.responses.create({ model, input: question });
const stream = client.responses.stream({ model, input: question });
told.deltas = "";
for await (const event of stream) if (event.type === "response.output_text.delta") told.deltas += event.delta;
told.final = (await stream.finalResponse()).output_text;
told.vector = (await client.embeddings.create({ model, input: question })).data[0].embedding;
told.refusal = await client.responses.create({ model: "nikt", input: question }).catch((error) => error);
told.refusal = [told.refusal instanceof OpenAI.NotFoundError, told.refusal.code];
console.log(JSON.stringify(told));
"""


def test_the_sdk_for_javascript_gets_the_same(openai: OpenAI, address: str, javascript: Path) -> None:
    script = javascript / "ask.mjs"
    script.write_text(_SCRIPT, encoding="utf-8")
    arguments = ["node", str(script), f"{address}/v1", openai.api_key, QUESTION]
    told = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=120).stdout)
    assert "knowledgetree" in told["models"]
    said = told["whole"]["content"]
    assert "26 dni" in said
    assert said == told["pieces"] == told["response"]["output_text"] == told["deltas"] == told["final"]
    quote = told["whole"]["annotations"][0]["url_citation"]["quote"]
    assert "26 dni" in quote
    assert told["response"]["output"][0]["content"][0]["annotations"][0]["quote"] == quote
    raw: Any = openai.post(
        "/embeddings", body={"model": "knowledgetree", "input": QUESTION, "encoding_format": "base64"}, cast_to=object
    )
    same = np.frombuffer(base64.b64decode(raw["data"][0]["embedding"]), dtype="<f4")
    assert told["vector"] == pytest.approx(same.tolist())
    assert told["refusal"] == [True, "unknown_assistant"]


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
    with pytest.raises(NotFoundError, match="text-embedding-3-small"):
        searching.embeddings.create(model="text-embedding-3-small", input="urlop")
    with pytest.raises(AuthenticationError):
        openai.with_options(api_key="kt_obcy").models.list()
