"""Events rendered on the server: the page has one set of templates, with JavaScript or without."""

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from rag.chat.answering.answers import ShownAnswer, fresh
from rag.chat.answering.sources import cited_source
from rag.events import CitationAdded, Completed, Event, Failed, Retrieved, StepChanged
from rag.services.sse import encode
from rag.types import Passage, found_at, place_of


class EventHtml:
    """`question` is what was asked, as it was typed. `costs`: whether the reader sees what answers cost."""

    def __init__(self, question: str, *, costs: bool = False) -> None:
        self._question = question
        self._costs = costs
        self._found: dict[tuple[int, str], Passage] = {}

    def encode(self, event: Event) -> bytes:
        """The event with the HTML that the page shows for it."""
        return encode(event, self(event))

    def __call__(self, event: Event) -> str:
        """The HTML that the page shows for `event`, "" where it shows nothing."""
        if isinstance(event, StepChanged):
            return render_to_string("chat/_step.html", {"step": event.step})
        if isinstance(event, Retrieved):
            self._found |= found_at(event.passages)
            return render_to_string("chat/_retrieved.html", {"event": event, "shown": self._begun(event)})
        if isinstance(event, CitationAdded):
            source = cited_source(event.citation, self._found.get(place_of(event.citation)), self._question)
            return render_to_string("chat/_source.html", {"source": source})
        if isinstance(event, Completed):
            shown = fresh(event.answer, topics=event.topics)
            return render_to_string("chat/_completed.html", {"shown": shown, "sees_costs": self._costs})
        if isinstance(event, Failed):
            return render_to_string("chat/_failed.html", {"failed": event})
        return ""

    def _begun(self, event: Retrieved) -> ShownAnswer:
        """What is known of the answer before its first word: what was searched instead of what was typed."""
        corrections = tuple({"typed": item.typed, "searched": item.searched} for item in event.corrections)
        return ShownAnswer(question=self._question, html=SafeString(), outcome="", corrections=corrections)
