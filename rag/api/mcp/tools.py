"""The tools. A model knows of them what stands here: the text of each function, and what is said of its arguments."""

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Annotated

from anyio import from_thread
from django.utils import translation
from django.utils.timezone import localdate
from mcp.server.mcpserver import Context
from pydantic import Field

from ingestion.library.documents import collection_cards
from rag.answering.verification.assurance import assurance
from rag.api.mcp.admission import ToolCaller, admit_call
from rag.api.mcp.passage_texts import PassageText, identifier, passage_text
from rag.api.mcp.results import (
    CitedAnswer,
    CitedQuote,
    FetchedMetadata,
    FetchedText,
    FoundPassage,
    FoundPassages,
    OpenCollection,
    OpenCollections,
)
from rag.events import Event, StepChanged
from rag.search.links import address_of, document_url, with_url
from rag.search.near_sections import below_title
from rag.search.retrieval.filter_rules import filters_as_of
from rag.services.ask import ask as answer_events
from rag.services.ask import drain
from rag.services.ask_request import AskRequest
from rag.services.search import MAX_LENGTH, search_passages
from rag.services.understanding import scope_of
from rag.types import Answer, Citation, Filters, Passage
from rag.understanding.language import question_language, spoken_with

_MOST_RESULTS = 10

Query = Annotated[
    str,
    Field(
        max_length=MAX_LENGTH, description="A question or keywords, in Polish where you can: the documents are Polish."
    ),
]
Question = Annotated[
    str,
    Field(max_length=MAX_LENGTH, description="A whole question that can be understood without the conversation."),
]
Identifier = Annotated[
    str, Field(max_length=40, description="An `id` from the results of `search` or the citations of `ask`.")
]
Collections = Annotated[
    tuple[str, ...], Field(description="Look only into these, by `id` from `list_collections`; into all where empty.")
]


AsOf = Annotated[
    str,
    Field(
        max_length=10,
        description="What was in force on a day, in a month or year: 2024-03-05, 2024-03 or 2024; today where empty.",
    ),
]


def search(query: Query, collections: Collections = (), as_of: AsOf = "") -> FoundPassages:
    """Search the organisation's own documents (rules, acts, contracts, instructions, IT and staff matters; mostly in
    Polish) and list the passages found, best first. Use it when you want to read the sources yourself; then call
    `fetch` with the ids that look right. Inflection, synonyms, typing errors and missing diacritics are taken care of:
    one search for each topic is enough.
    """
    with admit_call("search") as caller:
        filters = filters_as_of(Filters(collections=collections), as_of)
        found = search_passages(query=query, viewer=caller.viewer, filters=filters, top_k=_MOST_RESULTS).passages
        return FoundPassages(results=[_found(caller, passage) for passage in found])


def fetch(id: Identifier) -> FetchedText:
    """Read a passage that `search` found or `ask` cited: the whole document where it is short, else the section that
    the passage stands in. `metadata.part` says which. Cite the `url` when you use what it says.
    """
    with admit_call("search") as caller:
        return _fetched(caller, id, passage_text(caller.viewer, id))


def ask(question: Question, context: Context, collections: Collections = (), as_of: AsOf = "") -> CitedAnswer:
    """Have a question answered from the organisation's own documents (mostly in Polish), with a citation and its exact
    quote for every claim. Use it for a question that the documents may settle; use `search` and `fetch` instead to
    compare or to sum up many sources. Pass on the numbers and the urls of the citations, and how sure the answer is.
    Where the outcome is `not_found` the documents do not say it: do not fill the gap from memory.
    """
    with admit_call("ask") as caller, translation.override(spoken_with(question_language(question))):
        filters = filters_as_of(Filters(collections=collections), as_of)
        request = AskRequest(question=question, viewer=caller.viewer, filters=filters)
        events = answer_events(request, scope=scope_of(request))
        return _cited(caller, drain(_followed(events, context)).answer())


def list_collections() -> OpenCollections:
    """List the collections of documents that can be read, to narrow `search` and `ask` to some of them."""
    with admit_call("search") as caller:
        return OpenCollections(
            collections=[
                OpenCollection(
                    id=card.collection.slug,
                    name=card.collection.name,
                    description=card.collection.description,
                    documents=card.documents,
                )
                for card in collection_cards(caller.viewer)
            ]
        )


def _found(caller: ToolCaller, passage: Passage) -> FoundPassage:
    title = " › ".join([passage.title, *below_title(passage.heading_path, passage.title)[-1:]])
    return FoundPassage(id=identifier(passage), title=title, url=caller.absolute(address_of(passage)))


def _fetched(caller: ToolCaller, key: str, text: PassageText) -> FetchedText:
    document, read = text.document, text.read
    whole = text.part == "document"
    return FetchedText(
        id=key,
        title=document.title,
        text="\n".join(filter(None, [read.context_before, read.text, read.context_after])),
        url=caller.absolute(document_url(document.pk) if whole else address_of(text.found)),
        metadata=FetchedMetadata(
            part=text.part,
            section="" if whole else " › ".join(below_title(read.heading_path, document.title)),
            pages="-".join(dict.fromkeys(str(page) for page in (read.page_start, read.page_end) if page)),
            collection=document.collection.slug,
            category=document.category,
            tags=list(document.tags),
            language=document.language,
            version=document.version,
            in_force=document.in_force,
            valid_from=document.valid_from,
            valid_to=document.valid_to,
            changed=localdate(document.modified),
        ),
    )


def _followed(events: Generator[Event, None, None], context: Context) -> Iterator[Event]:
    """The events; whoever calls is told of each step, so that they go on waiting. Ends where the call was cancelled.

    Then they are closed here: left to the garbage collector, they would write to the audit log in the middle of
    whatever statement another thread is at, and both would wait for ever.
    """
    with closing(events):
        for event in events:
            from_thread.check_cancelled()
            if isinstance(event, StepChanged):
                from_thread.run(context.report_progress, event.step.number, None, event.step.reasoning)
            yield event


def _cited(caller: ToolCaller, answer: Answer) -> CitedAnswer:
    sure = assurance(answer.confidence) if answer.outcome == "answered" else None
    return CitedAnswer(
        answer=answer.text,
        outcome=answer.outcome,
        confidence=f"{sure.words}. {sure.meaning}" if sure else "",
        citations=[_quote(caller, citation) for citation in answer.citations],
        notices=[notice.message for notice in answer.notices],
    )


def _quote(caller: ToolCaller, citation: Citation) -> CitedQuote:
    return CitedQuote(
        number=citation.number,
        title=citation.title,
        section=" › ".join(below_title(citation.heading_path, citation.title)),
        quote=citation.quote,
        url=caller.absolute(with_url(citation).url),  # a kept answer may have been made under another prefix
        id=identifier(citation),
    )
