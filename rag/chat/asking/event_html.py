"""Events rendered on the server: the page has one set of templates, with JavaScript or without."""

from django.template.loader import render_to_string

from rag.chat.answering.answers import fresh
from rag.events import Completed, Event, Failed, Retrieved, StepChanged


def event_html(event: Event) -> str:
    """The HTML that the page shows for `event`, "" where it shows nothing."""
    if isinstance(event, StepChanged):
        return render_to_string("chat/_step.html", {"step": event.step})
    if isinstance(event, Retrieved):
        return render_to_string("chat/_retrieved.html", {"event": event})
    if isinstance(event, Completed):
        return render_to_string("chat/_answer.html", {"shown": fresh(event.answer)})
    if isinstance(event, Failed):
        return render_to_string("chat/_failed.html", {"failed": event})
    return ""
