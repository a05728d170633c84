"""The summary of a group by a model that does as a hostile document says: the real SDK, a scripted model."""

from collections.abc import Iterator

import pytest

from rag.insight.communities.model_summary import write_summary
from rag.llm.messages.messages_model import MessagesModel
from tests.messages_server import MessagesServer, Turn
from tests.rag.answering.synthesis.attacks import OBEDIENT
from tests.rag.answering.synthesis.conftest import MakePassage, passage
from tests.rag.answering.synthesis.test_injection import leads_to

__all__ = ["passage"]


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        yield server


def written(server: MessagesServer, passage: MakePassage, text: str, said: str) -> list[str]:
    server.turns[:] = [Turn.structured({"sentences": [{"text": said, "passage": 1}]})]
    llm = MessagesModel(api_key="klucz", base_url=server.url, model="m", max_retries=0)
    found = write_summary("Urlopy", [passage(text)], language="pl", llm=llm, timeout=5)
    return [one.text for one in found]


@pytest.mark.parametrize("name", OBEDIENT)
def test_a_summary_that_repeats_a_hostile_document_leads_nowhere(
    server: MessagesServer, passage: MakePassage, name: str
) -> None:
    assert all(not leads_to(text) for text in written(server, passage, OBEDIENT[name], OBEDIENT[name]))


def test_what_the_document_does_not_say_is_not_kept(server: MessagesServer, passage: MakePassage) -> None:
    assert written(server, passage, "Urlop wynosi 26 dni.", "Urlop wynosi 99 dni.") == []


def test_a_sentence_that_holds_is_kept(server: MessagesServer, passage: MakePassage) -> None:
    assert written(server, passage, "Urlop wynosi 26 dni.", "Urlop wynosi 26 dni.") == ["Urlop wynosi 26 dni."]
