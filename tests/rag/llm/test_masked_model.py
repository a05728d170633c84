"""What leaves for a language model and what comes back: the real SDK against a local server."""

from pydantic import BaseModel

from rag.llm.masking.masked_model import MaskedModel
from rag.llm.masking.question_pseudonyms import keep_pseudonyms
from rag.llm.messages.messages_model import MessagesModel
from rag.types import Located, ModelTurn, QuotableSource, ToolCall, ToolResult
from tests import messages_turns
from tests.messages_server import MessagesServer, Turn
from tests.rag.llm.tools_contract import SEARCH

QUESTION = "Kiedy Jan Kowalski złożył wniosek?"


class Opinion(BaseModel):
    said: str
    names: list[str]


def masked_model(server: MessagesServer) -> MaskedModel:
    return MaskedModel(MessagesModel(api_key="klucz", base_url=server.url, model="test", max_retries=0))


def test_rules_and_question_are_masked_and_the_rules_tell_of_it():
    with MessagesServer(
        Turn(
            pieces=(
                "Złożył go [oso",
                "ba 1].",
            )
        )
    ) as server:
        reply = masked_model(server).stream(system="Odpowiadaj krótko.", prompt=QUESTION, max_tokens=50)
        assert "".join(reply) == "Złożył go Jan Kowalski."
    (request,) = server.requests
    assert request.prompt == "Kiedy [osoba 1] złożył wniosek?"
    assert request.system.startswith("Odpowiadaj krótko.\n\nDane osobowe")


def test_a_question_without_personal_data_goes_as_it_is():
    with MessagesServer(Turn(pieces=("26 dni.",))) as server:
        list(masked_model(server).stream(system="Odpowiadaj krótko.", prompt="Ile urlopu?", max_tokens=50))
    assert (server.requests[0].system, server.requests[0].prompt) == ("Odpowiadaj krótko.", "Ile urlopu?")


def test_a_value_has_the_data_again():
    turn = Turn.structured({"said": "[osoba 1]", "names": ["[osoba 1]", "inny"]})
    with MessagesServer(turn) as server:
        found, _ = masked_model(server).structured(
            system="Rules", prompt=QUESTION, schema=Opinion, max_tokens=50, timeout=5.0
        )
    assert found == Opinion(said="Jan Kowalski", names=["Jan Kowalski", "inny"])
    assert "Kowalsk" not in repr(server.requests[0].body)


def test_a_located_quote_is_that_of_the_source():
    source = QuotableSource(title="Wnioski", blocks=("Wniosek Jana Kowalskiego. ", "Wpłynął 3 maja."))
    quote = messages_turns.Located(cited_text="Wniosek [osoba 1]. ")
    with MessagesServer(Turn(pieces=("Wniosek ma [osoba 1]", quote, "."))) as server:
        pieces = list(
            masked_model(server).cite(system="Zasady", sources=[source], prompt="Czyj to wniosek?", max_tokens=50)
        )
    located = Located(source=0, first=0, last=1, quoted="Wniosek Jana Kowalskiego. ")
    assert [piece for piece in pieces if isinstance(piece, Located)] == [located]
    assert "".join(piece for piece in pieces if isinstance(piece, str)) == "Wniosek ma Jan Kowalski."
    assert "Kowalsk" not in repr(server.requests[0].body)


def test_tools_get_the_data_and_their_results_are_masked():
    call = messages_turns.ToolUse(name="search", input={"query": "wniosek [osoba 1]"}, id="toolu_7")
    with keep_pseudonyms(), MessagesServer(Turn.calls(call), Turn(pieces=("Ma go [osoba 2].",))) as server:
        llm = masked_model(server)

        def converse(*messages: str | ModelTurn | tuple[ToolResult, ...]) -> ModelTurn:
            return llm.converse(system="Zasady", messages=messages, tools=[SEARCH], max_tokens=50, timeout=5.0)

        said = converse(QUESTION)
        assert said.calls == (ToolCall(id="toolu_7", name="search", arguments={"query": "wniosek Jan Kowalski"}),)
        result = ToolResult(call_id="toolu_7", text="Wniosek Jana Kowalskiego przejęła Anna Nowak.")
        assert converse(QUESTION, said, (result,)).text == "Ma go Anna Nowak."
    assert "[osoba 1] przejęła [osoba 2]" in repr(server.requests[1].body)
    assert "Kowalsk" not in repr([request.body for request in server.requests])
