"""A document with readers of its own is found, fetched and counted for these alone."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from mcp.server.mcpserver.exceptions import ToolError

from rag.api.mcp import tools
from rag.api.mcp.admission import call_from
from rag.api.mcp.passage_texts import identifier
from rag.services.search import search_passages
from tests.conftest import make_restricted
from tests.rag.api.hidden_document import QUESTION, key_of, write_hidden_document
from tests.telling import tells


def by_mcp(user: User, tool: Any, *arguments: Any) -> Any:
    headers = [(b"authorization", f"Bearer {key_of(user)}".encode()), (b"host", b"testserver")]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers}
    with call_from(scope):
        return tool(*arguments)


def test_mcp_neither_finds_nor_fetches_nor_counts_it(transactional_db: None) -> None:
    write_hidden_document()
    employee, member = User.objects.create_user("pracownik"), User.objects.create_user("członek")
    member.groups.add(make_restricted().groups.get())
    (passage,) = [one for one in search_passages(query=QUESTION, viewer=member).passages if one.title == "Widełki płac"]
    assert "Widełki płac" in {one.title for one in by_mcp(member, tools.search, QUESTION).results}
    assert tells(by_mcp(member, tools.fetch, identifier(passage)).text, 31337)
    assert "Widełki" not in repr(by_mcp(employee, tools.search, QUESTION))
    with pytest.raises(ToolError):
        by_mcp(employee, tools.fetch, identifier(passage))
    counted = [
        {one.id: one.documents for one in by_mcp(user, tools.list_collections).collections}["publiczna"]
        for user in (member, employee)
    ]
    assert counted == [2, 1]
