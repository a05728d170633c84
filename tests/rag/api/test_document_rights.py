"""A document with readers of its own in a public collection: no door for programs and for other people's pages opens it
to anybody else. MCP and the widget have their tests beside their own.
"""

import json
from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Document
from tests.kept import Kept
from tests.rag.api.hidden_document import QUESTION, key_of, write_hidden_document
from tests.telling import tells


@pytest.fixture(scope="module")
def kept_hidden(kept_rows: Kept) -> Document:
    return kept_rows.make(write_hidden_document)


@pytest.fixture(autouse=True)
def hidden(kept_hidden: Document, db: None) -> Document:
    return copy(kept_hidden)


def by_dify(user: User) -> Any:
    asked = {"knowledge_id": "publiczna", "query": QUESTION, "retrieval_setting": {"top_k": 5, "score_threshold": 0.0}}
    headers = {"authorization": f"Bearer {key_of(user)}"}
    return Client(headers=headers).post("/dify/retrieval", asked, "application/json").json()


def by_openai(user: User, address: str, **asked: Any) -> Any:
    headers = {"authorization": f"Bearer {key_of(user)}"}
    response = Client(headers=headers).post(address, {"model": "knowledgetree", **asked}, "application/json")
    assert response.status_code == 200
    return response.json()


def test_dify_does_not_retrieve_it(employee: User, member: User) -> None:
    assert tells(by_dify(member), 31337)
    found = by_dify(employee)
    assert [record["title"] for record in found["records"]] == ["Godziny urzędu"]
    assert not tells(found, 31337)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": QUESTION}]}),
        ("/v1/responses", {"input": QUESTION}),
    ],
)
def test_openai_s_apis_do_not_answer_from_it(address: str, asked: dict[str, Any], employee: User, member: User) -> None:
    assert tells(by_openai(member, address, **asked), 31337)
    answer = by_openai(employee, address, **asked)
    assert not tells(answer, 31337)
    assert "Widełki" not in json.dumps(answer, ensure_ascii=False)
